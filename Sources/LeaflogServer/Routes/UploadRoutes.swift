internal import Fields
internal import HTTPTypes
internal import Hummingbird
internal import Leaflog

/// Uploads of photos: whole, in forms, or in pieces.
struct UploadRoutes: Sendable {
  func add(to api: API) {
    api.on(
      .post, "photos", "addPhoto", .send,
      "Import a photo: the file as it is, or a form with any number of files",
      key: .needless(note: Self.byContent),
      query: [Self.fileName] + UploadRequest.described + UploadRequest.former,
      body: .media([
        (
          "multipart/form-data",
          .object(
            [JSONSchema.Member("file", .list(.bytes, isFilled: true))]
              + UploadRequest.described.map(\.formMember), .new)
        ),
        ("application/octet-stream", .bytes),
      ]),
      answers: [
        .json(
          Self.outcomes, .ok,
          "It is in the library already, or is nothing to import; of a form with several files, whatever became of each",
          [.change]), .json(Self.outcomes, .created, "Added", [.location, .change]),
        .failure(.unprocessableContent, Self.failures, "It cannot be imported"),
        .failure(
          .contentTooLarge, Self.failures,
          "It takes too much memory, or is larger than the library takes"),
      ]
    ) { asked in
      guard let boundary = try asked.request.boundary else { return try await takeFile(asked) }
      return try await takeForm(asked, boundary)
    }
    addSources(to: api)
    addPieces(to: api)
  }

  private static let byContent =
    "A photo is known by the content of its file: one that is sent again is a duplicate, and not added twice."
  private static let outcomes = JSONSchema.oneOf([
    .answer(OutcomeDocument.self), .answer(Listing<OutcomeDocument>.self),
  ])
  private static let failed = JSONSchema.answer(FailedDocument<OutcomeDocument>.self)
  private static let failures = JSONSchema.oneOf([
    failed, .answer(FailedDocument<Listing<OutcomeDocument>>.self),
  ])
  private static let fileName = Parameter<String>("name", .text, "The file's name.")

  private func addSources(to api: API) {
    api.get(
      "sources/\(Path.source)", "source", .send,
      "Whether the library has a file with this SHA-256, which then need not be sent; to those who may see it, its photo",
      answers: [
        .json(.answer(Entry.self)),
        .empty(.noContent, "It has, and the token does not include seeing the photo"),
      ]
    ) { try await source($0) }
    api.on(
      // A file is deleted elsewhere because of the answer.
      .post, "sources/\(Path.source)/send", "sendSource", .writeDiary,
      "The same, once an object store that gets the journal later has the photo, too: then its file may be deleted "
        + "elsewhere",
      key: .needless(note: "Nothing is sent to the store twice."),
      answers: [.json(.answer(Entry.self))]
    ) { asked in
      try await asked.access.write { try $0.store.sendJournal() }
      return try await source(asked)
    }
    api.get(
      "sending", "sendingRules", .send, "What the preparation of photos elsewhere depends on",
      answers: [.json(.answer(SendingRules.self))]
    ) { asked in
      let grant = asked.context.holder?.grant ?? .everything
      return try await Response.json(asked.access) { try SendingRules($0, for: grant) }
    }
    api.on(
      .put, "sources/\(Path.source)", "recordPrepared", .writeDiary,
      "A photo that was prepared on another machine: the field `photo` describes it without its bytes, and each blob "
        + "follows as a file with any name; `leaflog import --to` sends it",
      key: .needless(note: Self.byContent),
      body: .media([
        (
          "multipart/form-data",
          .object(
            [
              JSONSchema.Member(
                "photo",
                .described(.rule(.text, .new), "A JSON object, as the manual describes it.")
              ), JSONSchema.Member("file", .list(.bytes), isRequired: false),
            ], .new)
        )
      ]),
      answers: [
        .json(.answer(OutcomeDocument.self), .ok, nil, [.change]),
        .json(.answer(OutcomeDocument.self), .created, nil, [.location, .change]),
        .failure(.unprocessableContent, Self.failed, "It cannot be imported"),
        .failure(
          .contentTooLarge, Self.failed,
          "It takes too much memory, or is larger than the library takes"),
      ], takePrepared)
  }

  private func addPieces(to api: API) {
    api.once(
      .post, "uploads", "beginUpload", .send, "Begin a resumable upload",
      note:
        "With an Idempotency-Key, a repetition gets the same upload, with the number of bytes received since, until it "
        + "is imported, cancelled or given up; after that it begins another.",
      body: Body(.new, UploadRequest.self, requiring: ["byteCount"]),
      answers: [.json(.answer(UploadDocument.self), .created, nil, [.location, .uploadOffset])],
      begin)
    api.get(
      "uploads/\(Path.upload)", "upload", .send, "The progress of an upload",
      answers: [.json(.answer(UploadDocument.self), .ok, nil, [.location, .uploadOffset])]
    ) { asked in
      let id = try await asked.ownUpload()
      let (wanted, byteCount) = try await asked.access.read { try $0.uploads.look(at: id) }
      return UploadDocument(id: id, wanted, byteCount: byteCount).response(.ok)
    }
    api.on(
      .put, "uploads/\(Path.upload)", "continueUpload", .send,
      "The next piece of an upload; with the last one it is imported",
      key: .needless(
        note:
          "A piece that has been received is refused with the place to continue at (409), and after the last one there is "
          + "no upload any more (404)."), headers: [Self.range],
      body: .media([("application/octet-stream", .bytes)], isOptional: true),
      answers: [
        .json(
          .oneOf([.answer(UploadDocument.self), .answer(OutcomeDocument.self)]), .ok,
          "The piece was received, or the photo already exists",
          [.location, .uploadOffset, .change]),
        .json(.answer(OutcomeDocument.self), .created, "Added", [.location, .change]),
        .failure(.unprocessableContent, Self.failed, "It cannot be imported"),
        .failure(
          .contentTooLarge, Self.failed,
          "It takes too much memory, or is larger than the library takes"),
      ], goOn)
    api.on(
      .delete, "uploads/\(Path.upload)", "removeUpload", .send, "Cancel an upload",
      key: .needless(note: "A repetition finds no upload any more (404)."),
      answers: [.empty(.noContent, "Gone")]
    ) { asked in
      let id = try await asked.ownUpload()
      try await asked.access.write { library in
        _ = try library.uploads.look(at: id)
        try library.uploads.remove(id)
      }
      return Response(status: .noContent)
    }
  }

  private static let range = RequestHeader(
    .contentRange, pattern: "^bytes ([0-9]+-[0-9]+|[*])/[0-9]+$", isRequired: true,
    "bytes 0-1023/4096; or bytes */4096 without a body, once all bytes have been received")

  /// The fields of the query, which describe photos.
  private func fields(of asked: Asked) -> (name: String, fields: [String: String]) {
    var fields: [String: String] = [:]
    for parameter in UploadRequest.described + UploadRequest.former {
      fields[parameter.name] = asked.query.text(parameter)
    }
    return (asked.query.text(Self.fileName) ?? "", fields)
  }

  /// Takes a body that is the file itself.
  private func takeFile(_ asked: Asked) async throws -> Response {
    let (name, fields) = fields(of: asked)
    var wanted = try UploadRequest(fields: fields, fileName: name)
    wanted.byteCount = asked.request.headers[.contentLength].flatMap { Int($0) }
    let upload = try await asked.receiver.begin(wanted)
    do { try await asked.receiver.append(asked.request.body, to: upload) } catch {
      try await asked.receiver.remove(upload)
      throw error
    }
    return try await asked.receiver.take(upload, origin: "POST /api/v1/photos").response
  }

  /// Takes a form with any number of files. The fields of the query and of the form describe them.
  private func takeForm(_ asked: Asked, _ boundary: String) async throws -> Response {
    let query = fields(of: asked).fields
    var form = try FormReceiver(asked.receiver, boundary: boundary, origin: "POST /api/v1/photos")
    try await form.read(asked.request.body, asked.context.bodies)
    try await form.takeFiles(over: query)
    let taken = form.taken
    guard !taken.isEmpty else { throw Problem(.badRequest, "The form has no file.") }
    if let trouble = taken.first(where: \.isTrouble), taken.allSatisfy(\.isTrouble) {
      return try trouble.response
    }
    let outcomes = Listing(
      items: taken.map { OutcomeDocument($0.outcome.forClients) }, next: nil)
    // One file has the status that it would have as a body.
    let alone = taken.count == 1 ? taken[0] : nil
    var response = alone?.answer(outcomes) ?? Response(status: .ok, json: outcomes)
    response.headers[.location] = try alone?.response.headers[.location]
    response.headers[.leaflogChange] = taken.compactMap(\.change).last.map(String.init)
    return response
  }

  /// Takes a photo that was prepared on another machine.
  private func takePrepared(_ asked: Asked) async throws -> Response {
    let digest = try digest(asked)
    guard let boundary = try asked.request.boundary else {
      throw Problem(.unsupportedMediaType, "The body must be multipart/form-data.")
    }
    var form = try PreparedForm(asked.receiver, boundary: boundary)
    let taken: Result<UploadReceiver.Taken, any Error>
    do {
      let photo = try await form.read(asked.request.body, asked.context.bodies)
      let (outcome, change) = try await asked.access.take(
        PreparedUpload(photo, of: digest, form.files), from: asked.context.holder?.asSender,
        origin: "PUT /api/v1/sources")
      taken = .success(UploadReceiver.Taken(outcome: outcome, change: change))
    } catch { taken = .failure(error) }
    for file in form.files { try await asked.receiver.remove(file) }
    return try taken.get().response
  }

  private func digest(_ asked: Asked) throws -> BlobID {
    guard let digest = BlobID(hex: try asked.name(Path.source)) else {
      throw Problem(.badRequest, "A SHA-256 has 64 hexadecimal digits.")
    }
    return digest
  }

  /// Answers whether the library already has a file, which then need not be sent.
  private func source(_ asked: Asked) async throws -> Response {
    let digest = try digest(asked)
    guard asked.context.scope.seesAll else {
      guard try await asked.access.knows(digest) else { throw Self.unknownSource }
      return Response(status: .noContent)
    }
    return try await Response.json(asked.access) { library in
      guard let entry = try library.uploads.known(digest) else {
        throw Self.unknownSource
      }
      return entry
    }
  }

  private static let unknownSource = Problem(
    .notFound, "The library has no photo from that file.")

  private func begin(
    _ asked: Asked, _ body: BodyReader, _ key: ClientRequest.Key?
  ) async throws -> Response {
    let wanted = try body.patch(of: UploadRequest.self).made().withoutFolders
    guard wanted.byteCount != nil else {
      throw InvalidValue("byteCount", .missing("the number of bytes"))
    }
    return try await asked.receiver.beginKept(wanted, key).response(.created)
  }

  /// Takes the next piece of an upload. After the last one, the photo is imported, and the answer is its outcome. If
  /// the server died between the two, a client sends `bytes */4096`, without a piece, to have it imported.
  private func goOn(_ asked: Asked) async throws -> Response {
    let request = asked.request
    let id = try await asked.ownUpload()
    guard let range = ContentRange(request.headers[Self.range.name] ?? "") else {
      throw Problem(.badRequest, "Content-Range must be a value such as bytes 0-1023/4096.")
    }
    let upload = try await asked.access.write { try $0.uploads.resume(id) }
    // Released before the answer, after which the next piece may follow; a thread that worked on it may hold it longer.
    defer { upload.release() }
    let total = upload.request.byteCount ?? range.byteCount
    guard range.byteCount == total else {
      throw Problem(.badRequest, "The file was announced with \(total) bytes.")
    }
    guard range.piece?.lowerBound ?? total == upload.byteCount else {
      throw Problem(
        .conflict, "\(upload.byteCount) bytes have been received; continue there.",
        headers: [.uploadOffset: "\(upload.byteCount)"])
    }
    if let piece = range.piece {
      if let length = request.headers[.contentLength].flatMap({ Int($0) }), length != piece.count {
        throw Problem(
          .badRequest, "The piece has \(length) bytes, but its Content-Range says \(piece.count).")
      }
      do { try await asked.receiver.append(request.body, to: upload) } catch {
        // The bytes received so far are kept for the next attempt.
        try await asked.access.block { try upload.sync() }
        throw error
      }
    }
    try await asked.access.block { try upload.sync() }
    guard upload.byteCount == total else {
      return UploadDocument(id: id, upload.request, byteCount: upload.byteCount).response(.ok)
    }
    return try await asked.receiver.take(upload, origin: "PUT /api/v1/uploads", isKept: true)
      .response
  }
}

extension Asked {
  /// The upload in the path, which has to be the token's own unless that includes the whole diary.
  fileprivate func ownUpload() async throws -> UploadID {
    let (id, sender) = (try upload(), context.holder?.id.description ?? "")
    try await access.read { [scope = context.scope] in
      try $0.uploads.check(id, isOf: sender, in: scope)
    }
    return id
  }

  fileprivate var receiver: UploadReceiver {
    get throws { UploadReceiver(access: try access, holder: context.holder) }
  }
}

extension UploadRequest {
  /// The fields by which a sender describes a photo in a query or a form.
  fileprivate static let described: [any AnyParameter] = fieldNames.compactMap { name in
    fields[name].map { ShapeParameter(shape: $0.shape, isDescribed: true) }
  }

  /// The former names of those fields.
  fileprivate static let former: [any AnyParameter] = fields.formerNames.sorted { $0.key < $1.key }
    .compactMap { former, name in
      fields[name].map {
        ShapeParameter(shape: Shape(former, $0.rule, .optional), isDescribed: false)
      }
    }
}

/// A field of a thing as a parameter of its own.
private struct ShapeParameter: AnyParameter {
  let shape: Shape
  let isDescribed: Bool
  var about: String? { nil }
}

extension AnyParameter {
  fileprivate var formMember: JSONSchema.Member {
    JSONSchema.Member(name, .rule(shape.rule, .new), isRequired: false)
  }
}

extension UploadReceiver.Taken {
  /// Whether the failure is the library's and not the photo's, so that the photo may be sent again later.
  var isTrouble: Bool { trouble != nil }

  private var trouble: LeaflogError.Code? {
    guard case .failed(let reason, _) = outcome.result else { return nil }
    return switch reason {
    case .noSpace: .noSpace
    case .readOnly: .readOnly
    case .locked: .locked
    case .storeFailed: .failed
    default: nil
    }
  }

  var response: Response {
    get throws {
      if let trouble, case .failed(_, let message) = outcome.result {
        throw Problem(LeaflogError(trouble, message))
      }
      var response = answer(OutcomeDocument(outcome.forClients))
      response.headers[.leaflogChange] = change.map(String.init)
      if case .added(let photo) = outcome.result {
        response.headers[.location] = "/api/v1/photos/\(photo.id)"
      }
      return response
    }
  }

  /// A document about what became of it, which is a problem, too, where it could not be imported.
  func answer(_ document: some Shown) -> Response {
    guard case .failed(_, let message) = outcome.forClients.result else {
      return Response(status: status, json: document)
    }
    return Response(
      status: status,
      json: FailedDocument(document: document, problem: Problem(status, message)))
  }

  private var status: HTTPResponse.Status {
    switch outcome.result {
    case .added: .created
    case .duplicate, .restored, .updated, .skipped: .ok
    case .failed(.tooLarge, _): .contentTooLarge
    case .failed: .unprocessableContent
    }
  }
}
