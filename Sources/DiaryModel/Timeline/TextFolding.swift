internal import Foundation

/// The form in which names are compared: composed (NFC), with full Unicode case folding (ß as ss, each sigma alike), and
/// without the accents that Greek loses in capitals.
package func foldedName(_ name: String) -> String {
  if name.utf8.allSatisfy({ $0 < 0x80 }) { return name.lowercased() }
  var folded = String.UnicodeScalarView()
  var isAfterGreek = false
  for scalar in name.decomposedStringWithCanonicalMapping.unicodeScalars {
    if scalar.isMark {
      if isAfterGreek { continue }
    } else {
      isAfterGreek = scalar.isGreek
    }
    folded.append(contentsOf: scalar.caseFolded)
  }
  return String(folded).precomposedStringWithCanonicalMapping
}

/// The words of texts, as search indexes and finds them.
///
/// Words are runs of letters and digits, with case folding as in names, and without the marks of Latin and Greek
/// letters. Where words are written without spaces between them (Chinese, Japanese, Thai and others), each character is
/// a word of its own, as is each symbol, so that they are found within a text. Words of Korean and all other scripts are
/// found by their beginnings.
///
/// Characters that are newer than Unicode 15 separate words, so that a later toolchain finds the words that this one
/// indexed.
package struct SearchWords {
  private enum Role {
    case separator
    /// Inside a word, but no part of it, such as a soft hyphen.
    case ignored
    case mark([UInt8])
    case letter([UInt8], dropsMarks: Bool)
    /// A word of its own.
    case alone([UInt8], dropsMarks: Bool)
  }

  private struct Word {
    var bytes: [UInt8] = []
    var place = 0..<0
    var isAlone = false
    var dropsMarks = false
    /// Whether it may have characters that are written as several.
    var isDecomposed = false
  }

  private var roles: [UInt32: Role] = [:]

  package init() {}

  /// The words of a text.
  package static func all(in text: String) -> [String] {
    var words = SearchWords()
    var all: [String] = []
    var text = text
    text.withUTF8 { bytes in
      words.forEach(in: bytes) { word, _ in
        all.append(String(decoding: word, as: UTF8.self))
        return true
      }
    }
    return all
  }

  /// Calls `body` with each word, in UTF-8, and the place of its bytes in the text, until it returns false.
  package mutating func forEach(
    in text: UnsafeBufferPointer<UInt8>, _ body: ([UInt8], Range<Int>) -> Bool
  ) {
    var word = Word()
    func end() -> Bool {
      defer { word = Word() }
      guard !word.bytes.isEmpty else { return true }
      guard word.isDecomposed else { return body(word.bytes, word.place) }
      let text = String(decoding: word.bytes, as: UTF8.self).precomposedStringWithCanonicalMapping
      return body(Array(text.utf8), word.place)
    }
    var position = 0
    while position < text.count {
      let start = position
      let scalar = Self.scalar(in: text, at: &position)
      if scalar.isASCII, let letter = Self.asciiLetter(UInt8(scalar.value)) {
        if word.isAlone, !end() { return }
        if word.bytes.isEmpty { word.place = start..<position }
        word.bytes.append(letter)
        word.dropsMarks = true
      } else {
        switch role(of: scalar) {
        case .ignored: continue
        case .separator:
          if !end() { return }
          continue
        case .mark(let bytes):
          guard !word.bytes.isEmpty else { continue }
          if !word.dropsMarks {
            word.bytes += bytes
            word.isDecomposed = true
          }
        case .letter(let bytes, let dropsMarks):
          if word.isAlone, !end() { return }
          if word.bytes.isEmpty { word.place = start..<position }
          word.bytes += bytes
          word.dropsMarks = dropsMarks
          // Letters of which Korean syllables are composed.
          if (0x1100...0x11FF).contains(scalar.value) { word.isDecomposed = true }
        case .alone(let bytes, let dropsMarks):
          if !end() { return }
          word = Word(
            bytes: bytes, place: start..<position, isAlone: true, dropsMarks: dropsMarks)
        }
      }
      word.place = word.place.lowerBound..<position
    }
    _ = end()
  }

  private static func asciiLetter(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39, 0x61...0x7A: byte
    case 0x41...0x5A: byte + 0x20
    default: nil
    }
  }

  /// The scalar at a position, which moves behind it; U+FFFD for bytes that are no UTF-8.
  private static func scalar(
    in text: UnsafeBufferPointer<UInt8>, at position: inout Int
  ) -> Unicode.Scalar {
    let first = text[position]
    position += 1
    if first < 0x80 { return Unicode.Scalar(first) }
    let (count, least): (Int, UInt32) =
      switch first {
      case 0xC2...0xDF: (1, 0x80)
      case 0xE0...0xEF: (2, 0x800)
      case 0xF0...0xF4: (3, 0x10000)
      default: (0, 0)
      }
    guard count > 0, text.count - position >= count else { return "\u{FFFD}" }
    var value = UInt32(first) & (0x3F >> UInt32(count))
    for byte in text[position..<(position + count)] {
      guard byte & 0xC0 == 0x80 else { return "\u{FFFD}" }
      value = value << 6 | UInt32(byte & 0x3F)
    }
    guard value >= least, let scalar = Unicode.Scalar(value) else { return "\u{FFFD}" }
    position += count
    return scalar
  }

  private mutating func role(of scalar: Unicode.Scalar) -> Role {
    if let known = roles[scalar.value] { return known }
    let role = Self.newRole(of: scalar)
    roles[scalar.value] = role
    return role
  }

  private static func newRole(of given: Unicode.Scalar) -> Role {
    guard given != "\u{FFFD}", let age = given.properties.age, (age.major, age.minor) <= (15, 0)
    else { return .separator }
    // Letters in the width of ideographs, and the narrow ones of Japanese.
    let isWide = (0xFF00...0xFFEF).contains(given.value)
    let text = String(given)
    let plain = isWide ? text.precomposedStringWithCompatibilityMapping : text
    let parts = Array(
      (isWide ? plain : text).decomposedStringWithCanonicalMapping.unicodeScalars)
    guard let base = parts.first else { return .separator }
    if base.isMark { return .mark(Array(plain.utf8)) }
    if base.properties.generalCategory == .format {
      return base == "\u{200B}" ? .separator : .ignored
    }
    guard base.isWordPart else { return .separator }
    let isSymbol = [.otherSymbol, .privateUse].contains(base.properties.generalCategory)
    let dropsMarks = base.isLatin || base.isGreek || isSymbol
    let kept = dropsMarks ? parts.filter { !$0.isMark } : parts
    var folded = String.UnicodeScalarView()
    for part in kept { folded.append(contentsOf: part == "\u{131}" ? ["i"] : part.caseFolded) }
    let bytes = Array(String(folded).precomposedStringWithCanonicalMapping.utf8)
    return isSymbol || base.isWrittenWithoutSpaces
      ? .alone(bytes, dropsMarks: dropsMarks) : .letter(bytes, dropsMarks: dropsMarks)
  }
}

extension Unicode.Scalar {
  /// The full case folding of Unicode, but for the letters of Turkish, which it leaves as they are.
  fileprivate var caseFolded: [Unicode.Scalar] {
    if self == "\u{131}" { return [self] }
    // The capitals of ß and of ligatures are several letters, those of all sigmas the same.
    return properties.lowercaseMapping.unicodeScalars
      .flatMap(\.properties.uppercaseMapping.unicodeScalars)
      .flatMap(\.properties.lowercaseMapping.unicodeScalars)
  }

  fileprivate var isMark: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }

  /// Whether it is a letter, a digit or a symbol, such as an emoji.
  fileprivate var isWordPart: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .privateUse, .otherSymbol:
      true
    default: false
    }
  }

  fileprivate var isGreek: Bool {
    (0x370...0x3FF).contains(value) || (0x1F00...0x1FFF).contains(value)
  }

  fileprivate var isLatin: Bool {
    switch value {
    case 0x41...0x5A, 0x61...0x7A, 0xAA, 0xBA, 0xC0...0x24F, 0x250...0x2AF, 0x1E00...0x1EFF,
      0x2C60...0x2C7F, 0xA720...0xA7FF, 0xAB30...0xAB6F, 0xFB00...0xFB06:
      true
    default: false
    }
  }

  /// Whether words of its script are written without spaces between them: Chinese, Japanese, Thai, Lao, Burmese, Khmer.
  fileprivate var isWrittenWithoutSpaces: Bool {
    switch value {
    case 0xE00...0xEFF, 0x1000...0x109F, 0x1780...0x17FF, 0x19E0...0x19FF, 0x2E80...0x2FDF,
      0x3005...0x3007, 0x3021...0x3029, 0x3031...0x303C, 0x3041...0x312F, 0x31A0...0x31BF,
      0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA9E0...0xA9FF, 0xAA60...0xAA7F,
      0xF900...0xFAFF, 0x16FE0...0x18CFF, 0x1AFF0...0x1B16F, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
