internal import Documents
internal import Leaflog

/// Prints a page of the timeline, or counts its entries.
struct TimelineReport {
  let options: TimelineOptions
  let context: CommandContext

  private var global: GlobalOptions { context.options }

  /// - Parameters:
  ///   - kinds: empty means every kind.
  ///   - key: the name of the list of entries in JSON.
  func tell(_ kinds: Set<EntryKind>, as key: PageDocument.ListKey) throws {
    let library = try context.openLibrary(for: .reading)
    let query = try options.query(kinds, in: library)
    if let unit = options.by {
      let buckets = try library.timeline.buckets(query, by: unit)
      return printBuckets(Array(buckets.prefix(options.limit ?? buckets.count)))
    }
    let page = try library.timeline.page(
      query, at: try options.position(in: library), limit: options.limit ?? 50)
    if global.json {
      context.output.print(json: PageDocument(page, as: key))
    } else {
      let areAllDrawn = printText(page, library)
      if !global.quiet {
        printHint(page, isChosen: options.isChosen || key == .entries && !kinds.isEmpty)
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
        let photo = try library.photos.find(entry.id.description)
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
      context.output.print(json: ["buckets": buckets.map(BucketDocument.init)])
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
