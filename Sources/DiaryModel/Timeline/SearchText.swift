/// A name that a reader sees, such as that of a mood in their language, and the words by which the catalog has it.
package struct ShownName: Sendable, Hashable {
  package let shown: String
  package let stored: String

  package init(_ shown: String, stored: String) { (self.shown, self.stored) = (shown, stored) }
}

/// A parsed search text: words, all of which must match, each at the start of a word, and phrases in
/// double quotes, which must match literally.
package struct SearchText: Sendable, Hashable {
  package struct Term: Sendable, Hashable {
    package let text: String
    /// Whether it is whole words in this order, and not the start of a word.
    package let isPhrase: Bool
    /// The stored words of names that the reader sees and that match the term.
    package let stored: [String]
  }

  package let terms: [Term]

  /// An unclosed quote extends to the end. An asterisk at the end of a word is allowed and has no
  /// effect.
  ///
  /// - Parameter names: names of the reader's language, which are found by their words.
  package init(_ text: String, names: [ShownName] = []) {
    var terms: [Term] = []
    var isQuoted = false
    let names = names.map { (words: SearchWords.all(in: $0.shown), stored: $0.stored) }
    // SQLite ends the expression at the first NUL.
    let text = text.replacing("\0", with: " ")
    for part in text.split(separator: "\"", omittingEmptySubsequences: false) {
      let found =
        isQuoted ? [String(part)] : part.split(whereSeparator: \.isWhitespace).map { String($0) }
      terms += found.map { Term($0, isPhrase: isQuoted, names) }
      isQuoted.toggle()
    }
    // Only those in which the index's tokenizer finds anything: letters, digits or symbols.
    self.terms = terms.filter { !SearchWords.all(in: $0.text).isEmpty }
  }
}

extension SearchText.Term {
  fileprivate init(
    _ text: String, isPhrase: Bool, _ names: [(words: [String], stored: String)]
  ) {
    let wanted = SearchWords.all(in: text)
    let stored = names.filter { name in
      !wanted.isEmpty
        && name.words.indices.contains { start in
          let words = name.words[start...].prefix(wanted.count)
          guard let last = words.last, let end = wanted.last, words.count == wanted.count else {
            return false
          }
          return words.dropLast().elementsEqual(wanted.dropLast())
            && (isPhrase ? last == end : last.hasPrefix(end))
        }
    }
    self.init(text: text, isPhrase: isPhrase, stored: Array(Set(stored.map(\.stored))).sorted())
  }
}

extension SearchText {
  /// The text with each word that nothing matches replaced by the known word that was probably meant.
  ///
  /// - Parameters:
  ///   - names: known names, of which each word counts.
  ///   - isFound: whether anything matches a term.
  /// - Returns: nil when no word is replaced, or none is close to one of them.
  package func corrected(by names: [String], isFound: (Term) throws -> Bool) rethrows -> String? {
    var known: [String: String] = [:]
    for word in names.flatMap({ $0.split(whereSeparator: \.isWhitespace) }) {
      let folded = SearchWords.all(in: String(word)).joined()
      if folded.count > 2, known[folded] == nil { known[folded] = String(word) }
    }
    let folded = known.keys.sorted()
    var isChanged = false
    var corrected: [String] = []
    for term in terms {
      if try isFound(term) {
        corrected.append(term.isPhrase ? "\"\(term.text)\"" : term.text)
        continue
      }
      let typed = SearchWords.all(in: String(term.text.prefix(80))).joined()
      guard !term.isPhrase, let nearest = typed.nearest(in: folded), let word = known[nearest]
      else { return nil }
      isChanged = true
      corrected.append(word)
    }
    return isChanged ? corrected.joined(separator: " ") : nil
  }
}

extension String {
  /// The number of letters to insert, delete, replace or swap with their neighbour to turn this word into another
  /// (optimal string alignment).
  package func editDistance(to other: String) -> Int {
    let (left, right) = (Array(self), Array(other))
    var rows = [Array(0...right.count)]
    for i in 1..<(left.count + 1) {
      var row = [i]
      for j in 1..<(right.count + 1) {
        let isSame = left[i - 1] == right[j - 1]
        var least = Swift.min(
          rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + (isSame ? 0 : 1))
        if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
          least = Swift.min(least, rows[i - 2][j - 2] + 1)
        }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[left.count][right.count]
  }

  /// The word that was probably meant: one that starts with this text, or else the one with the smallest edit distance,
  /// if that is small for its length. Nil when none is close.
  package func nearest(in words: [String]) -> String? {
    let typed = lowercased()
    if typed.count > 2, let longer = words.first(where: { $0.hasPrefix(typed) }) { return longer }
    let distances = words.map { (word: $0, distance: typed.editDistance(to: $0)) }
    guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= Swift.max(1, Swift.min(typed.count, best.word.count) / 3)
      ? best.word : nil
  }
}
