internal import Documents
internal import Foundation
internal import Hummingbird
internal import Leaflog

/// A form with a photo that was prepared on another machine: a field `photo` in JSON, and a file for each of its blobs.
struct PreparedForm {
  private let receiver: UploadReceiver
  private var parser: MultipartParser
  private var json: [UInt8] = []
  private var part: Part?
  /// The files received so far; the caller has to remove them.
  private(set) var files: [Upload] = []

  private enum Part { case photo, file(Upload), other }

  /// The limit for the field `photo`: notes of a million characters fit.
  private static let maxByteCount = 2 << 20
  /// More files than a photo has blobs.
  private static let maxFileCount = 4

  init(_ receiver: UploadReceiver, boundary: String) {
    self.receiver = receiver
    parser = MultipartParser(boundary: boundary)
  }

  /// Reads the whole body.
  mutating func read(_ body: RequestBody) async throws -> PreparedPhoto {
    do {
      for try await piece in body {
        for event in try parser.events(in: piece.readableBytesView) { try await take(event) }
      }
      try parser.finish()
    } catch let error as MultipartParser.Malformed { throw Problem(.badRequest, error.message) }
    do {
      guard try !JSONDecoder().decode(JSONValue.self, from: Data(json)).hasNUL else {
        throw BodyReader.textWithNUL
      }
      return try JSONDecoder().decode(PreparedPhoto.self, from: Data(json))
    } catch let error as DecodingError {
      throw BodyReader.refusal("“photo”: " + error.words(within: ""))
    }
  }

  private mutating func take(_ event: MultipartParser.Event) async throws {
    switch (event, part) {
    case (.begin(let headers), _):
      guard headers.fileName != nil else {
        part = headers.name == "photo" ? .photo : .other
        return
      }
      guard files.count < Self.maxFileCount else {
        throw Problem(.badRequest, "The form has more files than a photo can have.")
      }
      let upload = try await receiver.begin(UploadRequest(name: headers.name ?? ""))
      files.append(upload)
      part = .file(upload)
    case (.bytes(let bytes), .photo?):
      guard json.count + bytes.count <= Self.maxByteCount else {
        throw Problem(.contentTooLarge, "The field “photo” is too long.")
      }
      json += bytes
    case (.bytes(let bytes), .file(let upload)?):
      try await receiver.access.block { try bytes.withUnsafeBytes { try upload.append($0) } }
    case (.end, _): part = nil
    case (.bytes, .other?), (.bytes, nil): break
    }
  }
}
