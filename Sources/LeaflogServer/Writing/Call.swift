internal import Documents
internal import Leaflog
internal import Synchronization

/// A request that writes: the library, the names in its path, the fields of its body, and its conditions.
struct Call: Sendable {
  let library: Library
  /// The named parts of the path, decoded.
  let names: [String: String]
  /// The fields of the body.
  let body: BodyReader
  /// The value of `If-Match`.
  let wanted: String?
  let key: ClientRequest.Key?
  /// The request as the history names it.
  let origin: String
  var state = State()

  /// The outcome of the call.
  final class State: Sendable {
    private let libraries = Mutex<[Library]>([])

    /// The number of the last change it made; nil when it made none.
    var change: Int64? { libraries.withLock { $0.last?.history.lastChange } }

    fileprivate func note(_ library: Library) { libraries.withLock { $0.append(library) } }
  }

  /// A part of the path.
  func name(_ name: String) -> String { names[name] ?? "" }

  /// The library to write to, for a request that edits nothing existing.
  func writer() throws -> Library {
    guard wanted == nil else {
      throw Problem(
        .badRequest, "If-Match is only supported when editing a single entry, plant or activity.")
    }
    return try writer(on: nil)
  }

  /// The library to write to, as long as the entry is still as the client saw it; nil for an entry that does not exist.
  func writer(editing entry: Entry?) throws -> Library {
    guard let wanted else { return try writer(on: nil) }
    guard let entry else { throw LeaflogError(.changed, "There is nothing to edit yet.") }
    return try writer(on: .entry(entry.id) { try Self.check($0, wanted) })
  }

  func writer(editing plant: Plant) throws -> Library {
    try writer(on: wanted.map { list in .plant(plant.id) { try Self.check($0, list) } })
  }

  func writer(editing activity: Activity) throws -> Library {
    try writer(on: wanted.map { list in .activity(activity.id) { try Self.check($0, list) } })
  }

  private func writer(on condition: ClientRequest.Condition?) throws -> Library {
    let serving = try library.serving(
      ClientRequest(origin: origin, key: key, condition: condition))
    state.note(serving)
    return serving
  }

  private static func check(_ thing: some Versioned, _ list: String) throws {
    guard EntityTag(version: thing).isIn(list, weakly: false) else {
      throw LeaflogError(
        .changed, "It has been changed since it was read. Read it again and repeat the edit.")
    }
  }
}
