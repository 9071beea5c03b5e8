internal import Fields
internal import Foundation
internal import Leaflog

/// Entries as lines of text, one per entry, grouped by day.
struct TimelineText {
  let terminal: Terminal
  /// The library's time zone.
  let zone: TimeZone

  func lines(_ entries: [Entry]) -> [String] { blocks(entries).flatMap(\.lines) }

  /// Each entry with its lines, preceded by the heading of its day where a new one begins.
  func blocks(_ entries: [Entry]) -> [(entry: Entry, lines: [String])] {
    var heading: String?
    return zip(entries, table(entries).blocks).map { entry, block in
      var lines = block.map { "  " + $0 }
      let own = Self.heading(entry.time)
      if own != heading { lines.insert(terminal.styled(own, .bold), at: 0) }
      heading = own
      return (entry, lines)
    }
  }

  /// `2026-03-01 Sunday`; `May 1978` or `1978` if no more is known.
  static func heading(_ time: EntryTime) -> String {
    switch time.precision {
    case nil: return heading(time.localDay)
    case .month:
      let names = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
      ]
      let (year, month, _) = time.localDay.civil
      return "\(names[month - 1]) \(year)"
    case .year: return time.date
    }
  }

  /// The day with the time of day, as far as they are known.
  static func moment(_ time: EntryTime, in zone: TimeZone) -> String {
    time.basis == .day ? heading(time) : "\(heading(time)) \(clock(time, in: zone))"
  }

  static func heading(_ day: LocalDay) -> String {
    let names = [
      "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]
    return "\(day) \(names[day.weekday - 1])"
  }

  /// The entries as a table, with notes in the room that the other columns leave.
  private func table(_ entries: [Entry]) -> TextTable {
    let width = terminal.width
    var table = TextTable(
      terminal,
      [
        .init(isKept: true), .init(style: .green, isKept: true), .init(isKept: true), .init(),
        .init(isRightAligned: true, limit: width < 100 ? 0 : .max),
        .init(isRightAligned: true, limit: width < 60 ? 0 : .max), .init(style: .dim),
      ], entries.map(row), indentation: 2)
    let measures = [4, 5].map { min(table.textWidth($0), table.columns[$0].limit) }
    // The indentation, the clock, the id, and two spaces before each column that is shown.
    let fixed =
      2 + table.textWidth(0) + 2 + 8 + 4 + table.textWidth(2)
      + measures.filter { $0 > 0 }.map { $0 + 2 }.reduce(0, +)
    let subject = min(table.textWidth(1), max(8, (width - fixed) / 2))
    table.columns[1].limit = subject
    table.columns[3].limit = max(
      width < TextTable.leastWidth ? 1 : 0, width - fixed - subject - 2)
    return table
  }

  private func row(_ entry: Entry) -> [TextTable.Cell] {
    [
      .init(Self.clock(entry.time, in: zone)),
      .init(TextLayout.singleLine(entry.plant?.name ?? entry.kind.words)),
      .init(entry.plantDay.map { "day \($0)" } ?? ""), .init(TextLayout.singleLine(entry.text)),
      .init(entry.photo?.size.description ?? ""),
      .init(entry.photo.map { Quantities.bytes($0.storedByteCount) } ?? ""),
      .init(entry.id.short),
    ]
  }

  /// The time of day, blank if there is none. A recorded offset is appended where it differs from that of the library's
  /// time zone, so that no list looks out of order: `11:49 +01:00`.
  static func clock(_ time: EntryTime, in zone: TimeZone) -> String {
    guard time.basis != .day else { return "     " }
    let text = String(time.wall.description.dropFirst(11).prefix(5))
    guard time.basis == .zoned, zone.offset(atWall: time.wall) != time.offset else { return text }
    return "\(text) \(time.offset == .utc ? "+00:00" : time.offset.description)"
  }
}

extension Entry {
  /// A star for a favourite photo, the summary of the entry's kind, the notes, and the tags.
  var text: String {
    let tags = tags.map { "#" + $0 }.joined(separator: " ")
    let parts = [content.summary, notes, tags].compactMap { $0 }.filter { !$0.isEmpty }
    let text = parts.joined(separator: " · ")
    return photo?.isFavourite == true ? "★ " + text : text
  }
}

/// The counts of spans of days.
struct BucketList<Item: Shown>: Shown {
  let buckets: [Item]

  static var shown: Fields<BucketList> {
    Fields([Field(adding: "buckets", each: Item.shown) { $0.buckets }])
  }
}

/// Prints a page of the timeline, or counts its entries.
struct TimelineReport {
  let options: TimelineOptions
  let context: CommandContext

  private var global: GlobalOptions { context.options }

  /// - Parameters:
  ///   - kinds: empty means every kind.
  ///   - isChosen: the user has named the kinds, so that an empty page need not mean an empty library.
  func report(_ kinds: Set<EntryKind>, isChosen: Bool) throws {
    let library = try context.openLibrary(for: .reading)
    let query = try options.query(kinds, in: library)
    if let unit = options.by {
      let buckets = try library.timeline.buckets(query, by: unit)
      return printBuckets(Array(buckets.prefix(options.limit ?? buckets.count)))
    }
    let page = try library.timeline.page(
      query, at: try options.position(in: library), limit: options.limit ?? 50)
    if global.json {
      context.output.print(json: PageDocument(page))
    } else {
      let areAllDrawn = printText(page, library)
      if !global.quiet {
        printHint(page, isChosen: isChosen || options.isChosen)
      }
      if !areAllDrawn { throw ExitStatus.partlyDone.exitCode }
    }
  }

  /// Prints a page as text.
  ///
  /// - Returns: false if pictures were requested and not all were available.
  private func printText(_ page: Page<Entry>, _ library: Library) -> Bool {
    let drawing = options.pictures ? TerminalPictures(context) : nil
    if options.pictures, drawing == nil, !global.quiet {
      context.error.print(TerminalPictures.absence)
    }
    var areAllDrawn = true
    let text = TimelineText(terminal: context.output.terminal, zone: library.timeZone)
    for (entry, lines) in text.blocks(page.elements) {
      lines.forEach(context.output.print)
      guard let drawing, entry.kind == .photo else { continue }
      do throws(LeaflogError) {
        let photo = try library.photos.find(entry.id)
        drawing.write(try library.photos.thumbnailPixels(of: photo), in: .inTimeline)
      } catch {
        context.error.print("leaflog: cannot show a picture of \(entry.id.short): \(error.message)")
        areAllDrawn = false
      }
    }
    return areAllDrawn
  }

  private func printHint(_ page: Page<Entry>, isChosen: Bool) {
    if page.elements.isEmpty {
      context.error.print(
        isChosen
          ? "Nothing matches."
          : options.deleted
            ? "The trash is empty." : "Nothing here yet. `leaflog import FOLDER` adds photos.")
    } else if let next = page.next {
      let option = options.oldestFirst ? "--after" : "--before"
      context.error.print("For more, repeat with \(option) \(next)")
    }
  }

  private func printBuckets(_ buckets: [Bucket]) {
    if global.json {
      context.output.print(json: BucketList(buckets: buckets))
      return
    }
    let largest = buckets.map(\.count).max() ?? 1
    let digits = "\(largest)".count
    let room = max(10, context.output.terminal.width - 14 - digits)
    for bucket in buckets {
      let bar = String(repeating: "▇", count: max(1, bucket.count * room / largest))
      context.output.print(
        TextLayout.padded(bucket.name, to: 10) + "  "
          + TextLayout.rightAligned("\(bucket.count)", to: digits) + "  "
          + context.output.terminal.styled(bar, .green))
    }
  }

}
