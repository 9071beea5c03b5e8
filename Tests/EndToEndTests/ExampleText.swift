import Foundation

/// Output of the manual's examples, made comparable. What differs from day to day or from machine to
/// machine becomes a word: dates from 2026 on and times of those days, how long ago something was, ids
/// that are made at random, cursors, durations, and how well pictures are compressed. The day's quote is left out.
/// Line breaks and blanks are all alike.
struct ExampleText {
  /// Start of the ids that are the same everywhere: those of photos.
  let stableIDs: Set<String>

  /// Whether this is what was expected. There, `…` stands for any text; where it is a line of its own,
  /// lines were left out, and the others are there in any order.
  func matches(_ output: [String], expected: [String]) -> Bool {
    let (output, wanted) = (normalised(output), normalised(expected))
    guard wanted.contains("…") else {
      return isLike(output.joined(separator: " "), wanted.joined(separator: " "))
    }
    var rest = output
    for line in wanted where line != "…" {
      guard let place = rest.firstIndex(where: { isLike($0, line) }) else { return false }
      rest.remove(at: place)
    }
    return true
  }

  private func isLike(_ text: String, _ pattern: String) -> Bool {
    let parts = pattern.components(separatedBy: "…")
    guard let first = parts.first, let last = parts.last, parts.count > 1 else {
      return text == pattern
    }
    guard text.hasPrefix(first), text.hasSuffix(last), text.count >= first.count + last.count else {
      return false
    }
    var rest = text.dropFirst(first.count).dropLast(last.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let found = rest.range(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return true
  }

  func normalised(_ lines: [String]) -> [String] {
    var isOfToday = false
    var isQuote = false
    return lines.compactMap { line in
      if let day = line.wholeMatch(of: /(\d{4})-\d\d-\d\d \w+day/) {
        isOfToday = day.output.1 >= "2026"
      }
      isQuote = line.hasPrefix("Quote ") || isQuote && line.hasPrefix("   ")
      return isQuote ? nil : normalised(line, isOfToday)
    }
  }

  private func normalised(_ line: String, _ isOfToday: Bool) -> String {
    var text = line.replacing(/\b20(?:2[6-9]|[3-9]\d)-\d\d-\d\d(?: \w+day)?/, with: "DATE")
    text.replace(/DATE \d\d:\d\d\b/, with: "DATE TIME")
    if isOfToday { text.replace(/\b\d\d:\d\d\b/, with: "TIME") }
    text.replace(/\b\d+ days? (?:ago|since)\b/, with: "DAYS ago")
    text.replace(/\b(?:[0-9a-f]{32}|[0-9a-f]{8})\b/) { found in
      stableIDs.contains(String(found.output.prefix(8))) ? String(found.output) : "ID"
    }
    text.replace(/\b0000[0-9a-z]{20,}\b/, with: "CURSOR")
    text.replace(/\b[\d.]+ [KMG]?B\b/, with: "SIZE")
    text.replace(/\b\d+ %/, with: "SHARE")
    text.replace(/\bin (?:[\d.]+ s|\d+:\d\d)\b/, with: "in SECONDS")
    text.replace(/\((?:[\d.]+ s|\d+:\d\d)\)/, with: "(SECONDS)")
    text.replace(/"seconds":[\d.]+/, with: "SECONDS")
    text.replace(/\s+/, with: " ")
    return text.trimmingCharacters(in: .whitespaces)
  }
}
