internal import Fields
internal import Foundation
internal import Hummingbird
internal import Leaflog

/// The files of a form with the fields that describe them. The files wait until the form has been read, since a field
/// may stand behind a file.
struct FormReceiver {
  private let receiver: UploadReceiver
  private let origin: String
  private var parser: MultipartParser
  private var part: Part?
  private var named: [Field] = []
  private var waiting: [Upload] = []
  private(set) var taken: [UploadReceiver.Taken] = []

  private enum Part {
    case field(String, [UInt8])
    case file(Upload)
  }

  /// A field with its value; nil for an empty one, as browsers send every field of a form.
  private struct Field {
    let name: String
    let value: String?
    /// The number of files before it.
    let fileCount: Int
  }

  /// The limit for a field that is not a file, in bytes.
  private static let maxFieldByteCount = 65_536

  init(_ receiver: UploadReceiver, boundary: String, origin: String) {
    (self.receiver, self.origin) = (receiver, origin)
    parser = MultipartParser(boundary: boundary)
  }

  /// The last value of each field.
  var fields: [String: String] {
    named.reduce(into: [:]) { fields, field in fields[field.name] = field.value }
  }

  /// Reads the whole body.
  ///
  /// - Parameter share: the memory for its fields.
  mutating func read(_ body: RequestBody, _ share: BodyShare) async throws {
    do {
      for try await piece in body {
        for event in try parser.events(in: piece.readableBytesView) {
          try await take(event, share)
        }
      }
      try parser.finish()
    } catch {
      if case .file(let upload)? = part { waiting.append(upload) }
      try await removeWaiting()
      guard let malformed = error as? MultipartParser.Malformed else { throw error }
      throw Problem(.badRequest, malformed.message)
    }
  }

  /// Imports the files, each with the fields that describe it, over those of the query.
  mutating func takeFiles(over query: [String: String]) async throws {
    try await importWaiting { form, index in
      try query.merging(form.fields(ofFile: index)) { $1 }
    }
  }

  /// Imports the files of a page's form, all with the same fields. An empty file is none: browsers send one without a
  /// name when none was chosen.
  ///
  /// - Parameter translate: makes the fields of an upload of those of the page.
  mutating func takePage(_ translate: ([String: String]) -> [String: String]) async throws {
    let fields = translate(fields)
    while let index = waiting.firstIndex(where: { $0.byteCount == 0 }) {
      try await receiver.remove(waiting.remove(at: index))
    }
    try await importWaiting { _, _ in fields }
  }

  /// - Parameter fields: the fields of a file, by its place in the form.
  private mutating func importWaiting(
    _ fields: (Self, Int) throws -> [String: String]
  ) async throws {
    do {
      // All are understood before the first is imported.
      let uploads = try waiting.enumerated().map { index, upload in
        let described = try UploadRequest(
          fields: fields(self, index), fileName: upload.request.name)
        return (upload, described)
      }
      for (upload, described) in uploads {
        let request = try await receiver.access.read { try $0.uploads.named(described) }
        taken.append(try await receiver.take(upload.with(request), origin: origin))
        waiting.removeFirst()
      }
    } catch {
      try await removeWaiting()
      throw error
    }
  }

  /// The fields of a file. One that the form has once is that of all files; of one that it has several times, each value
  /// is that of the files behind it, up to the next.
  private func fields(ofFile index: Int) throws -> [String: String] {
    try Dictionary(grouping: named, by: \.name).compactMapValues { all in
      guard all.count > 1 else { return all[0].value }
      guard let last = all.last(where: { $0.fileCount <= index }) else {
        throw Problem(
          .badRequest,
          "The form has several fields “\(all[0].name)”, and a file that none of them precedes.")
      }
      return last.value
    }
  }

  private mutating func removeWaiting() async throws {
    while let upload = waiting.popLast() { try await receiver.remove(upload) }
  }

  private mutating func take(_ event: MultipartParser.Event, _ share: BodyShare) async throws {
    switch (event, part) {
    case (.begin(let headers), _):
      if let name = headers.fileName {
        part = .file(try await receiver.begin(UploadRequest(fields: [:], fileName: name)))
      } else if headers.isPicture {
        throw Problem(
          .badRequest, "The part “\(headers.name ?? "")” is a picture without a “filename”.")
      } else {
        part = .field(headers.name ?? "", [])
      }
    case (.bytes(let bytes), .field(let name, let value)?):
      guard value.count + bytes.count <= Self.maxFieldByteCount else {
        throw Problem(.contentTooLarge, "The field “\(name)” is too long.")
      }
      try share.take(bytes.count)
      part = .field(name, value + bytes)
    case (.bytes(let bytes), .file(let upload)?):
      try await receiver.access.block { try bytes.withUnsafeBytes { try upload.append($0) } }
    case (.end, .field(let name, let value)?):
      named.append(
        Field(
          name: name, value: value.isEmpty ? nil : String(decoding: value, as: UTF8.self),
          fileCount: waiting.count))
      part = nil
    case (.end, .file(let upload)?):
      part = nil
      waiting.append(upload)
    case (.bytes, nil), (.end, nil): break
    }
  }
}

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
  ///
  /// - Parameter share: the memory for the field.
  mutating func read(_ body: RequestBody, _ share: BodyShare) async throws -> PreparedPhoto {
    do {
      for try await piece in body {
        for event in try parser.events(in: piece.readableBytesView) {
          try await take(event, share)
        }
      }
      try parser.finish()
    } catch let error as MultipartParser.Malformed { throw Problem(.badRequest, error.message) }
    do throws(JSONFailure) { _ = try JSONNode(parsing: json) } catch {
      throw BodyReader.refusal("“photo” is not JSON that can be read: \(error.reason)")
    }
    do { return try JSONDecoder().decode(PreparedPhoto.self, from: Data(json)) } catch let error
      as DecodingError
    {
      throw BodyReader.refusal("“photo” is no prepared photo: \(error)")
    }
  }

  private mutating func take(_ event: MultipartParser.Event, _ share: BodyShare) async throws {
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
      try share.take(bytes.count)
      json += bytes
    case (.bytes(let bytes), .file(let upload)?):
      try await receiver.access.block { try bytes.withUnsafeBytes { try upload.append($0) } }
    case (.end, _): part = nil
    case (.bytes, .other?), (.bytes, nil): break
    }
  }
}
