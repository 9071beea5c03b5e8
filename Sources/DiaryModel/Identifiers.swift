package import Fields

/// The public name of something: 32 lower-case hexadecimal digits.
package protocol PublicID: WrittenValue, Hashable {
  /// An id read back from storage.
  init(stored text: String)
}

extension PublicID {
  package init?(written text: String) {
    guard let id = writtenID(text) else { return nil }
    self.init(stored: id)
  }
}

/// The public name of an entry: 32 lower-case hexadecimal digits.
///
/// A photo's is the first half of its source digest, so the same file has the same id in every
/// library and `sha256sum` finds it. Every other entry's is random.
public struct EntryID: PublicID {
  /// How many digits the text form has.
  public static let digitCount = 32

  public let description: String

  /// The id of the photo whose imported bytes have this digest.
  public init(sourceDigest: BlobID) {
    description = String(sourceDigest.hex.prefix(Self.digitCount))
  }

  /// A new random id.
  public static func random() -> EntryID { EntryID(stored: randomDigits()) }

  /// An id read back from storage.
  package init(stored text: String) { description = text }

  /// The first digits, as people type them.
  public var short: String { String(description.prefix(8)) }
}

/// The public name of a plant: 32 random lower-case hexadecimal digits.
public struct PlantID: PublicID {
  public let description: String

  /// A new random id.
  public static func random() -> PlantID { PlantID(stored: randomDigits()) }

  package init(stored text: String) { description = text }
}

private func randomDigits() -> String {
  var text = ""
  for _ in 0..<2 {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    text += String(repeating: "0", count: 16 - digits.count) + digits
  }
  return text
}

/// The public name of an activity: 32 random lower-case hexadecimal digits.
public struct ActivityID: PublicID {
  public let description: String

  /// A new random id.
  public static func random() -> ActivityID { ActivityID(stored: randomDigits()) }

  package init(stored text: String) { description = text }
}

/// The public name of a factor: 32 random lower-case hexadecimal digits.
public struct FactorID: PublicID {
  public let description: String

  /// A new random id.
  public static func random() -> FactorID { FactorID(stored: randomDigits()) }

  package init(stored text: String) { description = text }
}

/// The public name of a quote: `b` and its number in the bundled collection, or 32 random lower-case
/// hexadecimal digits.
public struct QuoteID: Hashable, Sendable, CustomStringConvertible {
  public let description: String

  /// A new random id.
  public static func random() -> QuoteID { QuoteID(stored: randomDigits()) }

  package init(stored text: String) { description = text }
}

/// The public name of an access token: 32 random lower-case hexadecimal digits. It is no secret.
public struct TokenID: PublicID {
  public let description: String

  /// A new random id.
  public static func random() -> TokenID { TokenID(stored: randomDigits()) }

  package init(stored text: String) { description = text }
}

/// An id as people and other programs write it: 32 hexadecimal digits, or a UUID.
package func writtenID(_ text: String) -> String? {
  let digits = text.filter { $0 != "-" }.lowercased()
  guard digits.utf8.count == EntryID.digitCount,
    digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
  else { return nil }
  return digits
}

extension QuoteID: WrittenValue {
  package init?(written text: String) {
    let isBundled =
      text.hasPrefix("b") && (2...9).contains(text.utf8.count)
      && text.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
    guard let id = isBundled ? text : writtenID(text) else { return nil }
    self.init(stored: id)
  }
}

/// A token by which photos come.
package struct SenderToken: Sendable, Hashable {
  package let id: String
  package let name: String
  /// Whether it may do nothing but send.
  package let isSendOnly: Bool

  package init(id: String, name: String, isSendOnly: Bool) {
    (self.id, self.name, self.isSendOnly) = (id, name, isSendOnly)
  }
}
