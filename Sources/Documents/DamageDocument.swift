package import Leaflog

/// Something that is wrong in a library, in JSON.
package struct DamageDocument: Encodable {
  let damage: String
  let blob: String?
  let photos: [String]
  let roles: [String]
  let message: String
  let remedy: String?

  /// - Parameter remedy: in the words of the interface that shows it.
  package init(_ found: Damage, remedy: String?) {
    damage = found.kind.rawValue
    blob = found.blob?.hex
    photos = found.photos.map(\.id.description)
    roles = found.roles.map(\.rawValue)
    message = found.message
    self.remedy = remedy
  }
}
