internal import Documents
internal import Foundation
internal import Hashing
internal import Leaflog

/// A thing that two clients may edit, and whose versions they compare.
protocol Versioned {
  /// The same while nothing of it that can be edited has changed.
  var version: String { get }
}

extension Entry: Versioned {
  var version: String { JSON.line(EntryDocument(self)) }
}

extension Plant: Versioned {
  // Its photos come and go without anybody editing it.
  var version: String {
    JSON.line([
      id.description, name, scientificName, location, notes, deletedAt.map { "\($0.milliseconds)" },
    ])
  }
}

extension Activity: Versioned {
  var version: String {
    JSON.line([id.description, plant?.id.description, "\(rank)"]) + JSON.line(details)
  }
}

extension EntityTag {
  /// The tag of a thing's version, for `ETag` and `If-Match` (RFC 9110, 13.1.1).
  init(version thing: some Versioned) {
    self.init(digest: SHA256.hexDigits(of: Array(thing.version.utf8)))
  }
}

extension SHA256 {
  /// 64 lower-case hexadecimal digits.
  static func hexDigits(of bytes: [UInt8]) -> String {
    bytes.withUnsafeBytes { BlobID(bytes: hash($0))?.hex ?? "" }
  }
}
