internal import Leaflog

/// What `verify`, `backup` and `restore` say as they go: how far they are, and what is damaged.
final class DamageReport: Sendable {
  private let bar: ShareBar
  private let isJSON: Bool

  init(_ global: GlobalOptions) {
    bar = ShareBar(isShown: Terminal.error.isTerminal && !global.quiet && !global.noProgress)
    isJSON = global.json
  }

  func show(_ share: Double) { bar.show(share) }

  func clear() { bar.clear() }

  func tell(_ damage: Damage) {
    bar.clear()
    guard isJSON else { return Output.result(TextLayout.singleLine(damage.message)) }
    Output.result(JSON.line(DamageDocument(damage)))
  }
}

/// Something that is wrong in a library, in JSON.
private struct DamageDocument: Encodable {
  let damage: String
  let blob: String?
  let photos: [String]
  let roles: [String]
  let message: String

  init(_ found: Damage) {
    damage = found.kind.rawValue
    blob = found.blob?.hex
    photos = found.photos.map(\.id.description)
    roles = found.roles.map(\.rawValue)
    message = found.message
  }
}
