internal import Crypto
internal import Foundation
package import Leaflog

/// A thing that two clients may edit, and whose versions they compare.
package protocol Versioned {
  /// The same while nothing of it that can be edited has changed.
  var version: String { get }
}

extension Versioned {
  /// SHA-256 of the version, in hexadecimal digits.
  package var versionDigest: String {
    SHA256.hash(data: Data(version.utf8)).map { String(format: "%02x", $0) }.joined()
  }
}

extension Entry: Versioned {
  package var version: String { JSON.line(EntryDocument(self)) }
}

extension Plant: Versioned {
  // Its photos come and go without anybody editing it.
  package var version: String {
    JSON.line([
      id.description, name, scientificName, location, notes, deletedAt.map { "\($0.milliseconds)" },
    ])
  }
}

extension Activity: Versioned {
  package var version: String {
    JSON.line([id.description, plant?.id.description, "\(rank)"]) + JSON.line(details)
  }
}
