internal import Foundation

/// The languages of the quotes that come with Leaflog.
package enum QuoteLanguage: Sendable {
  case english, german

  /// - Parameter code: the language of a page, such as `de`.
  package init(_ code: String) { self = code == "de" ? .german : .english }

  var bundled: BundledQuotes { self == .german ? .german : .english }
}

/// A collection that comes with Leaflog.
struct BundledQuotes {
  /// The letter that begins its quotes' ids; the number of the line follows, counted from 1.
  private let letter: String
  private let lines: [Substring.UTF8View]

  static let english = BundledQuotes(letter: "b", EnglishQuotes.text)
  static let german = BundledQuotes(letter: Quote.germanLetter, GermanQuotes.text)

  private init(letter: String, _ text: String) {
    self.letter = letter
    // Split as bytes: looking for characters takes as long as all the rest of a command.
    lines = text.utf8.split(separator: UInt8(ascii: "\n"))
  }

  var count: Int { lines.count }

  /// The quote with a number, 1 to `count`.
  func quote(_ number: Int) -> Quote {
    let fields = lines[number - 1].split(separator: UInt8(ascii: "\t")).map {
      String(Substring($0))
    }
    precondition(fields.count == 3, "a line has a text, an author and a source")
    return Quote(
      id: QuoteID(stored: "\(letter)\(number)"), text: fields[0], author: fields[1],
      source: fields[2], origin: .bundled)
  }

  /// All quotes, in order.
  var all: [Quote] { (1...count).map(quote) }

  /// The quote with this complete id, regardless of case; nil when no collection has it.
  static func find(_ id: String) -> Quote? {
    [english, german].lazy.compactMap { collection in
      guard id.prefix(1).lowercased() == collection.letter, let number = Int(id.dropFirst()),
        "\(number)" == id.dropFirst(), (1...collection.count).contains(number)
      else { return nil }
      return collection.quote(number)
    }.first
  }
}
