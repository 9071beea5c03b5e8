import ArgumentParser
internal import Foundation
internal import Leaflog

/// An IANA time zone.
struct TimeZoneArgument: ExpressibleByArgument {
  let zone: TimeZone

  init?(argument: String) {
    if let zone = TimeZone(identifier: argument) {
      self.zone = zone
    } else if let offset = UTCOffset(argument), let zone = TimeZone(secondsFromGMT: offset.seconds)
    {
      self.zone = zone
    } else {
      return nil
    }
  }
}

extension StoragePolicy: ExpressibleByArgument {}
extension EntryKind: ExpressibleByArgument {}
extension BucketUnit: ExpressibleByArgument {}

/// A span of time: numbers with w, d, h, m or s behind each, a sign before all: `-1h30m`.
struct DurationArgument: ExpressibleByArgument {
  let duration: Duration

  init?(argument: String) {
    let isNegative = argument.hasPrefix("-")
    let units: [Character: Int] = ["w": 604_800, "d": 86_400, "h": 3600, "m": 60, "s": 1]
    var seconds = 0
    var number: Int?
    for character in argument.lowercased().drop(while: { "+-".contains($0) }) {
      if let digit = character.wholeNumberValue, character.isASCII {
        number = (number ?? 0) * 10 + digit
      } else if let unit = units[character], let count = number {
        seconds += count * unit
        number = nil
      } else {
        return nil
      }
      // A thousand years, which no clock is wrong by.
      guard number ?? 0 < 1_000_000_000, seconds < 31_557_600_000 else { return nil }
    }
    guard number == nil, argument.contains(where: \.isNumber),
      argument.filter({ "+-".contains($0) }).count <= 1
    else { return nil }
    duration = .seconds(isNegative ? -seconds : seconds)
  }
}
