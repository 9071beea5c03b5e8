internal import Fields
internal import HTTPTypes
internal import Hummingbird
package import Leaflog
internal import NIOCore

/// Writes incoming bodies into uploads as they arrive.
struct UploadReceiver: Sendable {
  let access: LibraryAccess
  /// The token that the uploads come with, if any.
  let holder: AccessToken?

  /// Begins an upload, which ends with its request.
  func begin(_ request: UploadRequest) async throws -> Upload {
    try await access.begin { try $0.uploads.begin(request, isKept: false) }
  }

  /// Begins an upload that is kept until it is complete, or finds the one that the same request has begun. Those of a
  /// token are limited together.
  ///
  /// - Parameter key: the request's, if it has one.
  func beginKept(
    _ request: UploadRequest, _ key: ClientRequest.Key?
  ) async throws -> UploadDocument {
    try await access.begin { [holder, scope = access.scope] library in
      let (uploads, sender) = (library.uploads, holder?.id.description ?? "")
      if let key, let id = try uploads.begun(by: key) {
        try uploads.check(id, isOf: sender, in: scope)
        let (begun, byteCount) = try uploads.look(at: id)
        return UploadDocument(id: id, begun, byteCount: byteCount)
      }
      let upload = try uploads.begin(request, isKept: true, sender: sender, key: key)
      return UploadDocument(id: upload.id, request, byteCount: 0)
    }
  }

  /// Appends a body to an upload. The next piece is read only once this one is in the file.
  func append(_ body: RequestBody, to upload: Upload) async throws {
    for try await piece in body {
      try await access.block { try piece.withUnsafeReadableBytes { try upload.append($0) } }
    }
  }

  /// Imports an upload, and removes it unless it is kept for another attempt.
  func take(_ upload: Upload, origin: String, isKept: Bool = false) async throws -> Taken {
    do {
      let (outcome, change) = try await access.take(upload, from: holder?.asSender, origin: origin)
      let taken = Taken(outcome: outcome, change: change)
      if taken.isTrouble, !isKept { try await remove(upload) }
      return taken
    } catch {
      if !isKept { try await remove(upload) }
      throw error
    }
  }

  func remove(_ upload: Upload) async throws {
    try await access.write { try $0.uploads.remove(upload.id) }
  }

  /// The outcome of a file.
  struct Taken: Sendable {
    let outcome: FileOutcome
    /// The number of the change that it is a part of; nil when nothing changed.
    let change: Int64?
  }
}

/// The place of a piece in a whole file (RFC 9110, 14.4): `bytes 0-1023/4096`; or no piece, `bytes */4096`, once all
/// bytes have been sent.
struct ContentRange: Hashable {
  /// The first byte of the piece and the last; nil for no piece.
  let piece: ClosedRange<Int>?
  /// The size of the whole file.
  let byteCount: Int

  /// Parses the header; nil when it is malformed or the size of the whole is unknown.
  init?(_ header: String) {
    let parts = header.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
    let halves = parts[1].split(separator: "/", omittingEmptySubsequences: false)
    guard halves.count == 2, let byteCount = Self.number(halves[1]) else { return nil }
    self.byteCount = byteCount
    if halves[0] == "*" {
      piece = nil
      return
    }
    let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false).map(Self.number)
    guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last, last < byteCount
    else { return nil }
    piece = first...last
  }

  private static func number(_ text: Substring) -> Int? {
    text.utf8.allSatisfy { (48...57).contains($0) } ? Int(text) : nil
  }
}

/// A resumable upload.
struct UploadDocument: Shown {
  private let id: UploadID
  private let request: UploadRequest
  private let offset: Int

  /// - Parameter byteCount: the number of bytes received.
  init(id: UploadID, _ request: UploadRequest, byteCount: Int) {
    (self.id, self.request, offset) = (id, request, byteCount)
  }

  static let shown = Fields<UploadDocument>([
    Field(adding: "id", .id) { $0.id },
    Field(adding: "name", .text) { $0.request.name },
    // The number of bytes received.
    Field(adding: "offset", .byteCount) { $0.offset },
    // The size of the whole file.
    Field(adding: "byteCount", .byteCount) { $0.request.byteCount },
  ]).named("Upload")

  func response(_ status: HTTPResponse.Status) -> Response {
    var response = Response(status: status, json: self)
    response.headers[.location] = "/api/v1/uploads/\(id)"
    response.headers[.uploadOffset] = "\(offset)"
    return response
  }
}

extension UploadID: WrittenValue {
  package init?(written text: String) { self.init(text) }
}

extension HTTPField.Name {
  /// draft-ietf-httpbis-resumable-upload
  static let uploadOffset = HTTPField.Name("Upload-Offset")!
}

extension Asked {
  /// The upload that the path names.
  func upload() throws -> UploadID {
    guard let id = UploadID(try name(Path.upload)) else {
      throw Problem(.notFound, "There is no such upload.")
    }
    return id
  }
}

extension Request {
  /// The boundary of a multipart form; nil when the body is not one.
  var boundary: String? {
    get throws {
      let type = headers[.contentType] ?? ""
      guard type.lowercased().hasPrefix("multipart/form-data") else { return nil }
      guard let boundary = PartHeaders.parameters(type)["boundary"],
        (1...70).contains(boundary.utf8.count)
      else { throw Problem(.badRequest, "The form's boundary is missing.") }
      return boundary
    }
  }
}

extension UploadRequest {
  /// The fields by which a sender describes a photo, in a query or a form.
  static let fieldNames = [
    "plant", "notes", "occurredAt", "timeZone", "batch", "modifiedAt", "sha256",
  ]

  /// - Parameters:
  ///   - fields: the values by field name.
  ///   - fileName: the file's name, without folders.
  init(fields: [String: String], fileName: String) throws {
    var patch = Patch<UploadRequest>()
    for (given, text) in fields.sorted(by: { $0.key < $1.key }) {
      guard let field = Self.fields[given], Self.fieldNames.contains(field.name) else {
        throw InvalidValue(given, .unknown(Self.fieldNames))
      }
      guard given == field.name || fields[field.name] == nil else { throw field.givenTwice }
      try patch.set(field.name, .text(text), from: .json)
    }
    self = patch.applied(to: UploadRequest(name: fileName.tidied ?? "photo")).withoutFolders
  }
}
