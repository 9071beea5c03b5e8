internal import Crypto
internal import Fields
internal import Foundation
package import Leaflog

/// A thing that several clients may edit, which detect conflicts by its version.
package protocol Versioned {
  /// A text that stays the same as long as nothing editable changes.
  var version: String { get }
}

extension Versioned {
  /// SHA-256 of the version, in hexadecimal digits.
  package var versionDigest: String {
    SHA256.hash(data: Data(version.utf8)).map { String(format: "%02x", $0) }.joined()
  }
}

extension Entry: Versioned {
  package var version: String { JSON.line(self) }
}

extension Plant: Versioned {
  // Photos are left out: they come and go without the plant being edited.
  package var version: String {
    JSON.line([
      id.description, name, scientificName, location, notes, deletedAt.map { "\($0.milliseconds)" },
    ])
  }
}

extension Activity: Versioned {
  package var version: String {
    JSON.line([id.description, plant?.id.description, "\(rank)"]) + JSON.line(Encoded(details))
  }
}
