internal import DiaryCatalog
internal import Foundation
internal import SystemPackage

/// What came of reading a diary into a library.
public struct DiaryImportReport: Sendable, Hashable {
  /// What a diary has besides photos.
  public enum Part: Sendable, Hashable {
    case plant, activity, quote, setting
    case entry(EntryKind)

    /// All of them, as reports list them.
    public static let all: [Part] =
      EntryKind.allCases.filter { $0 != .photo }.map(Part.entry)
      + [.activity, .plant, .quote, .setting]

    /// As JSON names it.
    public var name: String {
      switch self {
      case .plant: "plant"
      case .activity: "activity"
      case .quote: "keptQuote"
      case .setting: "setting"
      case .entry(let kind): kind.rawValue
      }
    }
  }

  /// What was added; parts without any are absent.
  public let added: [Part: Int]
  /// What was there already, with the same id or name, and stays as it was.
  public let present: [Part: Int]
  /// What the file's took the place of.
  public let replaced: [Part: Int]
  /// What came in and deserves a look, each with its line and column: episodes that share days.
  public let warnings: [String]
  /// Completions of an older program that were one too many for their day.
  public let repeatedCount: Int
  /// Fields of an older program that nothing here corresponds to.
  public let ignoredFields: [String]
  public let isDryRun: Bool
}

/// Reads a diary that `DiaryExporter` wrote, as JSON or as a table, or that an older activity tracker
/// did. All of it comes in, or nothing.
public struct DiaryImporter: Sendable {
  private let library: Library

  public init(_ library: Library) { self.library = library }

  /// The largest file that is read.
  static let maxByteCount = 1 << 30

  /// Reads a file. `undo` takes it back.
  ///
  /// - Parameters:
  ///   - merge: what becomes of days that the library has; nil refuses the file.
  ///   - isDryRun: finds out what would come of it, and changes nothing.
  /// - Throws: `LeaflogError` that names the line and the column of what cannot be taken: with code
  ///   `conflict` for a day that has one already of what there is one a day of, `tooNew` for the file of
  ///   a newer version, and else `invalidRequest`.
  @discardableResult
  public func read(
    _ path: String, merge: DiaryMerge? = nil, isDryRun: Bool = false
  ) throws(LeaflogError) -> DiaryImportReport {
    try translating {
      let name = FilePath(path).lastComponent?.string ?? path
      let diary = try ParsedDiary(
        reading: SourceText(name: name, bytes: try Self.bytes(path)), in: library.timeZone)
      do {
        let counts = try library.catalog.bringIn(
          diary.batch, merge: merge, isDryRun: isDryRun, today: library.today,
          now: library.moment)
        return DiaryImportReport(
          added: Self.parts(counts.added), present: Self.parts(counts.present),
          replaced: Self.parts(counts.replaced),
          warnings: counts.overlaps.map { overlap in
            let names = EpisodeOverlap(others: overlap.others).names
            let reason = "the episode shares days with \(names)."
            return diary.failure(at: overlap.place, reason, .conflict).message
          },
          repeatedCount: diary.repeatedCount, ignoredFields: diary.ignoredFields.sorted(),
          isDryRun: isDryRun)
      } catch let obstacle as BatchObstacle {
        let error = LeaflogError(obstacle.error)
        let code = error.code == .notFound ? .invalidRequest : error.code
        throw diary.failure(at: obstacle.place, error.message, code)
      }
    }
  }

  private static func parts(_ counts: [BatchCounts.Part: Int]) -> [DiaryImportReport.Part: Int] {
    counts.reduce(into: [:]) { parts, count in
      let part: DiaryImportReport.Part =
        switch count.key {
        case .plant: .plant
        case .activity: .activity
        case .quote: .quote
        case .setting: .setting
        case .entry(let kind): .entry(kind)
        }
      parts[part] = count.value
    }
  }

  private static func bytes(_ path: String) throws -> [UInt8] {
    var bytes: [UInt8] = []
    do {
      let file = try FileDescriptor.open(FilePath(path), .readOnly)
      try file.closeAfter {
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { chunk.deallocate() }
        while true {
          let count = try file.read(into: chunk)
          guard count > 0 else { return }
          bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: chunk[..<count]))
          // A device may have no end.
          guard bytes.count <= maxByteCount else {
            throw LeaflogError(.invalidRequest, "\(path) is larger than any diary: over 1 GiB.")
          }
        }
      }
    } catch let error as Errno {
      throw LeaflogError(
        error == .noSuchFileOrDirectory ? .notFound : .failed, "\(path) cannot be read: \(error).")
    }
    return bytes
  }
}
