/// Text for browsers in which the addresses get the path below which the service is offered. Templates and code write all
/// addresses from the root of the service, as in `href="/timeline"`.
package enum BasedText {
  /// A format in which addresses are recognised.
  package enum Kind: Sendable {
    case html, manifest

    /// Nil for formats without addresses.
    package init?(mediaType: String) {
      if mediaType.hasPrefix("text/html") {
        self = .html
      } else if mediaType.hasPrefix("application/manifest+json") {
        self = .manifest
      } else {
        return nil
      }
    }

    /// The bytes between a name and an address.
    fileprivate var sign: [UInt8] { Array((self == .html ? "=\"" : "\": \"").utf8) }
  }

  /// The attributes whose values browsers or scripts use as addresses. Paths in others go back to the service, which
  /// takes them as they are.
  package static let attributes: Set<String> = [
    "action", "data-assets", "data-film", "data-ids", "data-live", "data-original", "data-root",
    "data-share-file", "data-url", "formaction", "href", "poster", "src",
  ]

  private static let names = Set(attributes.map { Array($0.utf8) })

  /// Adds the base to each address that begins with one slash. Text of the diary cannot look like one: a quotation mark
  /// in it is escaped.
  ///
  /// - Parameter base: begins with a slash and does not end with one.
  package static func adding(_ base: String, to text: [UInt8], _ kind: Kind) -> [UInt8] {
    let (base, sign, slash) = (Array(base.utf8), kind.sign, UInt8(ascii: "/"))
    var based: [UInt8] = []
    based.reserveCapacity(text.count + text.count / 8)
    var copied = 0
    var index = sign.count
    while index < text.count {
      defer { index += 1 }
      guard text[index] == slash, text[index - sign.count..<index].elementsEqual(sign),
        index + 1 == text.count || text[index + 1] != slash,
        kind == .manifest || isAddress(text, before: index - sign.count)
      else { continue }
      based += text[copied..<index]
      based += base
      copied = index
    }
    return based + text[copied...]
  }

  /// Whether the name of an attribute with an address ends there.
  private static func isAddress(_ text: [UInt8], before end: Int) -> Bool {
    var start = end
    while start > 0, text[start - 1] != UInt8(ascii: " "), text[start - 1] != UInt8(ascii: "\n") {
      start -= 1
    }
    return names.contains(Array(text[start..<end]))
  }
}
