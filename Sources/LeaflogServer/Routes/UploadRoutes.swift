internal import Documents
internal import Fields
internal import HTTPTypes
internal import Hummingbird
internal import Leaflog

/// Uploads of photos: whole, in forms, or in pieces.
struct UploadRoutes: Sendable {
  let access: LibraryAccess

  private var receiver: UploadReceiver { UploadReceiver(access: access) }

  func add(to group: RouterGroup<LeaflogRequestContext>) {
    group.post("photos") { request, _ in
      guard let boundary = try request.boundary else { return try await takeFile(request) }
      return try await takeForm(request, boundary)
    }
    group.get("sources/:digest") { request, context in try await source(request, context) }
    group.put("sources/:digest") { request, context in try await takePrepared(request, context) }
    group.post("uploads") { request, _ in try await begin(request) }
    group.get("uploads/:id") { request, context in
      try QueryReader(request).finish()
      let id = try context.upload()
      let (wanted, byteCount) = try await access.read { try $0.uploads.look(at: id) }
      return UploadDocument(id: id, wanted, byteCount: byteCount).response(.ok)
    }
    group.put("uploads/:id") { request, context in try await goOn(request, context) }
    group.delete("uploads/:id") { request, context in
      try QueryReader(request).finish()
      let id = try context.upload()
      try await access.write { library in
        _ = try library.uploads.look(at: id)
        try library.uploads.remove(id)
      }
      return Response(status: .noContent)
    }
  }

  /// The fields of the query, which describe photos.
  private func fields(of request: Request) throws -> (name: String, fields: [String: String]) {
    var reader = QueryReader(request)
    var fields: [String: String] = [:]
    for name in UploadRequest.fieldNames { fields[name] = try reader.text(name) }
    let name = try reader.text("name") ?? ""
    try reader.finish()
    return (name, fields)
  }

  /// Takes a body that is the file itself.
  private func takeFile(_ request: Request) async throws -> Response {
    let (name, fields) = try fields(of: request)
    var wanted = try UploadRequest(fields: fields, fileName: name)
    wanted.byteCount = request.headers[.contentLength].flatMap { Int($0) }
    let upload = try await receiver.begin(wanted)
    do { try await receiver.append(request.body, to: upload) } catch {
      try await receiver.remove(upload)
      throw error
    }
    return try await receiver.take(upload, origin: "POST /api/v1/photos").response
  }

  /// Takes a form with any number of files. The fields of the query and of the form describe them.
  private func takeForm(_ request: Request, _ boundary: String) async throws -> Response {
    let query = try fields(of: request).fields
    var form = FormReceiver(receiver, boundary: boundary, origin: "POST /api/v1/photos")
    try await form.read(request.body)
    try await form.takeFiles(over: query)
    let taken = form.taken
    guard !taken.isEmpty else { throw Problem(.badRequest, "The form has no file.") }
    if let trouble = taken.first(where: \.isTrouble), taken.allSatisfy(\.isTrouble) {
      return try trouble.response
    }
    // One file has the status that it would have as a body.
    let alone = taken.count == 1 ? try taken[0].response : nil
    var response = Response(
      status: alone?.status ?? .ok,
      json: Listing(items: taken.map { OutcomeDocument($0.outcome) }, next: nil))
    response.headers[.location] = alone?.headers[.location]
    response.headers[.leaflogChange] = taken.compactMap(\.change).last.map(String.init)
    return response
  }

  /// Takes a photo that was prepared on another machine.
  private func takePrepared(
    _ request: Request, _ context: LeaflogRequestContext
  ) async throws -> Response {
    try QueryReader(request).finish()
    let digest = try digest(context)
    guard let boundary = try request.boundary else {
      throw Problem(.unsupportedMediaType, "The body must be multipart/form-data.")
    }
    var form = PreparedForm(receiver, boundary: boundary)
    let taken: Result<UploadReceiver.Taken, any Error>
    do {
      let photo = try await form.read(request.body)
      let (outcome, change) = try await access.take(
        photo, digest, form.files, origin: "PUT /api/v1/sources")
      taken = .success(UploadReceiver.Taken(outcome: outcome, change: change))
    } catch { taken = .failure(error) }
    for file in form.files { try await receiver.remove(file) }
    return try taken.get().response
  }

  private func digest(_ context: LeaflogRequestContext) throws -> BlobID {
    guard let digest = BlobID(hex: try context.text("digest")) else {
      throw Problem(.badRequest, "A SHA-256 has 64 hexadecimal digits.")
    }
    return digest
  }

  /// Answers whether the library already has a file, which then need not be sent.
  private func source(_ request: Request, _ context: LeaflogRequestContext) async throws -> Response
  {
    var reader = QueryReader(request)
    let isSent = try reader.flag("sent")
    try reader.finish()
    let digest = try digest(context)
    if isSent { try await access.write { try $0.store.sendJournal() } }
    return try await Response.json(access) { library in
      guard let entry = try library.uploads.known(digest) else {
        throw Problem(.notFound, "The library has no photo from that file.")
      }
      return entry
    }
  }

  private func begin(_ request: Request) async throws -> Response {
    try QueryReader(request).finish()
    var body = try BodyReader(await BodyReader.bytes(of: request))
    let wanted = try body.rest(of: UploadRequest.self).made().withoutFolders
    guard wanted.byteCount != nil else { throw BodyReader.refusal("“byteCount” is missing.") }
    let upload = try await receiver.begin(wanted, isKept: true)
    return UploadDocument(id: upload.id, wanted, byteCount: 0).response(.created)
  }

  /// Takes the next piece of an upload. After the last one, the photo is imported, and the answer is its outcome. If
  /// the server died between the two, a client sends `bytes */4096`, without a piece, to have it imported.
  private func goOn(_ request: Request, _ context: LeaflogRequestContext) async throws -> Response {
    try QueryReader(request).finish()
    let id = try context.upload()
    guard let range = ContentRange(request.headers[.contentRange] ?? "") else {
      throw Problem(.badRequest, "Content-Range must be a value such as bytes 0-1023/4096.")
    }
    let upload = try await access.write { try $0.uploads.resume(id) }
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
      do { try await receiver.append(request.body, to: upload) } catch {
        // The bytes received so far are kept for the next attempt.
        try await access.block { try upload.sync() }
        throw error
      }
    }
    try await access.block { try upload.sync() }
    guard upload.byteCount == total else {
      return UploadDocument(id: id, upload.request, byteCount: upload.byteCount).response(.ok)
    }
    return try await receiver.take(upload, origin: "PUT /api/v1/uploads", isKept: true).response
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
      var response = Response(status: status, json: OutcomeDocument(outcome))
      response.headers[.leaflogChange] = change.map(String.init)
      if case .added(let photo) = outcome.result {
        response.headers[.location] = "/api/v1/photos/\(photo.id)"
      }
      return response
    }
  }

  private var status: HTTPResponse.Status {
    switch outcome.result {
    case .added: .created
    case .duplicate, .restored, .updated, .skipped: .ok
    case .failed: .unprocessableContent
    }
  }
}
