internal import DiaryCatalog
internal import Foundation
internal import SystemPackage

/// The result of importing a diary.
public struct DiaryImportReport: Sendable, Hashable {
  /// A part of a diary, other than photos.
  @nonexhaustive
  public enum Part: Sendable, Hashable {
    /// Plants and activities.
    case plant, activity
    /// Quotes of the user's own, favourites or not.
    case quote
    /// Own factors of the daily log, and settings of the library.
    case factor, setting
    /// Entries of a kind, other than photos.
    case entry(EntryKind)

    /// All parts, in the order of reports.
    public static let all: [Part] =
      EntryKind.allCases.filter { $0 != .photo }.map(Part.entry)
      + [.activity, .plant, .quote, .factor, .setting]

    /// The name in JSON.
    public var name: String {
      switch self {
      case .plant: "plant"
      case .activity: "activity"
      case .quote: "keptQuote"
      case .factor: "factor"
      case .setting: "setting"
      case .entry(let kind): kind.rawValue
      }
    }
  }

  /// The number of items added; parts without any are absent.
  public let added: [Part: Int]
  /// The number of items that existed with the same id or name and were left unchanged.
  public let present: [Part: Int]
  /// The number of the library's items replaced by the file's.
  public let replaced: [Part: Int]
  /// Warnings about imported entries, each with its line and column: episodes that share days.
  public let warnings: [String]
  /// The number of completions of an Okie file skipped because their day had one already.
  public let repeatedCount: Int
  /// Fields of an Okie file that Leaflog has no counterpart for.
  public let ignoredFields: [String]
  /// The character between the columns of a table; nil for JSON.
  public let separator: CSVSeparator?
  /// Whether nothing was changed.
  public let isDryRun: Bool
  /// Whether the task was cancelled before everything was imported: nothing was changed, and nothing is counted.
  public private(set) var isInterrupted = false
}

extension DiaryImportReport {
  /// The report of an import that was cancelled.
  fileprivate static func interrupted(isDryRun: Bool) -> DiaryImportReport {
    var report = DiaryImportReport(
      added: [:], present: [:], replaced: [:], warnings: [], repeatedCount: 0, ignoredFields: [],
      separator: nil, isDryRun: isDryRun)
    report.isInterrupted = true
    return report
  }
}

/// Imports a diary that `DiaryExporter` wrote, as JSON or as a table, or a file of the activity tracker
/// Okie. Imports everything or nothing.
public struct DiaryImporter: Sendable {
  private let library: Library

  /// Creates an importer into a library.
  public init(_ library: Library) { self.library = library }

  /// Imports a file. It can be undone.
  ///
  /// - Parameters:
  ///   - merge: how conflicts with existing entries are resolved; nil refuses the file.
  ///   - isDryRun: computes the result and changes nothing.
  /// - Throws: `LeaflogError` that names the line and column of the value that cannot be imported:
  ///   with code `conflict` for a once-a-day entry of a day that has one already, `tooNew` for the
  ///   file of a newer version, and otherwise `invalidRequest`. `notFound` or `failed` when the file
  ///   cannot be read.
  @discardableResult
  public func read(
    _ path: String, merge: DiaryMerge? = nil, isDryRun: Bool = false
  ) throws(LeaflogError) -> DiaryImportReport {
    try read(
      GivenFile.bytes(of: path), named: FilePath(path).lastComponent?.string ?? path, merge: merge,
      isDryRun: isDryRun)
  }

  /// Imports the bytes of a file, under the name that errors give.
  ///
  /// - Throws: `LeaflogError` with code `conflict`, `tooNew` or `invalidRequest`, as for a file.
  @discardableResult
  public func read(
    _ bytes: [UInt8], named name: String, merge: DiaryMerge? = nil, isDryRun: Bool = false
  ) throws(LeaflogError) -> DiaryImportReport {
    try library.checkAlone()
    return try translating {
      do {
        let source = SourceText(name: name, bytes: bytes)
        return try add(
          DiaryFile(reading: source, in: library.timeZone, dayEnd: library.dayEnd), merge, isDryRun)
      } catch is CancellationError {
        return .interrupted(isDryRun: isDryRun)
      }
    }
  }

  private func add(
    _ diary: DiaryFile, _ merge: DiaryMerge?, _ isDryRun: Bool
  ) throws -> DiaryImportReport {
    do {
      let counts = try diary.batch.add(
        to: library.catalog, merge: merge, isDryRun: isDryRun, today: library.latestDay,
        now: library.clock.now)
      return DiaryImportReport(
        added: Self.parts(counts.added), present: Self.parts(counts.present),
        replaced: Self.parts(counts.replaced),
        warnings: counts.overlaps.map { overlap in
          let names = EpisodeOverlap(others: overlap.others).names
          let reason = "the episode shares days with \(names)."
          return diary.failure(at: overlap.place, reason, .conflict).message
        },
        repeatedCount: diary.repeatedCount, ignoredFields: diary.ignoredFields.sorted(),
        separator: diary.separator, isDryRun: isDryRun)
    } catch let blocker as BatchBlocker {
      let error = LeaflogError(blocker.error)
      let code = error.code == .notFound ? .invalidRequest : error.code
      throw diary.failure(at: blocker.place, error.message, code)
    }
  }

  private static func parts(_ counts: [BatchCounts.Part: Int]) -> [DiaryImportReport.Part: Int] {
    counts.reduce(into: [:]) { parts, count in
      let part: DiaryImportReport.Part =
        switch count.key {
        case .plant: .plant
        case .activity: .activity
        case .quote: .quote
        case .factor: .factor
        case .setting: .setting
        case .entry(let kind): .entry(kind)
        }
      parts[part] = count.value
    }
  }
}
