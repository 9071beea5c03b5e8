internal import Foundation
internal import Leaflog

/// Entries as lines of text: one an entry, grouped by day.
struct TimelineText {
  let terminal: Terminal
  /// The library's.
  let zone: TimeZone

  func lines(_ entries: [Entry]) -> [String] { blocks(entries).flatMap(\.lines) }

  /// Each entry with the lines it takes, its day's heading among them where that begins.
  func blocks(_ entries: [Entry]) -> [(entry: Entry, lines: [String])] {
    let columns = Columns(entries, width: terminal.width, zone)
    var day: LocalDay?
    return entries.map { entry in
      var lines = [line(entry, columns)]
      if entry.time.localDay != day {
        day = entry.time.localDay
        lines.insert(terminal.styled(Self.heading(entry.time.localDay), .bold), at: 0)
      }
      return (entry, lines)
    }
  }

  static func heading(_ day: LocalDay) -> String {
    let names = [
      "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]
    return "\(day) \(names[day.weekday - 1])"
  }

  private func line(_ entry: Entry, _ columns: Columns) -> String {
    var text = "  \(TextLayout.padded(Self.clock(entry.time, in: zone), to: columns.clock))  "
    let subject = TextLayout.truncated(Columns.subject(entry), to: columns.subject)
    text += terminal.styled(TextLayout.padded(subject, to: columns.subject), .green)
    text += "  " + TextLayout.padded(Columns.age(entry), to: columns.age)
    let notes = Columns.text(entry)
    if columns.notes > 0 {
      let cut = TextLayout.truncated(notes, to: columns.notes)
      text += "  " + TextLayout.padded(cut, to: columns.notes)
    }
    if columns.pixels > 0 {
      text += "  " + TextLayout.rightAligned(Columns.pixels(entry), to: columns.pixels)
    }
    if columns.bytes > 0 {
      text += "  " + TextLayout.rightAligned(Columns.bytes(entry), to: columns.bytes)
    }
    return text + "  " + terminal.styled(entry.id.short, .dim)
  }

  /// The time of day, blank where there is none. Its offset follows where that is not the one that a
  /// clock in the library's zone would have, so that no list looks out of order: `11:49 +01:00`.
  static func clock(_ time: EntryTime, in zone: TimeZone) -> String {
    guard time.basis != .day else { return "     " }
    let text = String(time.wall.description.dropFirst(11).prefix(5))
    guard zone.offset(atWall: time.wall) != time.offset else { return text }
    return "\(text) \(time.offset == .utc ? "+00:00" : time.offset.description)"
  }

  /// How wide each column is; notes get what is left.
  private struct Columns {
    let clock: Int
    let subject: Int
    let age: Int
    let notes: Int
    let pixels: Int
    let bytes: Int

    init(_ entries: [Entry], width: Int, _ zone: TimeZone) {
      func widest(_ text: (Entry) -> String) -> Int {
        entries.map { TextLayout.width(text($0)) }.max() ?? 0
      }
      clock = widest { TimelineText.clock($0.time, in: zone) }
      age = widest(Self.age)
      bytes = width < 60 ? 0 : widest(Self.bytes)
      pixels = width < 100 ? 0 : widest(Self.pixels)
      // Indentation, clock and id, and two spaces before each column that is there.
      let fixed =
        2 + clock + 2 + 8 + 4 + age + [bytes, pixels].filter { $0 > 0 }.map { $0 + 2 }.reduce(0, +)
      subject = min(widest(Self.subject), max(8, (width - fixed) / 2))
      notes = min(max(0, width - fixed - subject - 2), widest(Self.text))
    }

    static func subject(_ entry: Entry) -> String {
      TextLayout.singleLine(entry.plant?.name ?? entry.kind.words)
    }

    static func text(_ entry: Entry) -> String { TextLayout.singleLine(entry.text) }

    static func age(_ entry: Entry) -> String { entry.plantDay.map { "day \($0)" } ?? "" }

    static func pixels(_ entry: Entry) -> String { entry.photo?.size.description ?? "" }

    static func bytes(_ entry: Entry) -> String {
      entry.photo.map { Quantities.bytes($0.storedByteCount) } ?? ""
    }
  }
}

extension Entry {
  /// A star for a photo that is a favourite, what the kind says, the notes, and the tags.
  var text: String {
    let tags = tags.map { "#" + $0 }.joined(separator: " ")
    let parts = [content.summary, notes, tags].compactMap { $0 }.filter { !$0.isEmpty }
    let text = parts.joined(separator: " · ")
    return photo?.isFavourite == true ? "★ " + text : text
  }
}
