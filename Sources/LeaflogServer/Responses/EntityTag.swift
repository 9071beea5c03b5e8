/// A strong entity tag (RFC 9110, 8.8.3): the digest of the bytes that it stands for.
package struct EntityTag: CustomStringConvertible, Sendable {
  /// The tag in quotes.
  package let description: String

  package init(digest: String) { description = "\"\(digest)\"" }

  /// Whether a list of tags contains it, or is `*`. Weak tags (`W/`) in the list count only if `weakly` is true.
  package func isIn(_ list: String, weakly: Bool) -> Bool {
    list.split(separator: ",").contains { item in
      var tag = item.trimmed
      if tag == "*" { return true }
      if tag.hasPrefix("W/") {
        guard weakly else { return false }
        tag = tag.dropFirst(2)
      }
      return tag == description[...]
    }
  }
}

extension Substring {
  /// The text without blanks at its ends.
  fileprivate var trimmed: Substring {
    let start = drop { $0 == " " || $0 == "\t" }
    guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
    return start[...last]
  }
}
