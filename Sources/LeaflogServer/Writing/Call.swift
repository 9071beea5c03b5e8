internal import Hummingbird
internal import Leaflog
internal import Synchronization

/// A request that writes: the library, the names in its path, the fields of its body, and its conditions.
struct Call: Sendable {
  let library: Library
  /// The named parts of the path, decoded.
  let names: [String: String]
  /// The fields of the body.
  let body: BodyReader
  /// The versions of which the client wants to edit one, or none.
  let condition: VersionCondition
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
  func name(_ parameter: Parameter<String>) -> String { names[parameter.name] ?? "" }

  /// The library to write to, for a request that edits nothing existing.
  func writer() throws -> Library {
    guard condition.isEmpty else {
      throw Problem(
        .badRequest,
        "If-Match and If-None-Match are only supported when editing a single entry, plant, activity or factor."
      )
    }
    return try writer(on: nil)
  }

  /// The library to write to, as long as the entry is still as the client saw it; nil for an entry that does not exist.
  func writer(editing entry: Entry?) throws -> Library {
    guard let entry else {
      guard condition.wanted == nil else {
        throw LeaflogError(.changed, "There is nothing to edit yet.")
      }
      return try writer(on: nil)
    }
    return try writer(on: condition.isEmpty ? nil : .entry(entry.id, condition.check))
  }

  func writer(editing plant: Plant) throws -> Library {
    try writer(on: condition.isEmpty ? nil : .plant(plant.id, condition.check))
  }

  func writer(editing activity: Activity) throws -> Library {
    try writer(on: condition.isEmpty ? nil : .activity(activity.id, condition.check))
  }

  func writer(editing factor: Factor) throws -> Library {
    try writer(on: condition.isEmpty ? nil : .factor(factor.id, condition.check))
  }

  private func writer(on condition: ClientRequest.Condition?) throws -> Library {
    let serving = try library.serving(
      ClientRequest(origin: origin, key: key, condition: condition))
    state.note(serving)
    return serving
  }
}

/// The versions that a writing request names (RFC 9110, 13.1).
struct VersionCondition: Sendable {
  /// `If-Match`: the present version has to be among these.
  let wanted: String?
  /// `If-None-Match`: the present version must not be among these; `*` stands for any.
  let unwanted: String?

  init(wanted: String?, unwanted: String?) { (self.wanted, self.unwanted) = (wanted, unwanted) }

  init(_ request: Request) throws {
    (wanted, unwanted) = (request.headers[.ifMatch], request.headers[.ifNoneMatch])
    for (name, list) in [("If-Match", wanted), ("If-None-Match", unwanted)] where list == "" {
      throw Problem(.badRequest, "\(name) is empty.")
    }
  }

  var isEmpty: Bool { wanted == nil && unwanted == nil }

  func check(_ thing: some Versioned) throws {
    let tag = EntityTag(version: thing)
    if let wanted, !tag.isIn(wanted, weakly: false) {
      throw LeaflogError(
        .changed, "It has been changed since it was read. Read it again and repeat the edit.")
    }
    if let unwanted, tag.isIn(unwanted, weakly: true) {
      throw LeaflogError(.changed, "It exists in a version that If-None-Match excludes.")
    }
  }
}
