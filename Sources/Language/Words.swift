package import DiaryModel
internal import Foundation

/// The words of pages and reports in one language: a catalog of keys and texts, `Words/LANGUAGE.json`.
package struct Words: Sendable {
  /// The language's code, for HTML's `lang`: `de`.
  package let language: String
  /// The texts by key.
  package let texts: [String: String]
  /// The catalog's name: that of its language, or `en-XA`.
  package let name: String

  /// The languages with a catalog; the first is the fallback.
  package static let languages = ["en", "de"]

  private static let catalogs = languages.map { language in
    guard case .text(let json)? = EmbeddedFiles.file("Words/\(language).json"),
      let texts = try? JSONDecoder().decode([String: String].self, from: Data(json.utf8))
    else { preconditionFailure("the catalog of \(language) is a part of the program") }
    return Words(language: language, texts: texts)
  }

  /// Whether the library's own messages are in this language.
  package var isEnglish: Bool { language == Self.standard.language }

  private init(language: String, name: String? = nil, texts: [String: String]) {
    (self.language, self.name, self.texts) = (language, name ?? language, texts)
  }

  /// All catalogs, with that of the pseudo-language.
  package static var all: [Words] { catalogs + [pseudo] }

  /// The catalog of a language; nil when there is none.
  package static func of(_ language: String) -> Words? {
    catalogs.first { $0.language == language }
  }

  package static var standard: Words { catalogs[0] }

  /// A pseudo-language, requested as `en-XA`: English with accents, in brackets, and two fifths longer. Texts that are
  /// cut off or missing from the catalog stand out at once.
  private static let pseudo = Words(
    language: "en", name: "en-XA", texts: standard.texts.mapValues(\.withAccentsAndLonger))

  /// The first available catalog for some languages, and the matching tag.
  ///
  /// - Parameter languages: language tags, such as `de-AT`, most preferred first.
  package static func best(of languages: [String]) -> (words: Words, tag: String)? {
    languages.lazy.compactMap { tag in
      if tag.lowercased() == "en-xa" { return (pseudo, "en") }
      return of(String(tag.prefix { $0 != "-" }).lowercased()).map { ($0, tag) }
    }.first
  }

  /// The text of a key, which a test requires in every catalog; otherwise the key itself.
  package subscript(key: String) -> String { texts[key] ?? key }

  /// The text of a key; nil where the catalog has none.
  package func optional(_ key: String) -> String? { texts[key] }

  /// An error's own sentence, which is English; in other languages, the meaning of its code. The English catalog has
  /// these meanings for translators alone.
  ///
  /// - Parameter key: the key of the code's meaning: `refusal.locked`.
  package func problem(_ sentence: @autoclosure () -> String?, of key: String) -> String? {
    isEnglish ? sentence() : texts[key]
  }

  /// The meanings of codes of refusals and failures by their keys, as a JSON object.
  package var reasons: String {
    let meanings = texts.filter { $0.key.hasPrefix("refusal.") || $0.key.hasPrefix("failure.") }
    let json = try? JSONSerialization.data(withJSONObject: meanings, options: .sortedKeys)
    return json.map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  /// A text with its parameters, given in braces, filled in. Braces in a value are text.
  package func text(_ key: String, _ values: KeyValuePairs<String, String>) -> String {
    text(key) { name in values.first { $0.key == name }?.value }
  }

  /// A text with its parameters filled in.
  ///
  /// - Parameter value: returns the value of a parameter; nil for an unknown one.
  package func text(_ key: String, value: (Substring) -> String?) -> String {
    var (text, rest) = ("", self[key][...])
    while let start = rest.utf8.firstIndex(of: UInt8(ascii: "{")),
      let end = rest[start...].utf8.firstIndex(of: UInt8(ascii: "}"))
    {
      let name = rest[rest.utf8.index(after: start)..<end]
      let next = rest.utf8.index(after: end)
      text += rest[..<start]
      text += value(name).map { $0[...] } ?? rest[start..<next]
      rest = rest[next...]
    }
    return text + rest
  }

  /// A text for a number: `KEY.one` or `KEY.other`, by the plural rules of the language (CLDR: in these languages,
  /// `one` is for 1 only).
  package func plural(_ key: String, _ count: Int, as number: String? = nil) -> String {
    text(Self.key(key, for: count), ["count": number ?? "\(count)"])
  }

  /// The key of the form of a text for a number.
  package static func key(_ key: String, for count: Int) -> String {
    "\(key).\(count == 1 ? "one" : "other")"
  }
}

extension Words {
  /// The names of moods, illnesses, their symptoms, and the steps of the standard scale, which the catalog has in
  /// English.
  package var shownNames: [ShownName] {
    Mood.allCases.map { name("mood.\($0.rawValue)", $0.words) }
      + Episode.Illness.allCases.map { name("type.\($0.rawValue)", $0.words) }
      + Episode.Sign.allCases.map { name("symptoms.\($0.rawValue)", $0.words) }
      + SeverityScales.standard.scales.joined().map { name("scale.\($0)", $0) }
  }

  private func name(_ key: String, _ stored: String) -> ShownName {
    ShownName(self[key], stored: stored)
  }

  /// The same in all languages.
  package static let shownNames = catalogs.flatMap(\.shownNames)
}

extension String {
  /// The text with accents, and longer; parameters in braces stay as they are.
  fileprivate var withAccentsAndLonger: String {
    let accents: [Character: Character] = [
      "a": "á", "e": "é", "i": "í", "o": "ó", "u": "ú", "c": "ç", "n": "ñ", "s": "š", "y": "ý",
      "A": "Á", "E": "É", "I": "Í", "O": "Ó", "U": "Ú", "S": "Š", "D": "Ď", "T": "Ť",
    ]
    var isParameter = false
    let text = map { character in
      if character == "{" { isParameter = true }
      if character == "}" { isParameter = false }
      return isParameter ? character : accents[character] ?? character
    }
    let filling = "lorem ipsum dolor sit amet consectetur ".prefix((count * 2 + 4) / 5)
    return "[" + String(text) + " " + String(filling).trimmingCharacters(in: .whitespaces) + "]"
  }
}
