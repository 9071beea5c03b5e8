internal import HTTPTypes
internal import Hummingbird
internal import Leaflog

/// A strong entity tag (RFC 9110, 8.8.3): the digest of the bytes that it stands for, or of all that they depend on.
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

extension Request {
  /// Whether a client that reads something already has its present version, so that the answer is 304 (RFC 9110, 13.2.2).
  ///
  /// - Throws: `LeaflogError` with code `changed` when it wants a version that is no longer present.
  func isCurrent(_ tag: EntityTag) throws -> Bool {
    let condition = try VersionCondition(self)
    if let list = condition.wanted, !tag.isIn(list, weakly: false) {
      throw LeaflogError(.changed, "It has been changed since it was read.")
    }
    return condition.unwanted.map { tag.isIn($0, weakly: true) } ?? false
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
