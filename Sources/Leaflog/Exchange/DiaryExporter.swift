internal import DiaryCatalog
internal import DiaryModel
internal import Fields
public import Foundation
internal import SystemPackage

/// The destination of an export.
public enum ExportDestination: Sendable {
  /// The file at a path; an existing one is replaced, once everything has been written.
  case file(String)
  /// A function that takes the bytes piece by piece, for standard output or a response.
  case stream(@Sendable (UnsafeRawBufferPointer) throws -> Void)

  /// An open file, pipe or socket. The bytes follow those that were written to it before, and it stays open.
  ///
  /// Errors of writing are thrown as a `LeaflogError`. Writing to a pipe that nobody reads any more ends the process
  /// unless it ignores SIGPIPE.
  public static func handle(_ handle: FileHandle) -> ExportDestination {
    .stream { bytes in
      do { _ = try FileDescriptor(rawValue: handle.fileDescriptor).writeAll(bytes) } catch {
        let isFull = error as? Errno == .noSpace || error as? Errno == .diskQuotaExceeded
        throw LeaflogError(
          isFull ? .noSpace : .failed, "The open file cannot be written: \(error).")
      }
    }
  }
}

/// The result of an export.
public struct DiaryExportSummary: Sendable, Hashable {
  /// The size of the export, in bytes.
  public let byteCount: Int
  /// The number of rows of each table; nil for JSON.
  public let rowCounts: [DiaryCSV: Int]?
  /// The number of entries.
  public let entryCount: Int
  /// Whether the task was cancelled before everything was written. A file is as it was before then, and a stream has a
  /// part of the bytes, which is not counted.
  public let isInterrupted: Bool

  fileprivate static func interrupted(rowCounts: [DiaryCSV: Int]?) -> DiaryExportSummary {
    DiaryExportSummary(byteCount: 0, rowCounts: rowCounts, entryCount: 0, isInterrupted: true)
  }
}

/// Writes the diary without its photos: as JSON, from which `DiaryImporter` recreates the same diary,
/// or as CSV tables.
public struct DiaryExporter: Sendable {
  private let library: Library

  /// Creates an exporter of a library.
  public init(_ library: Library) { self.library = library }

  /// Writes everything but photos as JSON, the trash included. The same diary gives the same bytes.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read, or the destination cannot be written.
  public func writeJSON(
    into destination: ExportDestination
  ) throws(LeaflogError) -> DiaryExportSummary {
    try Self.interruptible(rowCounts: nil) {
      var entryCount = 0
      let byteCount = try Self.write(to: destination) { writer in
        try library.catalog.read { tables in
          entryCount = try JSONDiary(
            writer: writer, zone: library.unknownTimeZone ?? library.timeZone.identifier
          ).write(tables)
        }
      }
      return DiaryExportSummary(
        byteCount: byteCount, rowCounts: nil, entryCount: entryCount, isInterrupted: false)
    }
  }

  /// Writes one table as CSV (RFC 4180) in UTF-8 with a byte order mark, without the trash.
  ///
  /// - Parameters:
  ///   - plant: the plant whose entries to include; nil includes all entries. It does not apply to activities.
  ///   - first: the first day to include; nil sets no limit. Activities have no day.
  ///   - last: the last day to include; nil sets no limit.
  /// - Throws: `LeaflogError` when the catalog cannot be read, or the destination cannot be written.
  public func writeCSV(
    _ table: DiaryCSV, of plant: PlantID? = nil, from first: LocalDay? = nil,
    to last: LocalDay? = nil, into destination: ExportDestination
  ) throws(LeaflogError) -> DiaryExportSummary {
    try Self.interruptible(rowCounts: [:]) {
      try library.catalog.read { tables in
        try Self.write(table, tables, plant, first, last, to: destination)
      }
    }
  }

  /// Runs an export that ends with `CancellationError` when its task is cancelled.
  private static func interruptible(
    rowCounts: [DiaryCSV: Int]?, _ body: () throws -> DiaryExportSummary
  ) throws(LeaflogError) -> DiaryExportSummary {
    try translating {
      do { return try body() } catch is CancellationError {
        return .interrupted(rowCounts: rowCounts)
      }
    }
  }

  /// Writes all tables but that of photos into a folder, which is created if it is missing.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read, or the folder cannot be made or written.
  public func writeCSV(
    from first: LocalDay? = nil, to last: LocalDay? = nil, intoFolder folder: String
  ) throws(LeaflogError) -> DiaryExportSummary {
    if Task.isCancelled { return .interrupted(rowCounts: [:]) }
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw LeaflogError(
        .failed, "The folder \(folder) cannot be made: \(error.localizedDescription)")
    }
    return try translating {
      try library.catalog.read { tables in
        var rowCounts: [DiaryCSV: Int] = [:]
        var (byteCount, entryCount, isInterrupted) = (0, 0, false)
        for table in DiaryCSV.ofDiary {
          let path = FilePath(folder).appending(table.fileName).string
          let summary = try Self.interruptible(rowCounts: [:]) {
            try Self.write(table, tables, nil, first, last, to: .file(path))
          }
          isInterrupted = summary.isInterrupted
          if isInterrupted { break }
          byteCount += summary.byteCount
          entryCount += summary.entryCount
          rowCounts.merge(summary.rowCounts ?? [:]) { $1 }
        }
        return DiaryExportSummary(
          byteCount: byteCount, rowCounts: rowCounts, entryCount: entryCount,
          isInterrupted: isInterrupted)
      }
    }
  }

  private static func write(
    _ table: DiaryCSV, _ tables: CatalogTables, _ plant: PlantID?, _ first: LocalDay?,
    _ last: LocalDay?, to destination: ExportDestination
  ) throws -> DiaryExportSummary {
    let schema = CSVSchema.of(table, factors: try tables.factors.all().map(\.name))
    var rowCount = 0
    let byteCount = try write(to: destination) { writer in
      try writer.write(CSVText.mark + CSVText.line(schema.header))
      func write(_ cells: [String]) throws {
        rowCount += 1
        try writer.write(CSVText.line(cells))
      }
      if let kind = table.kind {
        try tables.entries.forEach(of: kind, plant, from: first, to: last) {
          try write(schema.cells($0))
        }
        return
      }
      for (activity, plant) in try tables.activities.exchanged() where activity.deletedAt == nil {
        let row = ActivityRow(
          id: activity.id, details: activity.details, plant: plant, rank: activity.rank,
          createdAt: activity.createdAt.map { CellTime(.instant($0)) })
        try write(ActivityRow.fields.cells(of: row))
      }
    }
    return DiaryExportSummary(
      byteCount: byteCount, rowCounts: [table: rowCount],
      entryCount: table.kind == nil ? 0 : rowCount, isInterrupted: false)
  }

  /// Passes `body` a writer for the destination. A file is created completely or not at all.
  private static func write(
    to destination: ExportDestination, _ body: (ChunkWriter) throws -> Void
  ) throws -> Int {
    switch destination {
    case .stream(let send):
      let writer = ChunkWriter(send)
      try body(writer)
      try writer.flush()
      return writer.byteCount
    case .file(let name):
      let path = FilePath(name)
      let output = try OutputFile(path)
      let file: FileDescriptor
      do { file = try FileDescriptor.open(output.temporary, .writeOnly) } catch {
        throw OutputFile.failure(path, error as? Errno ?? .ioError)
      }
      try file.closeAfter {
        let writer = ChunkWriter { bytes in
          do { _ = try file.writeAll(bytes) } catch {
            throw OutputFile.failure(path, error as? Errno ?? .ioError)
          }
        }
        try body(writer)
        try writer.flush()
      }
      try Task.checkCancellation()
      return try output.replace()
    }
  }
}

/// Writes text in large pieces, until its task is cancelled.
final class ChunkWriter {
  private let send: (UnsafeRawBufferPointer) throws -> Void
  private var buffer: [UInt8] = []
  private(set) var byteCount = 0

  private static let chunkByteCount = 1 << 16

  init(_ send: @escaping (UnsafeRawBufferPointer) throws -> Void) {
    self.send = send
    buffer.reserveCapacity(Self.chunkByteCount * 2)
  }

  func write(_ text: String) throws { try write(text.utf8) }

  func write(_ bytes: some Sequence<UInt8>) throws {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.chunkByteCount { try flush() }
  }

  /// - Throws: what the receiver throws, or `CancellationError`.
  func flush() throws {
    try Task.checkCancellation()
    try buffer.withUnsafeBytes(send)
    byteCount += buffer.count
    buffer.removeAll(keepingCapacity: true)
  }
}

/// Writes the JSON document: sorted names, two spaces per level, one thing after the other.
private struct JSONDiary {
  let writer: ChunkWriter
  /// The library's zone, in which times without an offset were read.
  let zone: String

  /// - Returns: how many entries it wrote.
  func write(_ tables: CatalogTables) throws -> Int {
    var entryCount = 0
    try writer.write("{\n")
    try list("activities", of: ExchangedActivity.self) { write in
      for (activity, _) in try tables.activities.exchanged() { try write(activity) }
    }
    try list("entries", of: FiledEntry.self) { write in
      // Photos are no part of an exported diary.
      try tables.entries.forEach { entry in
        try write(FiledEntry(entry))
        entryCount += 1
      }
    }
    let factors = try tables.factors.all().map { ExchangedFactor($0) }
    // A file without factors can be read by versions that know none.
    if !factors.isEmpty {
      try list("factors", of: ExchangedFactor.self) { try factors.forEach($0) }
    }
    try member("format") { $0.write(.text(DiaryFormat.name)) }
    try list("plants", of: ExchangedPlant.self) { try tables.plants.exchanged().forEach($0) }
    try list("quotes", of: ExchangedQuote.self) { try tables.quotes.exchanged().forEach($0) }
    let settings = try tables.settings.exchanged().map { ($0.key.rawValue, $0.value) }
    try member("settings") { json in
      json.object { json in
        for (name, value) in settings.sorted(by: { $0.0 < $1.0 }) {
          json.member(name) { $0.write(.text(value)) }
        }
      }
    }
    try member("timeZone") { $0.write(.text(zone)) }
    try member("version", isLast: true) { $0.write(.whole(DiaryFormat.version)) }
    try writer.write("}\n")
    return entryCount
  }

  private func member(
    _ name: String, isLast: Bool = false, _ value: (inout JSONWriter) -> Void
  ) throws {
    var json = JSONWriter(level: 1)
    value(&json)
    try writer.write("  \"\(name)\" : ")
    try writer.write(json.bytes)
    try writer.write(isLast ? "\n" : ",\n")
  }

  private func list<Thing: Fielded>(
    _ name: String, of type: Thing.Type, _ body: ((Thing) throws -> Void) throws -> Void
  ) throws {
    try writer.write("  \"\(name)\" : [")
    var isEmpty = true
    try body { thing in
      var json = JSONWriter(level: 2)
      Thing.fields.write(thing, to: &json)
      try writer.write(isEmpty ? "\n    " : ",\n    ")
      try writer.write(json.bytes)
      isEmpty = false
    }
    try writer.write(isEmpty ? "],\n" : "\n  ],\n")
  }
}
