/// Searches words for geographic coordinates: decimal degrees in pairs, degrees with minutes, numbers called latitude or
/// longitude, ISO 6709, links to maps, plus codes. Other numbers, such as dates, sizes, versions and measurements, are
/// none: the fewer signs of a coordinate a pair has, the more decimals it needs.
package struct CoordinateSearch {
  /// Whether there are coordinates.
  package let isSuccessful: Bool

  package init(_ words: String) {
    let text = DateParts.normalized(words)
    guard text.utf8.contains(where: { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
      isSuccessful = false
      return
    }
    let scalars = Array(text.unicodeScalars)
    isSuccessful = PlusCode.isIn(scalars) || Angles(CoordinateToken.tokens(scalars)).tellPlace
  }
}

/// The axis that a number is on.
private enum Axis {
  case latitude, longitude
}

/// A piece of a text that may be part of coordinates.
private struct CoordinateToken {
  enum Kind: Equatable {
    case number(Number)
    case degree, minute, second
    /// A quarter of the compass.
    case side(Axis)
    /// The name of an axis, which may be another word: `long`, and German's for width and length.
    case label(Axis, isCertain: Bool)
    /// A word before coordinates, and the decimals that they have to have then.
    case cue(Int)
    case unit, and, word
    case sign(Unicode.Scalar)
  }

  struct Number: Equatable {
    var value = 0.0
    var wholeDigitCount = 0
    var decimals = 0
    /// Decimals without the zeros at the end.
    var significantDecimals = 0
    var isSigned = false
  }

  let kind: Kind
  /// Whether a blank stands before it.
  let isApart: Bool

  var number: Number? {
    if case .number(let number) = kind { number } else { nil }
  }

  var side: Axis? {
    if case .side(let axis) = kind { axis } else { nil }
  }

  var label: (axis: Axis, isCertain: Bool)? {
    if case .label(let axis, let isCertain) = kind { (axis, isCertain) } else { nil }
  }

  var sign: Unicode.Scalar? {
    if case .sign(let sign) = kind { sign } else { nil }
  }
}

/// Reading tokens.
extension CoordinateToken {
  private static let words: [String: Kind] = {
    let lists: [(Kind, String)] = [
      (.side(.latitude), "n s north south nord süd sued 北緯 南緯 北纬 南纬"),
      (.side(.longitude), "e w o east west ost 東経 西経 东经 西经 東經 西經"),
      (.degree, "deg degs degree degrees grad"),
      (.minute, "min minute minutes minuten"), (.second, "sec second seconds sekunden"),
      (.label(.latitude, isCertain: true), "lat mlat breitengrad"),
      (.label(.longitude, isCertain: true), "lon lng mlon längengrad laengengrad"),
      (.label(.latitude, isCertain: false), "breite"),
      (.label(.longitude, isCertain: false), "long länge laenge"), (.cue(1), "geo gps"),
      (.cue(2), "ll q"),
      (.cue(3), "location map ort place position standort"), (.and, "and und et y"),
      (.unit, "mm cm dm m km inch inches ft mg g kg l ml ms px ppm ph eur usd x"),
    ]
    return Dictionary(
      uniqueKeysWithValues: lists.flatMap { kind, list in
        list.split(separator: " ").map { (String($0), kind) }
      })
  }()

  private static func kind(_ word: String) -> Kind {
    if let known = words[word] { return known }
    if word.hasPrefix("coord") || word.hasPrefix("koord") { return .cue(1) }
    guard !word.hasSuffix("al") else { return .word }
    // `GPSLatitude` and the words of other languages.
    if word.contains("latitud") { return .label(.latitude, isCertain: true) }
    return word.contains("longitud") ? .label(.longitude, isCertain: true) : .word
  }

  private static let signs: [Unicode.Scalar: Kind] = [
    "°": .degree, "º": .degree, "˚": .degree, "'": .minute, "′": .minute, "’": .minute,
    "‘": .minute, "´": .minute, "`": .minute, "\"": .second, "″": .second, "”": .second,
    "“": .second, "度": .degree, "分": .minute, "秒": .second, "%": .unit, "€": .unit, "$": .unit,
    "&": .and,
  ]

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    [" ", "\n", "\r", "\t"].contains(scalar)
  }

  /// - Parameter text: normalized.
  static func tokens(_ text: [Unicode.Scalar]) -> [CoordinateToken] {
    var tokens: [CoordinateToken] = []
    var at = 0
    while at < text.count {
      let start = at
      while at < text.count, isBlank(text[at]) { at += 1 }
      guard at < text.count else { break }
      let isApart = at > start || at == 0
      let first = text[at]
      var kind = number(text, &at, after: tokens.last) ?? word(text, &at) ?? sign(text, &at)
      // `0.25 s` is a time, unless it belongs to degrees.
      if kind == .side(.latitude), first == "s", isApart, let number = tokens.last?.number,
        number.decimals < 3, !tokens.suffix(6).contains(where: { $0.kind == .degree })
      {
        kind = .unit
      }
      tokens.append(CoordinateToken(kind: kind, isApart: isApart))
    }
    return tokens
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII ? ("a"..."z").contains(scalar) : scalar.properties.isAlphabetic
  }

  private static func isDigit(_ text: [Unicode.Scalar], _ at: Int) -> Bool {
    at >= 0 && at < text.count && ("0"..."9").contains(text[at])
  }

  private static func word(_ text: [Unicode.Scalar], _ at: inout Int) -> Kind? {
    let start = at
    while at < text.count, isLetter(text[at]), signs[text[at]] == nil { at += 1 }
    guard at > start else { return nil }
    let kind = kind(String(String.UnicodeScalarView(text[start..<at])))
    let next = at < text.count ? text[at] : " "
    // `E-mail`, `S-facing`.
    if next == "-", at + 1 < text.count, isLetter(text[at + 1]) { return .word }
    // Parameters of links.
    return kind == .cue(2) && next != "=" ? .word : kind
  }

  private static func sign(_ text: [Unicode.Scalar], _ at: inout Int) -> Kind {
    defer { at += 1 }
    // `@52.52,13.40,15z`.
    if text[at] == "@" {
      let isMinus = at + 1 < text.count && text[at + 1] == "-"
      return isDigit(text, isMinus ? at + 2 : at + 1) ? .cue(2) : .word
    }
    // Two minutes are a second.
    if signs[text[at]] == .minute, at + 1 < text.count, text[at] == text[at + 1] {
      at += 1
      return .second
    }
    return signs[text[at]] ?? .sign(text[at])
  }

  /// A number; a word if letters or further numbers belong to it, as to a version, a date or a size.
  private static func number(
    _ text: [Unicode.Scalar], _ at: inout Int, after last: CoordinateToken?
  ) -> Kind? {
    let isSigned = ["+", "-"].contains(text[at]) && isDigit(text, at + 1)
    let start = isSigned ? at + 1 : at
    guard isDigit(text, start) else { return nil }
    let before = at > 0 ? text[at - 1] : " "
    let isAttached = before == "_" || isLetter(before) && last?.kind == .word
    func end(from start: Int) -> Int {
      var end = start
      while isDigit(text, end) { end += 1 }
      return end
    }
    var number = Number(isSigned: isSigned)
    let wholeEnd = end(from: start)
    number.wholeDigitCount = wholeEnd - start
    at = wholeEnd
    if wholeEnd < text.count, [".", ","].contains(text[wholeEnd]), isDigit(text, wholeEnd + 1) {
      let fractionEnd = end(from: wholeEnd + 1)
      let count = fractionEnd - wholeEnd - 1
      let goesOn =
        fractionEnd < text.count && [".", ","].contains(text[fractionEnd])
        && isDigit(text, fractionEnd + 1)
      if text[wholeEnd] == ".", goesOn, text[fractionEnd] == "." {
        while isDigit(text, at) || at < text.count && text[at] == "." { at += 1 }
        return .word
      }
      // A comma may be a decimal one, or separate thousands or numbers.
      if text[wholeEnd] == "." || (count > 3 || count != 3 && !goesOn)
        || count == 3 && isMark(text, fractionEnd)
      {
        number.decimals = count
        number.significantDecimals =
          text[(wholeEnd + 1)..<fractionEnd].lastIndex { $0 != "0" }.map { $0 - wholeEnd } ?? 0
        at = fractionEnd
      }
    }
    let digits = text[start..<at].map { $0 == "," ? "." : Character($0) }
    guard !isAttached, number.wholeDigitCount < 10, let value = Double(String(digits)) else {
      return .word
    }
    number.value = value
    // `50cm`, but `52.52N`.
    var ahead = at
    if let next = word(text, &ahead) {
      switch next {
      case .side, .degree, .minute, .second, .label, .and: break
      default: return .word
      }
    }
    return .number(number)
  }

  /// Whether a degree sign or a letter of the compass is at an offset.
  private static func isMark(_ text: [Unicode.Scalar], _ offset: Int) -> Bool {
    var at = offset
    while at < text.count, isBlank(text[at]) { at += 1 }
    guard at < text.count else { return false }
    switch word(text, &at) ?? sign(text, &at) {
    case .degree, .side: return true
    default: return false
    }
  }
}

/// Numbers that may be angles, in the order of a text.
private struct Angles {
  private struct Angle {
    var axis: Axis?
    /// Whether it is named latitude or longitude, and by a word that means nothing else.
    var isLabelled = false
    var isCertain = false
    var hasDegree = false
    var hasMinutes = false
    var hasSide = false
    let number: CoordinateToken.Number
    /// Its tokens.
    var range: Range<Int>
  }

  private let tokens: [CoordinateToken]
  /// Whether any of them tells a place.
  private(set) var tellPlace = false

  init(_ tokens: [CoordinateToken]) {
    self.tokens = tokens
    var last: Angle?
    var at = 0
    while at < tokens.count {
      guard let angle = angle(at: at) else {
        at += 1
        continue
      }
      if isPlace(angle) || last.map({ isPlace($0, angle) }) == true {
        tellPlace = true
        return
      }
      last = angle
      at = angle.range.upperBound
    }
  }

  private func token(_ at: Int) -> CoordinateToken? { at < tokens.count ? tokens[at] : nil }

  /// Reads `52.52`, `52° 31' 12" N`, `N 52 31.2`, `"lat": 52.52`, `5231.2,N`.
  private func angle(at start: Int) -> Angle? {
    var at = start
    let label = tokens[at].label
    if label != nil {
      at += 1
      for _ in 0..<4
      where [.sign(":"), .sign("="), .sign("."), .sign("("), .second, .minute]
        .contains(token(at)?.kind)
      {
        at += 1
      }
    }
    var side = token(at)?.side
    if side != nil { at += 1 }
    guard let number = token(at)?.number else { return nil }
    at += 1
    var angle = Angle(axis: label?.axis, number: number, range: start..<at)
    (angle.isLabelled, angle.isCertain) = (label != nil, label?.isCertain == true)
    if token(at)?.kind == .degree {
      angle.hasDegree = true
      at += 1
    }
    if number.decimals == 0, let end = endOfMinutes(at, angle.hasDegree, hasSide: side != nil) {
      angle.hasMinutes = true
      at = end
    }
    if side == nil {
      let isCompact = Self.isCompact(number, nil)
      let place = isCompact && token(at)?.kind == .sign(",") ? at + 1 : at
      side = token(place)?.side
      if side != nil { at = place + 1 }
    }
    if let side {
      (angle.axis, angle.hasSide) = (side, true)
      if Self.isCompact(number, side) { angle.hasMinutes = true }
    }
    angle.range = start..<at
    let limit: Double = angle.axis == Axis.latitude ? 90 : 180
    return number.value <= limit || angle.hasMinutes && Self.isCompact(number, angle.axis)
      ? angle : nil
  }

  /// Whether a number has degrees and minutes in one, as `5231.2` or `0132418`.
  private static func isCompact(_ number: CoordinateToken.Number, _ axis: Axis?) -> Bool {
    let digits: [Int] =
      switch axis {
      case .latitude: [4, 6]
      case .longitude: [5, 7]
      case nil: [4, 5, 6, 7]
      }
    let whole = Int(number.value)
    let isLong = number.wholeDigitCount > 5
    return digits.contains(number.wholeDigitCount) && whole % 100 < 60
      && (!isLong || whole / 100 % 100 < 60)
  }

  /// The index after minutes, with or without seconds, behind degrees; nil when there are none.
  private func endOfMinutes(_ start: Int, _ hasDegree: Bool, hasSide: Bool) -> Int? {
    func part(_ start: Int) -> (number: CoordinateToken.Number, end: Int)? {
      var at = start
      if !hasDegree, [.sign(":"), .sign(",")].contains(token(at)?.kind) { at += 1 }
      guard let number = token(at)?.number, !number.isSigned, number.value < 60 else { return nil }
      return (number, at + 1)
    }
    guard let minutes = part(start) else { return nil }
    var at = minutes.end
    let isMarked = hasDegree && token(at)?.kind == .minute
    if isMarked { at += 1 }
    if minutes.number.decimals == 0, let seconds = part(at) {
      let isSecond = token(seconds.end)?.kind == .second
      if isSecond, hasDegree { return seconds.end + 1 }
      if token(seconds.end)?.side != nil || hasSide && !isMarked {
        return seconds.end
      }
      if isSecond, token(seconds.end + 1)?.side != nil { return seconds.end + 1 }
    }
    if isMarked { return at }
    let isFraction = hasDegree || minutes.number.decimals > 0
    return isFraction && (token(at)?.side != nil || hasSide) ? at : nil
  }

  /// Whether a number alone tells half of a place.
  private func isPlace(_ angle: Angle) -> Bool {
    if angle.hasSide, angle.hasDegree { return angle.hasMinutes || angle.number.decimals >= 3 }
    return angle.isCertain && (angle.number.decimals >= 3 || angle.hasDegree && angle.hasMinutes)
  }

  private func isPlace(_ first: Angle, _ second: Angle) -> Bool {
    let between = tokens[first.range.upperBound..<second.range.lowerBound]
    let isJoined = between.allSatisfy { token in
      token.sign.map { Self.separators.contains($0) } ?? [.second, .minute].contains(token.kind)
        || token.kind == .and && first.axis != nil && second.axis != nil
    }
    guard between.count <= 5, isJoined else { return false }
    func both(_ condition: (Angle) -> Bool) -> Bool { condition(first) && condition(second) }
    if let axis = first.axis, let other = second.axis, axis != other {
      if both({ $0.isLabelled }) {
        let needed = first.isCertain || second.isCertain ? 1 : 4
        return both { $0.hasDegree || $0.hasMinutes }
          || max(first.number.decimals, second.number.decimals) >= needed
      }
      return both { $0.hasMinutes || $0.hasDegree || $0.isLabelled || $0.number.decimals >= 2 }
    }
    guard first.axis == nil || second.axis == nil else { return false }
    if both({ $0.hasDegree }) { return both { $0.hasMinutes || $0.number.decimals >= 3 } }
    return isPair(first, second, isApart: !between.isEmpty)
  }

  private static let separators: Set<Unicode.Scalar> = [
    ",", "、", ";", "/", "|", ":", "=", "(", ")", "[", "]", "{", "}",
  ]

  /// Whether two numbers without a sign of degrees are decimal degrees.
  private func isPair(_ first: Angle, _ second: Angle, isApart: Bool) -> Bool {
    let (one, other) = (first.number, second.number)
    // One of them is a latitude. Shares and matrices of colours are below 2; no land is there.
    guard min(one.value, other.value) <= 90, max(one.value, other.value) >= 2,
      max(one.significantDecimals, other.significantDecimals) > 0
    else { return false }
    let decimals = min(one.decimals, other.decimals)
    if !isApart, !tokens[second.range.lowerBound].isApart {
      // ISO 6709: `+52.5200+013.4049/`.
      return one.isSigned && other.isSigned && decimals >= 2
        && (other.wholeDigitCount == 3 || decimals >= 3)
    }
    if let needed = cue(before: first.range.upperBound), decimals >= needed { return true }
    guard max(one.significantDecimals, other.significantDecimals) >= 3,
      token(second.range.upperBound)?.kind != .unit
    else { return false }
    // The pair is all there is.
    let isAlone = tokens.count == second.range.upperBound && first.range.lowerBound == 0
    return decimals >= (isAlone ? 3 : 4)
  }

  /// The number of decimals that are enough behind the words before an index; nil when none of them leads to
  /// coordinates.
  private func cue(before index: Int) -> Int? {
    tokens[max(0, index - 8)..<index].compactMap { token in
      switch token.kind {
      case .cue(let decimals): decimals
      case .label(_, isCertain: true): 1
      default: nil
      }
    }.min()
  }
}

/// Open Location Code, which writes a place with 8 digits, a plus and at least 2 more.
private enum PlusCode {
  private static let digits = Set("23456789cfghjmpqrvwx".unicodeScalars)

  static func isIn(_ text: [Unicode.Scalar]) -> Bool {
    text.indices.contains { plus in
      guard text[plus] == "+", plus >= 8, plus + 2 < text.count else { return false }
      let code = text[(plus - 8)..<plus]
      let rest = text[(plus + 1)...].prefix { digits.contains($0) }
      func isWord(_ index: Int) -> Bool {
        text.indices.contains(index)
          && (text[index].properties.isAlphabetic || ("0"..."9").contains(text[index]))
      }
      // The first two digits are degrees; a sum of numbers has no letters.
      return code.allSatisfy(digits.contains) && (2...7).contains(rest.count)
        && Set("23456789c".unicodeScalars).contains(text[plus - 8])
        && (code + rest).contains { ("a"..."z").contains($0) } && !isWord(plus - 9)
        && !isWord(rest.endIndex)
    }
  }
}
