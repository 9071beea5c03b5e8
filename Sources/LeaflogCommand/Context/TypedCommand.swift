/// The command as typed, for the history of changes.
enum TypedCommand {
  private static let maxLength = 500

  /// The words after `leaflog`, quoted for a shell where they need it; nil when there are none.
  static func text(_ arguments: [String]) -> String? {
    let text = words(arguments[...]).map(quoted).joined(separator: " ")
    guard text.count > maxLength else { return text.isEmpty ? nil : text }
    return String(text.prefix(maxLength - 1)) + "…"
  }

  /// The words without the global options: where the library is, what to print, whether to ask.
  private static func words(_ arguments: ArraySlice<String>) -> [String] {
    var rest = arguments
    var words: [String] = []
    while let word = rest.popFirst() {
      if word == "--" { return words + [word] + rest }
      if word == "--library" {
        rest = rest.dropFirst()
      } else if !isGlobal(word) {
        words.append(word)
      }
    }
    return words
  }

  private static func isGlobal(_ word: String) -> Bool {
    if GlobalOptions.flags.contains(word) || word.hasPrefix("--library=") { return true }
    // Short flags may be joined.
    return word.count > 1 && word.first == "-" && word.dropFirst().allSatisfy { "qy".contains($0) }
  }

  /// The word in single quotes, unless a shell would take it literally.
  private static func quoted(_ word: String) -> String {
    let isPlain = word.allSatisfy { $0.isLetter || $0.isNumber || "@%_+=:,./-".contains($0) }
    return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: #"'\''"#) + "'"
  }
}
