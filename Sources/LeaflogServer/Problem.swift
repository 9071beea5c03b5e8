internal import Fields
internal import Hummingbird
internal import Language
internal import Leaflog
internal import Pages

/// An error as the service reports it: `application/problem+json` (RFC 9457), with the library's code and a remedy
/// worded for clients of a server.
struct Problem: HTTPResponseError {
  let status: HTTPResponse.Status
  private let code: String
  let detail: String?
  private var remedy: String?
  private let errors: [InvalidField]
  /// The names of the fields that confirm what is in doubt.
  private let confirm: [String]
  let headers: HTTPFields

  /// A field of a request with a value that is not taken.
  struct InvalidField {
    /// Its path in the body, such as `dailyLog.sleepHours`, or its name in the query.
    let field: String
    let code: InvalidValue.Problem.Code
    let message: String
  }

  /// The problem and its remedy, for people; in other languages than English, the meaning of its code.
  func told(in words: Words) -> String? {
    let sentences = detail.map { [$0, remedy].compactMap(\.self).joined(separator: " ") }
    let general = status.kind == .serverError ? "failed" : "invalidRequest"
    return words.problem(sentences, of: "refusal.\(code)")
      ?? words.problem(nil, of: "refusal.\(general)")
  }

  /// The codes of problems that only the service has.
  enum Code: String {
    case foreignHost, foreignOrigin, unauthorized, notAllowed, tooManyAttempts, replica, readOnly
  }

  init(
    _ status: HTTPResponse.Status, _ detail: String?, code: Code? = nil, remedy: String? = nil,
    errors: [InvalidField] = [], headers: HTTPFields = [:]
  ) {
    (self.status, self.detail, self.headers) = (status, detail, headers)
    (self.code, self.remedy) = (code?.rawValue ?? status.problemCode, remedy)
    (self.errors, confirm) = (errors, [])
  }

  init(_ error: LeaflogError) {
    status = error.code.status
    (code, detail, remedy) = (
      error.code.rawValue, error.messageForClients, error.remedy?.wordsOfService
    )
    errors = error.invalidValue.map { [InvalidField($0)] } ?? []
    confirm = error.doubts.compactMap(\.remedy.confirmingField)
    headers = error.code == .locked ? [.retryAfter: "1"] : [:]
  }

  /// The problem with the addresses that a client of a service below that path has.
  func based(_ base: BasePath) -> Problem {
    var problem = self
    problem.remedy = remedy?.replacing("/api/v1/", with: base.address("/api/v1/"))
    return problem
  }

  func response(from request: Request, context: some RequestContext) -> Response {
    var headers = headers
    headers[.contentType] = "application/problem+json"
    headers[.cacheControl] = "no-store"
    return Response(
      status: status, headers: headers,
      body: ResponseBody(byteBuffer: ByteBuffer(string: JSON.line(self) + "\n")))
  }
}

extension Problem: Shown {
  static let shown = Fields<Problem>([
    // The title says all that the type would.
    Field(adding: "type", .oneOf("about:blank")) { _ in "about:blank" },
    Field(adding: "title", .text) { $0.status.reasonPhrase },
    Field(adding: "status", .whole(400...599)) { $0.status.code },
    Field(adding: "detail", .text) { $0.detail },
    Field(adding: "code", .text) { $0.code },
    Field(adding: "remedy", .text) { $0.remedy },
    // The fields with a value that is not taken: where reading stops at the first, that one.
    Field(adding: "errors", each: InvalidField.shown) { $0.errors.isEmpty ? nil : $0.errors },
    // The fields that have to be true for the request to be carried out all the same.
    Field(adding: "confirm", .texts) { $0.confirm.isEmpty ? nil : $0.confirm },
  ]).named("Problem")
}

extension Problem.InvalidField: Shown {
  init(_ value: InvalidValue) {
    (field, code, message) = (value.fullName, value.problem.code, value.description)
  }

  static let shown = Fields<Problem.InvalidField>([
    Field(adding: "field", .text) { $0.field },
    Field(adding: "code", .choice) { $0.code }, Field(adding: "message", .text) { $0.message },
  ])
}

/// A failure that is reported like a success, with a problem's fields beside its own.
struct FailedDocument<Document: Shown>: Shown {
  let document: Document
  let problem: Problem

  static var shown: Fields<FailedDocument> {
    let fields = Fields<FailedDocument>(
      Document.shown.all.map { $0.shown(\.document) }
        + Problem.shown.all.map { $0.shown(\.problem) })
    return Document.shown.name.map { fields.named("Failed\($0)") } ?? fields
  }
}

extension HTTPResponse.Status {
  /// The code of a problem about which there is no more to say: that of the library's errors where there is one for it,
  /// and the words of the status otherwise, such as `methodNotAllowed`.
  fileprivate var problemCode: String {
    switch self {
    case .badRequest: LeaflogError.Code.invalidRequest.rawValue
    case .contentTooLarge: LeaflogError.Code.tooLarge.rawValue
    case .preconditionFailed: LeaflogError.Code.changed.rawValue
    case .internalServerError: LeaflogError.Code.failed.rawValue
    default:
      reasonPhrase.split(separator: " ").enumerated().map {
        $0.offset == 0 ? $0.element.lowercased() : $0.element.capitalized
      }.joined()
    }
  }
}

extension LeaflogError.Code {
  /// The status of an answer with this error (RFC 9110, RFC 4918).
  fileprivate var status: HTTPResponse.Status {
    switch self {
    case .notFound, .notKept: .notFound
    case .ambiguous, .nameTaken, .conflict, .suspicious, .forked, .repeated, .unconfirmed: .conflict
    case .changed: .preconditionFailed
    case .tooLarge: .contentTooLarge
    case .mismatch: .unprocessableContent
    case .invalidRequest, .libraryExists: .badRequest
    case .locked, .closed, .unreachable: .serviceUnavailable
    case .noSpace: HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
    case .noLibrary, .markerMissing, .readOnly, .damaged, .tooNew, .refused, .failed:
      .internalServerError
    }
  }
}

extension LeaflogError {
  /// The message for clients of the service, who do not learn where the library is.
  var messageForClients: String {
    // The others are about what the client sent.
    code.status.kind == .serverError ? message.withoutFolders : message
  }
}

extension FileOutcome {
  /// The same without the folders of this machine in its message.
  var forClients: FileOutcome {
    guard case .failed(let reason, let message) = result else { return self }
    return FileOutcome(
      path: path, result: .failed(reason, message: message.withoutFolders), warnings: warnings)
  }
}

extension String {
  /// A message about files of this machine with their names alone: “Could not write /home/ada/diary/uploads/8b54: …”
  /// becomes “Could not write 8b54: …”.
  var withoutFolders: String {
    replacing(/(^|[\s“"'(])\/(?:[^:”"\n]*\/)?/) { "\($0.output.1)" }
  }
}

extension Remedy {
  /// The field that a client sends as true to confirm a doubt.
  fileprivate var confirmingField: String? {
    switch self {
    case .allowLate: "allowLate"
    case .allowFuture: "allowFuture"
    case .allowOverlap: "allowOverlap"
    default: nil
    }
  }

  /// The remedy for clients of the service; nil where only the library's owner can help.
  var wordsOfService: String? {
    switch self {
    case .deleteUnedited(_, let later): later.map { "Undo change \($0) first." }
    case .undoFirst(let change): "Undo change \(change) first."
    case .listEntries: "GET /api/v1/timeline lists the ids of entries."
    case .listPlants: "GET /api/v1/plants lists all plants."
    case .listActivities: "GET /api/v1/activities lists all activities."
    case .listFactors: "GET /api/v1/factors lists all factors."
    case .listQuotes: "GET /api/v1/quotes lists all quotes."
    case .listEpisodes: "GET /api/v1/timeline?kind=episode lists all episodes."
    case .editEpisode: "PATCH /api/v1/entries/ID edits an episode that has ended."
    case .mergePlants: "Use POST /api/v1/plants/NAME/merge to merge them."
    case .allowOverlap, .allowLate, .allowFuture:
      confirmingField.map { "Send “\($0)”: true to confirm." }
    case .listTokens: "GET /api/v1/tokens lists all tokens."
    case .addToken: nil
    case .setTimeZone:
      "Write the offset too, as in 2026-03-01T09:30+01:00, or set the zone with PUT /api/v1/settings/timeZone."
    case .waive(let reason), .repairOrWaive(let reason), .resolveForkOrWaive(let reason):
      "Name “\(reason.rawValue)” in “waive” to prune anyway."
    case .resolveFork, .backUpBeside, .chooseHead, .repairStore: nil
    case .mountOrNewBackup: "Mount its disk."
    case .mountOrInit, .mountOrConfirm, .keepLocalOrConfirm, .hideKey, .attachLibrary,
      .promoteReplica,
      .endFollowing, .repair,
      .repairOrRestore, .nameLibrary,
      .createLibrary,
      .restoreElsewhere,
      .nameEmptyFolder,
      .restoreInstead,
      .replaceBackup, .restoreOrReplaceBackup, .repairFromBackup, .nameMoment:
      nil
    }
  }
}
