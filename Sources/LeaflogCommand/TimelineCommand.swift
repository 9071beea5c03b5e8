import ArgumentParser
internal import Leaflog

/// `leaflog timeline`
struct TimelineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "timeline", abstract: "Read the diary, most recent first, a page at a time.",
    discussion: TerminalPictures.help)

  @OptionGroup var named: PlantArgument

  @Option(help: "Only this kind; can be given several times.")
  var kind: [EntryKind] = []

  @Option(help: "How many entries a page has, or with --by how many counts, 1 to 1000; 50, or all.")
  var limit: Int?

  @Option(help: "A page's cursor, to go where it leads; or a date, for what is older.")
  var before: PlaceArgument?

  @Option(help: "A page's cursor, to go where it leads; or a date, for what is newer.")
  var after: PlaceArgument?

  @Option(help: "A page with this cursor's place, or this date, in its middle.")
  var around: PlaceArgument?

  @Option(help: "The first day to show.")
  var from: DayArgument?

  @Option(help: "The last day to show.")
  var to: DayArgument?

  @Option(help: "Count entries by day, week, month or year instead.")
  var by: BucketUnit?

  @Flag(help: "Begin at the oldest.")
  var oldestFirst = false

  @Flag(help: "Show the trash.")
  var deleted = false

  @Flag(help: "Draw each photo's thumbnail below its line.")
  var pictures = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if pictures { try global.allowPictures("--pictures") }
    if pictures, by != nil {
      throw ValidationError("--pictures and --by do not go together: --by only counts.")
    }
    if let limit, !(1...1000).contains(limit) {
      throw ValidationError("--limit takes 1 to 1000, not \(limit).")
    }
    guard [before, after, around].compactMap({ $0 }).count <= 1 else {
      throw ValidationError("Give one of --before, --after and --around.")
    }
  }

  func run() throws {
    let library = try global.openLibrary(for: .reading)
    let query = TimelineQuery(
      plant: try named.text.map { try library.plant($0).id }, kinds: Set(kind),
      firstDay: try from?.firstDay(in: library), lastDay: try to?.lastDay(in: library),
      order: oldestFirst ? .oldestFirst : .newestFirst, deleted: deleted)
    if let by {
      let buckets = try library.timeline.buckets(query, by: by)
      printBuckets(Array(buckets.prefix(limit ?? buckets.count)))
      return
    }
    let page = try library.timeline.page(query, at: try position(in: library), limit: limit ?? 50)
    if global.json {
      Output.result(JSON.line(Document(page)))
    } else {
      let areAllDrawn = printText(page, library)
      if !global.quiet { printHint(page) }
      if !areAllDrawn { throw ExitStatus.partlyDone.exitCode }
    }
  }

  /// False where pictures were asked for and not all could be had.
  private func printText(_ page: Page<Entry>, _ library: Library) -> Bool {
    let drawing = pictures ? TerminalPictures.onOutput() : nil
    if pictures, drawing == nil, !global.quiet { Output.error(TerminalPictures.absence) }
    var areAllDrawn = true
    for (entry, lines) in TimelineText(terminal: .output, zone: library.timeZone).blocks(
      page.elements)
    {
      lines.forEach(Output.result)
      guard let drawing, entry.kind == .photo else { continue }
      do throws(LeaflogError) {
        let photo = try library.photo(entry.id.description)
        drawing.write(try library.thumbnailPixels(of: photo), in: .inTimeline)
      } catch {
        Output.error("leaflog: no picture of \(entry.id.short): \(error.message)")
        areAllDrawn = false
      }
    }
    return areAllDrawn
  }

  private func position(in library: Library) throws -> TimelinePosition {
    if let around { return .around(try around.cursor(heading: .older, in: library)) }
    if let before { return .cursor(try before.cursor(heading: .older, in: library)) }
    if let after { return .cursor(try after.cursor(heading: .newer, in: library)) }
    return .start
  }

  private func printHint(_ page: Page<Entry>) {
    if page.elements.isEmpty {
      let isChosen = named.text != nil || !kind.isEmpty || from != nil || to != nil
      Output.error(
        isChosen
          ? "Nothing matches."
          : deleted
            ? "The trash is empty." : "Nothing here yet. `leaflog import FOLDER` adds photos.")
    } else if let next = page.next {
      Output.error("There is more: repeat it with \(oldestFirst ? "--after" : "--before") \(next)")
    }
  }

  private func printBuckets(_ buckets: [Bucket]) {
    if global.json {
      Output.result(JSON.line(["buckets": buckets.map(BucketDocument.init)]))
      return
    }
    let largest = buckets.map(\.count).max() ?? 1
    let digits = "\(largest)".count
    let room = max(10, Terminal.output.width - 14 - digits)
    for bucket in buckets {
      let bar = String(repeating: "▇", count: max(1, bucket.count * room / largest))
      Output.result(
        TextLayout.padded(bucket.name, to: 10) + "  "
          + TextLayout.rightAligned("\(bucket.count)", to: digits) + "  "
          + Terminal.output.styled(bar, .green))
    }
  }

  private struct Document: Encodable {
    let entries: [EntryDocument]
    let next: String?
    let previous: String?

    init(_ page: Page<Entry>) {
      entries = page.elements.map(EntryDocument.init)
      next = page.next?.description
      previous = page.previous?.description
    }

    private enum Key: CodingKey { case entries, next, previous }

    func encode(to encoder: any Encoder) throws {
      var object = encoder.container(keyedBy: Key.self)
      try object.encode(entries, forKey: .entries)
      try object.encode(next, forKey: .next)  // null at the end
      try object.encode(previous, forKey: .previous)
    }
  }
}
