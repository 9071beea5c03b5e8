internal import Hummingbird
internal import Leaflog
internal import NIOCore

/// Writes incoming bodies into uploads as they arrive.
struct UploadReceiver: Sendable {
  let access: LibraryAccess

  /// Begins an upload, which ends with its request unless it is kept.
  func begin(_ request: UploadRequest, isKept: Bool = false) async throws -> Upload {
    try await access.write { try $0.uploads.begin(request, isKept: isKept) }
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
      let (outcome, change) = try await access.take(upload, origin: origin)
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

/// The files of a form, each with the fields that precede it.
struct FormReceiver {
  private let receiver: UploadReceiver
  private let origin: String
  private var parser: MultipartParser
  private(set) var fields: [String: String]
  private var part: Part?
  private(set) var taken: [UploadReceiver.Taken] = []
  /// Whether the fields apply to all files, wherever they are in the form: the files wait until the form has been read.
  private let isOfPage: Bool
  private var waiting: [Upload] = []

  private enum Part {
    case field(String, [UInt8])
    case file(Upload)
  }

  /// The limit for a field that is not a file, in bytes.
  private static let maxFieldByteCount = 65_536

  init(
    _ receiver: UploadReceiver, boundary: String, fields: [String: String], origin: String,
    isOfPage: Bool = false
  ) {
    (self.receiver, self.fields, self.origin) = (receiver, fields, origin)
    self.isOfPage = isOfPage
    parser = MultipartParser(boundary: boundary)
  }

  /// Reads the whole body. A file that was imported stays imported when a later one is cut off.
  mutating func read(_ body: RequestBody) async throws {
    do {
      for try await piece in body {
        for event in try parser.events(in: piece.readableBytesView) { try await take(event) }
      }
      try parser.finish()
    } catch {
      if case .file(let upload)? = part { waiting.append(upload) }
      for upload in waiting { try await receiver.remove(upload) }
      waiting = []
      guard let malformed = error as? MultipartParser.Malformed else { throw error }
      throw Problem(.badRequest, malformed.message)
    }
  }

  /// Imports the files of a page's form, once all its fields are known.
  ///
  /// - Parameter saying: translates the form's fields into those of an upload.
  mutating func takeWaiting(_ saying: ([String: String]) -> [String: String]) async throws {
    let fields = saying(fields)
    do {
      while let upload = waiting.first {
        // Browsers send an empty file without a name when none was chosen.
        if upload.byteCount == 0 {
          try await receiver.remove(upload)
        } else {
          let said = try UploadRequest(fields: fields, fileName: upload.request.name)
          let request = try await receiver.access.read { try $0.uploads.named(said) }
          taken.append(try await receiver.take(upload.saying(request), origin: origin))
        }
        waiting.removeFirst()
      }
    } catch {
      for upload in waiting { try await receiver.remove(upload) }
      throw error
    }
  }

  private mutating func take(_ event: MultipartParser.Event) async throws {
    switch (event, part) {
    case (.begin(let headers), _):
      guard let name = headers.fileName else {
        part = .field(headers.name ?? "", [])
        return
      }
      part = .file(
        try await receiver.begin(UploadRequest(fields: isOfPage ? [:] : fields, fileName: name)))
    case (.bytes(let bytes), .field(let name, let value)?):
      guard value.count + bytes.count <= Self.maxFieldByteCount else {
        throw Problem(.contentTooLarge, "The field “\(name)” is too long.")
      }
      part = .field(name, value + bytes)
    case (.bytes(let bytes), .file(let upload)?):
      try await receiver.access.block { try bytes.withUnsafeBytes { try upload.append($0) } }
    case (.end, .field(let name, let value)?):
      // Browsers send every field of a form, even empty ones.
      fields[name] = value.isEmpty ? nil : String(decoding: value, as: UTF8.self)
      part = nil
    case (.end, .file(let upload)?) where isOfPage:
      part = nil
      waiting.append(upload)
    case (.end, .file(let upload)?):
      part = nil
      taken.append(try await receiver.take(upload, origin: origin))
    case (.bytes, nil), (.end, nil): break
    }
  }
}
