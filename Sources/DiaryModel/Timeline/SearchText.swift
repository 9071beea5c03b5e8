/// A parsed search text: words, all of which must match, each at the start of a word, and phrases in
/// double quotes, which must match literally.
package struct SearchText: Sendable, Hashable {
  package enum Term: Sendable, Hashable {
    /// The start of a word.
    case prefix(String)
    /// Whole words in this order.
    case phrase(String)
  }

  package let terms: [Term]

  /// An unclosed quote extends to the end. An asterisk at the end of a word is allowed and has no
  /// effect.
  package init(_ text: String) {
    var terms: [Term] = []
    var isQuoted = false
    // SQLite ends the expression at the first NUL.
    let text = text.replacing("\0", with: " ")
    for part in text.split(separator: "\"", omittingEmptySubsequences: false) {
      if isQuoted {
        terms.append(.phrase(String(part)))
      } else {
        terms += part.split(whereSeparator: \.isWhitespace).map { .prefix(String($0)) }
      }
      isQuoted.toggle()
    }
    self.terms = terms.filter(\.hasWord)
  }
}

extension SearchText.Term {
  /// Whether the index's tokenizer finds anything in it: letters, digits or symbols.
  fileprivate var hasWord: Bool {
    switch self {
    case .prefix(let text), .phrase(let text): !SearchWords.all(in: text).isEmpty
    }
  }
}
