internal import DiaryModel

/// Finds words in quotes, as `search` does in entries.
struct QuoteSearch {
  /// Consecutive words that have to match; the last word of a term that is not a phrase is a prefix.
  private let terms: [(words: [String], isPhrase: Bool)]

  init(_ text: String) {
    terms = SearchText(text).terms.map { term in
      switch term {
      case .prefix(let text): (Self.words(text), false)
      case .phrase(let text): (Self.words(text), true)
      }
    }.filter { !$0.words.isEmpty }
  }

  /// Whether all terms match its text, author or source.
  func fits(_ quote: Quote) -> Bool {
    let fields = [quote.text, quote.author, quote.source].compactMap { $0 }.map(Self.words)
    return terms.allSatisfy { term in
      fields.contains { Self.found(term.words, isPhrase: term.isPhrase, in: $0) }
    }
  }

  private static func found(_ words: [String], isPhrase: Bool, in text: [String]) -> Bool {
    guard let last = words.last, text.count >= words.count else { return false }
    return (0...(text.count - words.count)).contains { start in
      let place = text[start..<(start + words.count)]
      return place.dropLast().elementsEqual(words.dropLast())
        && (isPhrase ? place.last == last : place.last?.hasPrefix(last) == true)
    }
  }

  private static func words(_ text: String) -> [String] { SearchWords.all(in: text) }
}
