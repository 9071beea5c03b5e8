package import Leaflog

/// Damage found in a library, in JSON.
package struct DamageDocument: Encodable {
  let damage: String
  let blob: String?
  let photos: [String]
  let roles: [String]
  let message: String
  let remedy: String?

  /// - Parameter remedy: the remedy, worded for the interface that shows it.
  package init(_ found: Damage, remedy: String?) {
    damage = found.kind.rawValue
    blob = found.blob?.hex
    photos = found.photos.map(\.id.description)
    roles = found.roles.map(\.rawValue)
    message = found.message
    self.remedy = remedy
  }
}
