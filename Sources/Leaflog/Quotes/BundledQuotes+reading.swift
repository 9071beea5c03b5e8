/// The collection as quotes. Their ids are `b` and the number of the line, counted from 1.
extension BundledQuotes {
  // Split as bytes: looking for characters takes as long as all the rest of a command.
  private static let lines = text.utf8.split(separator: UInt8(ascii: "\n"))

  static var count: Int { lines.count }

  /// The quote with a number, 1 to `count`.
  static func quote(_ number: Int) -> Quote {
    let fields = lines[number - 1].split(separator: UInt8(ascii: "\t")).map {
      String(Substring($0))
    }
    precondition(fields.count == 3, "a line has a text, an author and a source")
    return Quote(
      id: QuoteID(stored: "b\(number)"), text: fields[0], author: fields[1], source: fields[2],
      origin: .bundled)
  }

  /// The number in an id; nil when it is not one of the collection's.
  static func number(of id: String) -> Int? {
    guard id.first == "b" || id.first == "B", let number = Int(id.dropFirst()),
      "\(number)" == id.dropFirst(), (1...count).contains(number)
    else { return nil }
    return number
  }

  /// All quotes, in order.
  static var all: [Quote] { (1...count).map(quote) }
}
