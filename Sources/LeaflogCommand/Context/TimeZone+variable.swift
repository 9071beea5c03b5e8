package import Foundation
package import Leaflog

extension TimeZone {
  /// The zone of a process with this value of the variable `TZ`, as the C library reads it (tzset(3)).
  ///
  /// Foundation takes the forms that it does not know for UTC, and those of POSIX for the opposite offset: `UTC-3` is
  /// three hours ahead of UTC.
  ///
  /// - Parameter value: nil when the variable is absent; then it is the system's zone.
  /// - Throws: `LeaflogError` for a value that names no zone, such as a rule of POSIX for summer time.
  package static func ofProcess(_ value: String?) throws(LeaflogError) -> TimeZone {
    guard let value else { return .current }
    let text = value.hasPrefix(":") ? String(value.dropFirst()) : value
    if text.isEmpty { return .gmt }
    if let name = zoneName(text), let zone = TimeZone(identifier: name) { return zone }
    if let rule = POSIXZone(text) {
      if !rule.hasSummerTime, let zone = rule.fixed { return zone }
      // Some names stand for such a rule alone: `CET`, `EST5EDT`.
      if let name = rule.names.first(where: { lastRule(of: $0) == text }),
        let zone = TimeZone(identifier: name)
      {
        return zone
      }
    }
    throw LeaflogError(
      .invalidRequest,
      "The variable TZ is \(value), which is not the name of a time zone. Set it to a name such as "
        + "Europe/Berlin.")
  }

  private static let folder = "/usr/share/zoneinfo/"

  /// The zone's name in the time zone database, for a name or the path of one of its files; nil when there is none.
  private static func zoneName(_ text: String) -> String? {
    guard text.hasPrefix("/") else {
      return FileManager.default.fileExists(atPath: folder + text) && !text.contains("..")
        ? text : nil
    }
    let path = URL(fileURLWithPath: text).resolvingSymlinksInPath().path
    guard FileManager.default.fileExists(atPath: path),
      let place = path.range(of: "/zoneinfo/", options: .backwards)
    else { return nil }
    let name = path[place.upperBound...]
    for variant in ["posix/", "right/"] where name.hasPrefix(variant) {
      return String(name.dropFirst(variant.count))
    }
    return String(name)
  }

  /// The rule at the end of a file of the time zone database, for the time after its last transition (RFC 8536, 3.3).
  private static func lastRule(of name: String) -> String? {
    FileManager.default.contents(atPath: folder + name)?.split(separator: UInt8(ascii: "\n")).last
      .map { String(decoding: $0, as: UTF8.self) }
  }
}

/// A value of `TZ` in the form of POSIX: an abbreviation, hours behind UTC, and perhaps the same for summer time, with its
/// rule.
private struct POSIXZone {
  private let name: Substring
  /// The text of the offset.
  private let offset: Substring
  /// East of UTC.
  private let seconds: Int
  private let summerName: Substring

  var hasSummerTime: Bool { !summerName.isEmpty }

  init?(_ text: String) {
    var rest = text[...]
    guard let name = Self.takeName(&rest) else { return nil }
    self.name = name
    offset = rest.prefix { $0.isNumber || "+-:".contains($0) }
    rest = rest.dropFirst(offset.count)
    let parts = offset.drop { "+-".contains($0) }.split(separator: ":").map { Int($0) }
    guard (1...3).contains(parts.count), let hours = parts[0], (0...24).contains(hours),
      parts.dropFirst().allSatisfy({ (0..<60).contains($0 ?? 60) })
    else { return nil }
    let count = zip(parts, [3600, 60, 1]).reduce(0) { $0 + ($1.0 ?? 0) * $1.1 }
    seconds = offset.hasPrefix("-") ? count : -count
    if rest.isEmpty {
      summerName = ""
    } else {
      guard let summer = Self.takeName(&rest) else { return nil }
      summerName = summer
    }
  }

  /// Three letters or more, or any letters, digits and signs in angle brackets.
  private static func takeName(_ rest: inout Substring) -> Substring? {
    if rest.first == "<" {
      guard let end = rest.firstIndex(of: ">") else { return nil }
      defer { rest = rest[rest.index(after: end)...] }
      return rest[...end]
    }
    let name = rest.prefix { $0.isASCII && $0.isLetter }
    guard name.count >= 3 else { return nil }
    rest = rest.dropFirst(name.count)
    return name
  }

  /// The zone without summer time. The names of whole hours have the sign of POSIX, too.
  var fixed: TimeZone? {
    let hours = seconds / 3600
    guard seconds.isMultiple(of: 3600), (-12...14).contains(hours) else {
      return TimeZone(secondsFromGMT: seconds)
    }
    return hours == 0
      ? .gmt : TimeZone(identifier: "Etc/GMT\(hours > 0 ? "-" : "+")\(abs(hours))")
  }

  /// The names in the time zone database that a zone with this rule might have.
  var names: [String] { [String(name), "\(name)\(offset)\(summerName)"] }
}
