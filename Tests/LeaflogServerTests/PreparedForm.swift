import BlobStorage
import DiaryModel
import Foundation
import TestSupport

/// The form of a prepared photo: a picture that is its own original and its own thumbnail.
struct PreparedForm {
  var fields: [String: Any]
  var files: [[UInt8]]
  /// The SHA-256 that is said of the file.
  let digest: String

  init() throws {
    // A JPEG of 1200 by 900 pixels.
    let bytes = try Array(Fixtures.data("Photos/basil/20250510T120006+0100.jpg"))
    let own = bytes.withUnsafeBytes { BlobID(hashing: $0) }.hex
    digest = own
    func rendition(_ role: String) -> [String: Any] {
      [
        "role": role, "sha256": own, "byteCount": bytes.count, "mediaType": "image/jpeg",
        "width": 1200, "height": 900, "recipe": "exact",
      ]
    }
    fields = [
      "name": "a.jpg", "byteCount": bytes.count, "mediaType": "image/jpeg", "width": 1200,
      "height": 900, "captureSource": "exif", "placeholder": "AAAA", "warnings": [String](),
      "time": ["instant": 1_746_871_206_000, "offset": 7200, "basis": "zoned"],
      "renditions": [rendition("original"), rendition("thumbnail")], "readmits": true,
    ]
    files = [bytes]
  }

  static let mediaType = "Content-Type: multipart/form-data; boundary=b"

  var body: [UInt8] {
    get throws {
      var body = Array("--b\r\nContent-Disposition: form-data; name=\"photo\"\r\n\r\n".utf8)
      body += try JSONSerialization.data(withJSONObject: fields)
      for (number, file) in files.enumerated() {
        let head =
          "\r\n--b\r\nContent-Disposition: form-data; name=\"\(number)\"; filename=\"\(number)\""
        body += Array("\(head)\r\n\r\n".utf8) + file
      }
      return body + Array("\r\n--b--\r\n".utf8)
    }
  }

  /// - Parameter headers: further headers, such as that with the token.
  func send(to server: RunningServer, _ headers: [String] = []) async throws -> Answer {
    try await server.answer(
      "PUT", "/api/v1/sources/\(digest)", headers + [Self.mediaType], body: body)
  }
}
