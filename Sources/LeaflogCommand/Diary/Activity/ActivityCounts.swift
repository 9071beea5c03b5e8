internal import Documents
internal import Fields
internal import Foundation
internal import Leaflog

/// The number of times an activity was done per week or month, as text, JSON or pictures.
struct ActivityCounts {
  let record: ActivityRecord
  let context: CommandContext

  private var global: GlobalOptions { context.options }

  private struct Document: Shown {
    let activity: ActivityDocument
    let items: [Bucket]

    static let shown = Fields<Document>([
      Field(adding: "activity", ActivityDocument.shown) { $0.activity },
      Field(adding: "items", each: Bucket.shown) { $0.items },
      Field(adding: "next", .cursor) { _ in nil }.orNull(),
    ])
  }

  func tell(by unit: BucketUnit) {
    let counts = record.counts(by: unit)
    if global.json {
      let activity = ActivityDocument(
        record.activity, doneToday: record.isDoneToday, today: record.today)
      return context.output.print(json: Document(activity: activity, items: counts))
    }
    BarChart(terminal: context.output.terminal).lines(
      counts.reversed().map {
        BarChart.Bar(name: $0.name, value: Double($0.count), label: "\($0.count)")
      }
    ).forEach(context.output.print)
    if counts.isEmpty, !global.quiet {
      context.error.print("\(ActivityText.title(record.activity)) has never been done.")
    }
  }

  private struct Made: Shown {
    let paths: [String]
    let missingGlyphCount: Int

    static let shown = Fields<Made>([
      Field(adding: "paths", .texts) { $0.paths },
      Field(adding: "missingGlyphCount", .count) { $0.missingGlyphCount },
    ])
  }

  /// - Parameters:
  ///   - path: a file whose name ends in `.svg`, or a folder, which is created if missing and gets a picture per unit.
  ///   - unit: nil draws weeks, and in a folder months as well.
  func draw(to path: String, by unit: BucketUnit?) throws {
    let isFile = path.lowercased().hasSuffix(".svg")
    let units: [BucketUnit] = unit.map { [$0] } ?? (isFile ? [.week] : [.week, .month])
    if !isFile {
      try FileManager.default.createDirectory(
        atPath: context.path(path), withIntermediateDirectories: true)
    }
    var paths: [String] = []
    var missing = 0
    for unit in units {
      let document = try record.svg(by: unit)
      let file = isFile ? path : "\(path)/\(unit.rawValue)s.svg"
      try document.write(to: context.path(file))
      paths.append(file)
      missing += document.missingGlyphCount
    }
    if global.json {
      context.output.print(json: Made(paths: paths, missingGlyphCount: missing))
    } else if !global.quiet {
      for path in paths { context.output.print("Wrote \(TextLayout.singleLine(path))") }
    }
    DocumentOutput.warn(ofMissing: missing, context)
  }
}
