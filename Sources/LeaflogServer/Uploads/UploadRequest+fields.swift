internal import Documents
internal import Foundation
internal import Leaflog

extension UploadRequest {
  /// The fields by which a sender describes a photo, in a query or a form.
  static let fieldNames = [
    "plant", "note", "at", "timeZone", "batch", "modifiedAt", "sha256",
  ]

  /// - Parameters:
  ///   - fields: the values by field name.
  ///   - fileName: the file's name, without folders.
  init(fields: [String: String], fileName: String) throws {
    for name in fields.keys.sorted() where !Self.fieldNames.contains(name) {
      throw BodyReader.refusal("Unknown field “\(name)”.")
    }
    var object: [String: JSONValue] = ["name": .string(fileName.isEmpty ? "photo" : fileName)]
    for (name, text) in fields { object[name] = .string(text) }
    try self.init(json: .object(object))
  }

  /// - Throws: `Problem` for a field that cannot be read.
  init(json: JSONValue) throws {
    guard !json.hasNUL else { throw BodyReader.textWithNUL }
    do { self = try JSONDecoder().decode(Self.self, from: JSONEncoder().encode(json)) } catch let
      error as DecodingError
    {
      throw BodyReader.refusal(error.words(within: ""))
    }
    name = String(name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? "photo")
  }
}
