/// The host and the port that a request or a page is from (RFC 3986, 3.2).
package struct Authority: Equatable, Sendable {
  /// In lower case; an address of version 6 is in brackets.
  package let host: String
  package let port: Int?

  /// Nil when there is something else in it, such as a user's name.
  package init?(_ text: String) {
    let text = text.lowercased()
    let end =
      text.hasPrefix("[")
      ? text.firstIndex(of: "]").map { text.index(after: $0) }
      : text.firstIndex(of: ":") ?? text.endIndex
    guard let end, end > text.startIndex else { return nil }
    host = String(text[..<end])
    let rest = text[end...]
    guard !rest.isEmpty else {
      port = nil
      return
    }
    guard rest.hasPrefix(":"), rest.dropFirst().utf8.allSatisfy({ (48...57).contains($0) }),
      let number = UInt16(rest.dropFirst())
    else { return nil }
    port = Int(number)
  }

  /// Of the value of `Origin`: `https://plants.example:8443`. Nil for `null`, and for pages that are not from HTTP.
  package init?(origin: String) {
    guard let scheme = ["http://", "https://"].first(where: origin.lowercased().hasPrefix) else {
      return nil
    }
    self.init(String(origin.dropFirst(scheme.count)))
  }
}
