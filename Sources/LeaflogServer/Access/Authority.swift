/// The host and port of a request or an origin (RFC 3986, 3.2).
package struct Authority: Equatable, Sendable {
  /// In lower case; IPv6 addresses are in brackets.
  package let host: String
  package let port: Int?

  /// Parses a host and an optional port; nil when there is anything else, such as a user name.
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

  /// Parses the value of `Origin`, such as `https://plants.example:8443`; nil for `null` and for other schemes.
  package init?(origin: String) {
    guard let scheme = ["http://", "https://"].first(where: origin.lowercased().hasPrefix) else {
      return nil
    }
    self.init(String(origin.dropFirst(scheme.count)))
  }
}
