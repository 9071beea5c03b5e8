internal import Foundation
internal import Leaflog

/// Changes as lines of text: number, time, command, what it did, and whether it is undone.
struct ChangeText {
  let terminal: Terminal
  /// The library's.
  let zone: TimeZone

  private struct Row {
    let number: String
    let time: String
    let command: String
    let effect: String
    let mark: String
  }

  func lines(_ changes: [Change]) -> [String] {
    let rows = changes.map(row)
    func widest(_ text: (Row) -> String) -> Int {
      rows.map { TextLayout.width(text($0)) }.max() ?? 0
    }
    let (number, time, mark) = (widest(\.number), widest(\.time), widest(\.mark))
    // Two spaces before each column but the first; the command and what it did share what is left.
    let room = max(8, terminal.width - number - time - 6 - (mark > 0 ? mark + 2 : 0))
    let command = widest(\.command)
    let effect = min(widest(\.effect), max(room / 2, room - command))
    return rows.map {
      line($0, number: number, time: time, command: min(command, room - effect), effect: effect)
    }
  }

  private func row(_ change: Change) -> Row {
    let time = EntryTime(.instant(change.madeAt), in: zone)
    return Row(
      number: "\(change.id)", time: "\(time.localDay) \(TimelineText.clock(time, in: zone))",
      command: change.title, effect: change.effect, mark: change.isUndone ? "undone" : "")
  }

  /// The numbers are the columns' widths.
  private func line(_ row: Row, number: Int, time: Int, command: Int, effect: Int) -> String {
    func cut(_ text: String, _ columns: Int) -> String {
      TextLayout.padded(TextLayout.truncated(text, to: columns), to: columns)
    }
    var line = TextLayout.rightAligned(row.number, to: number)
    line += "  " + TextLayout.padded(row.time, to: time)
    line += "  " + terminal.styled(cut(row.command, command), .green)
    line += "  " + cut(row.effect, effect)
    return (row.mark.isEmpty ? line : line + "  " + terminal.styled(row.mark, .dim)).trimmedAtEnd
  }
}

extension Change {
  /// What was typed, or else the kind of change in words.
  var title: String { TextLayout.singleLine(origin ?? kind.words) }

  /// `12 photos added, 2 plants added`; empty when nothing is counted.
  var effect: String { counts.flatMap(\.parts).joined(separator: ", ") }
}

extension ChangeCount {
  /// `12 photos added`, `1 photo changed`
  fileprivate var parts: [String] {
    let noun = thing == .dailyLog ? "daily log" : thing.rawValue
    let numbers = [(added, "added"), (changed, "changed"), (deleted, "deleted")]
    return numbers.filter { $0.0 > 0 }.map { "\(Quantities.count($0.0, noun)) \($0.1)" }
  }
}
