internal import Foundation
internal import Leaflog

/// Changes as lines of text: number, time, command, effect, and whether it is undone.
struct ChangeText {
  let terminal: Terminal
  /// The library's time zone.
  let zone: TimeZone

  func lines(_ changes: [Change]) -> [String] {
    var table = TextTable(
      terminal,
      [
        .init(isRightAligned: true), .init(), .init(style: .green), .init(), .init(style: .dim),
      ], changes.map(row))
    let (number, time, mark) = (table.textWidth(0), table.textWidth(1), table.textWidth(4))
    // Two spaces before each column but the first; the command and its effect share the rest.
    let room = max(8, terminal.width - number - time - 6 - (mark > 0 ? mark + 2 : 0))
    let command = table.textWidth(2)
    let effect = min(table.textWidth(3), max(room / 2, room - command))
    table.columns[2].limit = min(command, room - effect)
    table.columns[3].limit = effect
    return table.lines
  }

  private func row(_ change: Change) -> [TextTable.Cell] {
    let time = EntryTime(.instant(change.madeAt), in: zone)
    return [
      "\(change.id)", "\(time.localDay) \(TimelineText.clock(time, in: zone))",
      .init(change.title), .init(change.effect), .init(change.isUndone ? "undone" : ""),
    ]
  }
}

extension Change {
  /// The command as typed, or else the kind of change in words.
  var title: String { TextLayout.singleLine(origin ?? kind.words) }

  /// `12 photos added, 2 plants added`; empty when nothing was counted.
  var effect: String { counts.flatMap(\.parts).joined(separator: ", ") }
}

extension ChangeCount {
  /// `12 photos added`, `1 photo changed`
  var parts: [String] {
    let noun = thing == .dailyLog ? "daily log" : thing.rawValue
    let numbers = [(added, "added"), (changed, "changed"), (deleted, "deleted")]
    return numbers.filter { $0.0 > 0 }.map { "\(Quantities.count($0.0, noun)) \($0.1)" }
  }
}
