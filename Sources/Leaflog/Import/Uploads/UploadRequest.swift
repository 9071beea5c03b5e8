public import Foundation

/// A photo that is going to be sent: its file, and what its sender says about it.
public struct UploadRequest: Sendable, Hashable {
  /// The file's name, without folders.
  public var name: String
  /// The size of the whole file in bytes, where it is known.
  public var byteCount: Int?
  /// The SHA-256 of the whole file, where it is known; a file with another one is refused.
  public var digest: BlobID?
  /// When the file was modified last, which is the date of a photo that says none.
  public var modifiedAt: Timestamp?
  /// The name of its plant; nil takes the one that the file says.
  public var plant: String?
  /// Notes for a photo that has none.
  public var note: String?
  /// The capture time, set by hand; nil means as the photo says.
  public var time: RecordedTime?
  /// The zone of a wall time that comes without an offset; nil leaves it without.
  public var assumedTimeZone: TimeZone?
  /// Photos that are sent with the same text here are one change.
  public var batch: String?

  public init(name: String) { self.name = name }

  /// The options of its import.
  var importRequest: ImportRequest {
    var request = ImportRequest(paths: [])
    if let plant { request.plant = .named(plant) }
    request.note = note
    request.time = time
    request.assumedTimeZone = assumedTimeZone
    request.jobCount = 1
    return request
  }
}

extension UploadRequest: Codable {
  private enum Key: CodingKey {
    case name, byteCount, sha256, modifiedAt, plant, note, at, timeZone, batch
  }

  /// - Throws: `DecodingError` for values that are none; a size of less than nothing is one.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    func value<Value>(_ key: Key, like example: String, _ read: (String) -> Value?) throws -> Value?
    {
      guard let text = try object.decodeIfPresent(String.self, forKey: key) else { return nil }
      guard let value = read(text) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: object, debugDescription: "it takes a value such as \(example)")
      }
      return value
    }
    name = try object.decode(String.self, forKey: .name)
    byteCount = try object.decodeIfPresent(Int.self, forKey: .byteCount)
    if let byteCount, byteCount < 0 {
      throw DecodingError.dataCorruptedError(
        forKey: .byteCount, in: object, debugDescription: "a file has at least 0 bytes")
    }
    digest = try value(.sha256, like: "the 64 digits of sha256sum") { BlobID(hex: $0) }
    modifiedAt = try value(.modifiedAt, like: "2026-03-01T09:30:00Z") { text in
      RecordedTime(text).flatMap {
        if case .zoned = $0 { EntryTime($0, in: .gmt).instant } else { nil }
      }
    }
    plant = try object.decodeIfPresent(String.self, forKey: .plant)
    note = try object.decodeIfPresent(String.self, forKey: .note)
    time = try value(.at, like: "2026-03-01T09:30") { RecordedTime($0) }
    assumedTimeZone = try value(.timeZone, like: "Europe/Berlin") { TimeZone(identifier: $0) }
    batch = try object.decodeIfPresent(String.self, forKey: .batch)
  }

  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(name, forKey: .name)
    try object.encodeIfPresent(byteCount, forKey: .byteCount)
    try object.encodeIfPresent(digest?.hex, forKey: .sha256)
    try object.encodeIfPresent(
      modifiedAt.map { RecordedTime.instant($0).iso8601 }, forKey: .modifiedAt)
    try object.encodeIfPresent(plant, forKey: .plant)
    try object.encodeIfPresent(note, forKey: .note)
    try object.encodeIfPresent(time?.iso8601, forKey: .at)
    try object.encodeIfPresent(assumedTimeZone?.identifier, forKey: .timeZone)
    try object.encodeIfPresent(batch, forKey: .batch)
  }
}
