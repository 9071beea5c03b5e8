/// What somebody looks for: words, all of which have to be found, each at the start of a word, and
/// phrases in double quotes, which have to be found as they are.
package struct SearchText: Sendable, Hashable {
  package enum Term: Sendable, Hashable {
    /// The start of a word.
    case prefix(String)
    /// Whole words in this order.
    case phrase(String)
  }

  package let terms: [Term]

  /// A quote that is not closed goes to the end. A star at the end of a word says what is meant
  /// anyway.
  package init(_ text: String) {
    var terms: [Term] = []
    var isQuoted = false
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
  /// As the index's tokenizer sees it: letters, digits and symbols are what can be found.
  fileprivate var hasWord: Bool {
    let text =
      switch self {
      case .prefix(let text), .phrase(let text): text
      }
    return text.unicodeScalars.contains {
      switch $0.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
        .decimalNumber, .letterNumber, .otherNumber, .privateUse, .otherSymbol:
        true
      default: false
      }
    }
  }
}
