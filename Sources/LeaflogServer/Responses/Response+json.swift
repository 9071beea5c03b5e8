internal import Hummingbird
internal import Leaflog

extension Response {
  /// A document that is not cached.
  init(status: HTTPResponse.Status, json document: some Shown) {
    self.init(
      status: status, headers: [.contentType: "application/json", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: JSON.line(document))))
  }

  /// The document returned by a call of the library, as an answer.
  static func json<Document: Shown>(
    _ access: LibraryAccess, _ body: @escaping @Sendable (Library) throws -> Document
  ) async throws -> Response {
    json(ByteBuffer(string: try await access.read { JSON.line(try body($0)) }), tag: nil)
  }

  /// The same for a document that depends only on the catalog and the request, and so is valid until the next commit.
  static func json<Document: Shown>(
    _ access: LibraryAccess, knownAs request: String,
    _ body: @escaping @Sendable (Library) throws -> Document
  ) async throws -> Response {
    json(try await access.read(knownAs: request) { JSON.line(try body($0)) }, tag: nil)
  }

  /// The same for something that can be edited, with the tag of its version, or 304 if the client has that version.
  static func versioned<Document: Shown>(
    _ request: Request, _ access: LibraryAccess,
    _ body: @escaping @Sendable (Library) throws -> (Document, EntityTag)
  ) async throws -> Response {
    let (text, tag) = try await access.read { library in
      let (document, tag) = try body(library)
      return (JSON.line(document), tag)
    }
    guard try request.isCurrent(tag) else { return json(ByteBuffer(string: text), tag: tag) }
    return Response(
      status: .notModified,
      headers: [.eTag: tag.description, .cacheControl: FileAnswer.revalidated])
  }

  private static func json(_ text: ByteBuffer, tag: EntityTag?) -> Response {
    var headers: HTTPFields = [
      .contentType: "application/json", .cacheControl: FileAnswer.revalidated,
    ]
    headers[.eTag] = tag?.description
    return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: text))
  }
}
