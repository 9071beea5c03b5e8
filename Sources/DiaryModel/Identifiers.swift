package import Fields

/// An id that programs can keep: it is written as a text, from which it can be made again.
///
/// It is encoded as that text. Decoding another text throws `DecodingError.dataCorrupted`.
public protocol WrittenID: Hashable, Sendable, LosslessStringConvertible, Codable {}

extension WrittenID {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let id = Self(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "“\(shortened(text))” is not an id.")
    }
    self = id
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// The public name of something: 32 lower-case hexadecimal digits.
package protocol PublicID: WrittenID, WrittenValue {
  /// An id read back from storage.
  init(stored text: String)
}

extension PublicID {
  package init?(written text: String) { self.init(text) }
}

/// The public name of an entry: 32 lower-case hexadecimal digits.
///
/// A photo's is the first half of its source digest, so the same file has the same id in every
/// library and `sha256sum` finds it. Every other entry's is random.
public struct EntryID: PublicID {
  /// How many digits the text form has.
  public static let digitCount = 32

  public let description: String

  /// Takes 32 hexadecimal digits or a UUID; nil for anything else.
  public init?(_ text: String) {
    guard let digits = writtenID(text) else { return nil }
    description = digits
  }

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

  /// Takes 32 hexadecimal digits or a UUID; nil for anything else.
  public init?(_ text: String) {
    guard let digits = writtenID(text) else { return nil }
    description = digits
  }

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

  /// Takes 32 hexadecimal digits or a UUID; nil for anything else.
  public init?(_ text: String) {
    guard let digits = writtenID(text) else { return nil }
    description = digits
  }

  /// A new random id.
  public static func random() -> ActivityID { ActivityID(stored: randomDigits()) }

  package init(stored text: String) { description = text }
}

/// The public name of a factor: 32 random lower-case hexadecimal digits.
public struct FactorID: PublicID {
  public let description: String

  /// Takes 32 hexadecimal digits or a UUID; nil for anything else.
  public init?(_ text: String) {
    guard let digits = writtenID(text) else { return nil }
    description = digits
  }

  /// A new random id.
  public static func random() -> FactorID { FactorID(stored: randomDigits()) }

  package init(stored text: String) { description = text }
}

/// The public name of a quote: `b` or `g` and its number in the English or the German collection that comes with Leaflog,
/// or 32 random lower-case hexadecimal digits.
public struct QuoteID: PublicID {
  public let description: String

  /// Takes 32 hexadecimal digits, a UUID, or the id of a bundled quote; nil for anything else.
  public init?(_ text: String) {
    let isBundled =
      (text.hasPrefix("b") || text.hasPrefix(Quote.germanLetter))
      && (2...9).contains(text.utf8.count)
      && text.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
    guard let id = isBundled ? text : writtenID(text) else { return nil }
    description = id
  }

  /// A new random id.
  public static func random() -> QuoteID { QuoteID(stored: randomDigits()) }

  package init(stored text: String) { description = text }
}

/// The public name of an access token: 32 random lower-case hexadecimal digits. It is no secret.
public struct TokenID: PublicID {
  public let description: String

  /// Takes 32 hexadecimal digits or a UUID; nil for anything else.
  public init?(_ text: String) {
    guard let digits = writtenID(text) else { return nil }
    description = digits
  }

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
