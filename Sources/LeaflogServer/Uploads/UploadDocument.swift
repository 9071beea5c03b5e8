internal import Documents
internal import HTTPTypes
internal import Hummingbird
internal import Leaflog

/// A resumable upload, in JSON.
struct UploadDocument: Encodable {
  private let id: String
  private let name: String
  /// The number of bytes received.
  private let offset: Int
  /// The size of the whole file.
  private let byteCount: Int?

  init(id: UploadID, _ request: UploadRequest, byteCount: Int) {
    self.id = id.description
    name = request.name
    offset = byteCount
    self.byteCount = request.byteCount
  }

  func response(_ status: HTTPResponse.Status) -> Response {
    var response = Response(status: status, json: self)
    response.headers[.location] = "/api/v1/uploads/\(id)"
    response.headers[.uploadOffset] = "\(offset)"
    return response
  }
}

extension HTTPField.Name {
  /// draft-ietf-httpbis-resumable-upload
  static let uploadOffset = HTTPField.Name("Upload-Offset")!
}

extension RequestContext {
  /// The upload that the path names.
  func upload() throws -> UploadID {
    guard let id = UploadID(try text("id")) else {
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
