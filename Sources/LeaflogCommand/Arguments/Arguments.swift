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
extension ObjectStoreSettings.Journal: ExpressibleByArgument {}
extension EntryKind: ExpressibleByArgument {
  /// The name of a kind, in any case and number, or the word of the command that adds it.
  init?(argument: String) {
    let word = argument.lowercased()
    let synonyms: [String: EntryKind] = [
      "log": .dailyLog, "logs": .dailyLog, "activity": .completion, "activities": .completion,
    ]
    let named = Self.allCases.first {
      let name = $0.rawValue.lowercased()
      return word == name || word == name + "s"
    }
    guard let kind = named ?? synonyms[word] else { return nil }
    self = kind
  }
}
extension BucketUnit: ExpressibleByArgument {}

/// A span of time: `1h30m`.
struct DurationArgument: ExpressibleByArgument {
  let duration: Duration

  init?(argument: String) {
    guard let duration = Duration(text: argument) else { return nil }
    self.duration = duration
  }
}

/// The memory that a process may take in all: `512MB`.
package struct MemoryArgument: ExpressibleByArgument {
  private let byteCount: Int

  package init?(argument: String) {
    // Containers are given theirs as `512m`.
    let byteCount = FileSize.byteCount(argument) ?? FileSize.byteCount(argument + "B")
    guard let byteCount, byteCount >= ImportProcess.leastMemory else { return nil }
    self.byteCount = byteCount
  }

  package var text: String { FileSize.text(byteCount).filter { $0 != " " } }

  /// Limits this process.
  package func apply() { ImportProcess.limitMemory(to: byteCount) }
}

/// The plant that a command is about, given as an argument or with `--plant`, as in commands that take other arguments.
struct PlantArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp("A plant's name, its id, or an id prefix.", valueName: "plant"),
    completion: .plants)
  var word: String?

  @Option(name: .customLong("plant"), help: "The plant, as an option.", completion: .plants)
  var option: String?

  func validate() throws {
    guard word == nil || option == nil else {
      throw ValidationError("Name the plant once, either as an argument or with --plant.")
    }
  }

  /// The plant as typed.
  var text: String? { word ?? option }
}
