internal import Hummingbird
internal import Leaflog

/// The outcome of a write, as its answer reports it.
struct Written: Sendable {
  let status: HTTPResponse.Status
  /// JSON, one line.
  let text: String
  /// The version of what was written, if it can be edited again.
  let tag: EntityTag?
  /// The address of what was created.
  let location: String?

  /// - Parameter place: the path of what was written within the API; for what was created, the answer names it.
  init(
    _ document: some Shown, _ status: HTTPResponse.Status = .ok, tag: EntityTag? = nil,
    at place: String? = nil
  ) {
    (self.status, self.tag) = (status, tag)
    location = status == .created ? place.map { "/api/v1/\($0)" } : nil
    text = JSON.line(document)
  }

  /// An entry that was added or edited.
  init(_ entry: Entry, _ status: HTTPResponse.Status = .ok) {
    self.init(
      entry, status, tag: EntityTag(version: entry), at: "entries/\(entry.id)")
  }

  init(_ plant: Plant, in library: Library, _ status: HTTPResponse.Status = .ok) {
    self.init(
      PlantDocument(plant, today: library.today), status, tag: EntityTag(version: plant),
      at: "plants/\(plant.id)")
  }

  init(_ activity: Activity, in library: Library, _ status: HTTPResponse.Status = .ok) throws {
    self.init(
      try ActivityDocument(activity, in: library), status, tag: EntityTag(version: activity),
      at: "activities/\(activity.id)")
  }

  init(_ factor: Factor, _ status: HTTPResponse.Status = .ok) {
    self.init(
      factor, status, tag: EntityTag(version: factor), at: "factors/\(factor.id)")
  }

  /// Entries that were edited together.
  init(_ result: EditResult) {
    self.init(
      EditDocument(result) { [$0.message, $0.remedy?.wordsOfService].sentences })
  }
}

extension [String?] {
  fileprivate var sentences: String { compactMap { $0 }.joined(separator: " ") }
}

/// Handles all writes: one at a time, each only once no matter how often it is sent, and only on the version that the
/// client has seen.
struct Writing: Sendable {
  /// - Parameter body: makes the change with the fields of the request's body.
  func answer(
    _ asked: Asked, _ body: @escaping @Sendable (Call) throws -> Written
  ) async throws -> Response {
    let (request, context) = (asked.request, asked.context)
    let (fields, key) = try await asked.keyedBody()
    let names = try context.decodedParameters()
    let condition = try VersionCondition(request)
    return try await asked.access.write { library in
      let call = Call(
        library: library, names: names, body: fields, condition: condition, key: key,
        origin: "\(request.method.rawValue) \(request.uri.path)")
      return try library.once(key, again: KeptAnswer.response) {
        let written = try body(call)
        let answer = KeptAnswer(written, change: call.state.change)
        if let key { try library.requests.keep(answer: answer.encoded, to: key) }
        var response = answer.response
        if library.store.reasonForUnsent != nil { response.headers[.leaflogUnsent] = "1" }
        return response
      }
    }
  }
}

extension Library {
  /// Carries out a request once.
  ///
  /// - Parameters:
  ///   - key: nil for a request that may be carried out each time.
  ///   - again: the answer to a request whose key is known.
  func once<Answer>(
    _ key: ClientRequest.Key?, again: (ClientRequest.Known) throws -> Answer,
    _ body: () throws -> Answer
  ) throws -> Answer {
    func known() throws -> Answer? { try key.flatMap { try requests.known(by: $0) }.map(again) }
    if let answer = try known() { return answer }
    do { return try body() } catch let error as LeaflogError where error.code == .repeated {
      // Another process has carried it out in the meantime.
      guard let answer = try known() else { throw error }
      return answer
    }
  }
}
