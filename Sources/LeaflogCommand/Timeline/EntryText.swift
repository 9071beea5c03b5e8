internal import Foundation
internal import Leaflog

/// All details of an entry other than a photo, one field per line.
enum EntryText {
  /// Shows an entry, in JSON together with its neighbours on the timeline.
  static func show(_ entry: Entry, in library: Library, _ context: CommandContext) throws {
    guard context.options.json else { return report(entry, in: library, context) }
    context.output.print(json: try ShownDocument(entry, of: entry, in: library))
  }

  static func report(_ entry: Entry, in library: Library, _ context: CommandContext) {
    if context.options.json { return context.output.print(json: entry) }
    let fields = FieldList(terminal: context.output.terminal, nameWidth: 14)
    func row(_ name: String, _ value: String?) {
      fields.lines(name, value).forEach(context.output.print)
    }
    row("Id", entry.id.description)
    row("Day", TimelineText.moment(entry.time, in: library.timeZone))
    for (name, value) in rows(entry.content) { row(name, value) }
    row("Duration", entry.episodeDuration(on: library.today))
    row("Plant", entry.plant?.name)
    row("Notes", entry.notes)
    row("Tags", entry.tags.listed)
    if entry.deletedAt != nil { row("", "In the trash.") }
  }

  private typealias Field = (name: String, value: String?)

  private static func rows(_ content: EntryContent) -> [Field] {
    switch content {
    case .photo: []
    case .symptom(let symptom):
      [
        ("Symptom", symptom.name), ("Severity", symptom.severity.description),
        ("Medications", symptom.medications.listed),
      ]
    case .dailyLog(let log): rows(log)
    case .episode(let episode): rows(episode)
    case .quote(let quote):
      [
        ("Quote", "“\(quote.text)”"), ("Author", quote.author), ("Source", quote.source),
        ("Quote's id", quote.id.description),
      ]
    case .completion(let completion):
      [
        ("Done", "\(completion.activity.emoji) \(completion.activity.name)"),
        ("Source", completion.source),
      ]
    default: [(content.kind.words.capitalized, content.summary)]
    }
  }

  private static func rows(_ log: DailyLog) -> [Field] {
    let known = LogField.builtIn.map { field -> Field in
      let value: String? =
        switch field.value(log) {
        case .flag(let flag): flag ? "yes" : "no"
        case .number(let number): Quantities.decimal(number, digits: 2) + unit(of: field)
        case .whole(let number): "\(number)" + unit(of: field)
        case .text(let choice): choice
        default: nil
        }
      return Field(field.heading, value)
    }
    return known + log.factors.items.map { Field($0.name, $0.words) }
  }

  /// The unit of a value of one day, after a space.
  private static func unit(of field: LogField) -> String {
    switch field.unit {
    case .minutes: " min"
    case let unit?: " \(unit.words)"
    case nil: ""
    }
  }

  private static func rows(_ episode: Episode) -> [Field] {
    [
      ("Type", episode.type.words),
      ("Ended", episode.endDay.map(TimelineText.heading) ?? "ongoing"),
      ("Severity", ofFive(episode.severity)), ("Symptoms", episode.symptoms.map(\.words).listed),
      ("Mucus", episode.mucus.map { "\($0.words) (its colour is not diagnostic)" }),
      ("Worst", episode.worstTime?.words), ("Medications", episode.medications.listed),
      ("Doctor", episode.doctorVisit), ("Test result", episode.testResult),
    ]
  }

  private static func ofFive(_ value: Int?) -> String? { value.map { "\($0) of 5" } }
}

/// All details of a photo, one field per line.
struct PhotoText {
  let library: Library
  let context: CommandContext

  /// Prints a photo; `drawn` adds its thumbnail.
  func report(_ photo: Photo, drawn: Bool) throws {
    if context.options.json {
      let document = PhotoDocument(photo, pathsIn: library)
      return context.output.print(json: try ShownDocument(document, of: photo.entry, in: library))
    }
    printText(photo)
    if drawn { try draw(photo) }
  }

  private func draw(_ photo: Photo) throws {
    if let drawing = TerminalPictures(context) {
      drawing.write(try library.photos.thumbnailPixels(of: photo), in: .single)
    } else if !context.options.quiet {
      context.error.print(TerminalPictures.absence)
    }
  }

  private func printText(_ photo: Photo) {
    let fields = FieldList(
      terminal: context.output.terminal, nameWidth: 12, isSingleLine: true)
    func row(_ name: String, _ value: String?) {
      fields.lines(name, value).forEach(context.output.print)
    }
    let entry = photo.entry
    row("Photo", entry.id.description)
    row("Plant", entry.plant.map { $0.name + (entry.plantDay.map { ", day \($0)" } ?? "") })
    row("Taken", "\(timeText(entry.time)), from \(sourceText(photo))")
    row("Notes", entry.notes)
    row("Tags", entry.tags.listed)
    if entry.photo?.isFavourite == true { row("Favourite", "★") }
    if let summary = entry.photo {
      row("Size", "\(summary.size) px")
      row(
        "Stored",
        "\(Quantities.bytes(summary.storedByteCount)) of \(Quantities.bytes(summary.sourceByteCount))"
      )
      row("SHA-256", summary.sourceDigest.hex)
    }
    for rendition in photo.renditions {
      row(
        rendition.role.rawValue,
        "\(Quantities.bytes(rendition.byteCount)), \(rendition.size) px, \(rendition.recipe)")
      row("", library.photos.path(of: rendition))
    }
    for path in photo.sourcePaths { row("Imported", path) }
    for warning in photo.warnings { row("Note", warning.explanation) }
    if entry.deletedAt != nil { row("", "In the trash.") }
  }

  private func timeText(_ time: EntryTime) -> String {
    switch (time.basis, time.precision) {
    case (.zoned, _): "\(time.wall) \(time.offset)"
    case (.wall, _): "\(time.wall) (zone not recorded)"
    case (.instant, _): "\(time.wall) \(time.offset) (recorded in UTC)"
    case (.day, nil): "\(time.date) (time of day not recorded)"
    case (.day, .month): "\(TimelineText.heading(time)) (day not recorded)"
    case (.day, .year): "\(TimelineText.heading(time)) (month not recorded)"
    }
  }

  private func sourceText(_ photo: Photo) -> String {
    if photo.warnings.contains(.dateIsChangeTime) { return "EXIF DateTime" }
    if photo.warnings.contains(.dateIsImportTime) { return "the time of the import" }
    return switch photo.entry.photo?.captureSource {
    case .sidecar: "an XMP sidecar"
    case .exif: "EXIF"
    case .xmp: "the XMP in the file"
    case .iptc: "the IPTC data in the file"
    case .png: "the PNG's text Creation Time"
    case .gps: "GPS"
    case .takeout: "Google Takeout's JSON"
    case .filename: "the file's name"
    case .mtime: "the file's modification time"
    case .manual, nil: "you"
    }
  }

}
