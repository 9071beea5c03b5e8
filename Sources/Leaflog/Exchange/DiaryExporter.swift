internal import DiaryCatalog
internal import Foundation
internal import SystemPackage

/// The destination of an export.
public enum ExportDestination: Sendable {
  /// A file; an existing one is replaced.
  case file(String)
  /// A function that takes the bytes piece by piece, for standard output or a response.
  case stream(@Sendable (UnsafeRawBufferPointer) throws -> Void)
}

/// The result of an export.
public struct DiaryExportSummary: Sendable, Hashable {
  /// The size of the export, in bytes.
  public let byteCount: Int
  /// The number of rows of each table; nil for JSON.
  public let rowCounts: [DiaryCSV: Int]?
  /// The number of entries.
  public let entryCount: Int
}

/// Writes the diary without its photos: as JSON, from which `DiaryImporter` recreates the same diary,
/// or as CSV tables.
public struct DiaryExporter: Sendable {
  private let library: Library

  /// Creates an exporter of a library.
  public init(_ library: Library) { self.library = library }

  /// Writes everything but photos as JSON, the trash included. The same diary gives the same bytes.
  public func writeJSON(
    to destination: ExportDestination
  ) throws(LeaflogError) -> DiaryExportSummary {
    try translating {
      var entryCount = 0
      let byteCount = try Self.write(to: destination) { writer in
        try library.catalog.read { tables in
          entryCount = try JSONDiary(
            writer, in: library.unknownTimeZone ?? library.timeZone.identifier
          ).write(tables)
        }
      }
      return DiaryExportSummary(byteCount: byteCount, rowCounts: nil, entryCount: entryCount)
    }
  }

  /// Writes one table as CSV (RFC 4180) in UTF-8 with a byte order mark, without the trash.
  ///
  /// - Parameters:
  ///   - first: the first day to include; nil sets no limit. Activities have no day.
  ///   - last: the last day to include; nil sets no limit.
  public func writeCSV(
    _ table: DiaryCSV, from first: LocalDay? = nil, to last: LocalDay? = nil,
    to destination: ExportDestination
  ) throws(LeaflogError) -> DiaryExportSummary {
    try translating {
      try library.catalog.read { tables in
        try Self.write(table, tables, first, last, to: destination)
      }
    }
  }

  /// Writes all tables into a folder, which is created if it is missing.
  public func writeCSV(
    from first: LocalDay? = nil, to last: LocalDay? = nil, intoFolder folder: String
  ) throws(LeaflogError) -> DiaryExportSummary {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw LeaflogError(
        .failed, "The folder \(folder) cannot be made: \(error.localizedDescription)")
    }
    return try translating {
      try library.catalog.read { tables in
        var rowCounts: [DiaryCSV: Int] = [:]
        var (byteCount, entryCount) = (0, 0)
        for table in DiaryCSV.allCases {
          let path = FilePath(folder).appending(table.fileName).string
          let summary = try Self.write(table, tables, first, last, to: .file(path))
          byteCount += summary.byteCount
          entryCount += summary.entryCount
          rowCounts.merge(summary.rowCounts ?? [:]) { $1 }
        }
        return DiaryExportSummary(
          byteCount: byteCount, rowCounts: rowCounts, entryCount: entryCount)
      }
    }
  }

  private static func write(
    _ table: DiaryCSV, _ tables: CatalogTables, _ first: LocalDay?, _ last: LocalDay?,
    to destination: ExportDestination
  ) throws -> DiaryExportSummary {
    let schema = CSVSchema.of(table)
    var rowCount = 0
    let byteCount = try write(to: destination) { writer in
      try writer.write(CSVText.mark + CSVText.line(schema.columns))
      func write(_ cells: [String]) throws {
        rowCount += 1
        try writer.write(CSVText.line(cells))
      }
      if let kind = table.kind {
        try tables.entries.forEach(of: kind, from: first, to: last) { try write(schema.cells($0)) }
        return
      }
      let columns = CSVColumn<ActivityCells>.all
      for (activity, plant) in try tables.activities.exchanged() where activity.deletedAt == nil {
        let cells = ActivityCells(activity, plant: plant)
        try write(columns.map { $0.cell(cells) })
      }
    }
    return DiaryExportSummary(
      byteCount: byteCount, rowCounts: [table: rowCount],
      entryCount: table.kind == nil ? 0 : rowCount)
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
      return try output.replace()
    }
  }
}

/// Writes text in large pieces.
final class ChunkWriter {
  private let send: (UnsafeRawBufferPointer) throws -> Void
  private var buffer: [UInt8] = []
  private(set) var byteCount = 0

  private static let chunkByteCount = 1 << 16

  init(_ send: @escaping (UnsafeRawBufferPointer) throws -> Void) {
    self.send = send
    buffer.reserveCapacity(Self.chunkByteCount * 2)
  }

  func write(_ text: String) throws {
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= Self.chunkByteCount { try flush() }
  }

  func flush() throws {
    try buffer.withUnsafeBytes(send)
    byteCount += buffer.count
    buffer.removeAll(keepingCapacity: true)
  }
}

/// Writes the JSON document: sorted names, two spaces per level, each part encoded by itself.
private struct JSONDiary {
  private let writer: ChunkWriter
  /// The library's zone, in which times without an offset were read.
  private let zone: String
  private let encoder = JSONEncoder()

  init(_ writer: ChunkWriter, in zone: String) {
    (self.writer, self.zone) = (writer, zone)
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  }

  /// - Returns: how many entries it wrote.
  func write(_ tables: CatalogTables) throws -> Int {
    var entryCount = 0
    try writer.write("{\n")
    try list(ExchangedActivity.self) { write in
      for (activity, _) in try tables.activities.exchanged() { try write(activity) }
    }
    try list(Entry.self) { write in
      try tables.entries.forEach { entry in
        try write(entry)
        entryCount += 1
      }
    }
    try member("format", DiaryFormat.name)
    try list(ExchangedPlant.self) { write in try tables.plants.exchanged().forEach(write) }
    try list(ExchangedQuote.self) { write in try tables.quotes.exchanged().forEach(write) }
    let settings = try tables.settings.exchanged()
    try member("settings", Dictionary(settings.map { ($0.key.rawValue, $0.value) }) { $1 })
    try member("timeZone", zone)
    try member("version", DiaryFormat.version, isLast: true)
    try writer.write("}\n")
    return entryCount
  }

  private func member(_ name: String, _ value: some Encodable, isLast: Bool = false) throws {
    try writer.write("  \"\(name)\" : \(text(value, level: 1))\(isLast ? "" : ",")\n")
  }

  private func list<Part: DiaryPart>(
    _ type: Part.Type, _ body: ((Part) throws -> Void) throws -> Void
  ) throws {
    try writer.write("  \"\(Part.part)\" : [")
    var isEmpty = true
    try body { part in
      try writer.write((isEmpty ? "\n    " : ",\n    ") + text(WrittenPart(part: part), level: 2))
      isEmpty = false
    }
    try writer.write(isEmpty ? "],\n" : "\n  ],\n")
  }

  /// A value's JSON, indented for its level. JSON strings contain no line breaks, so every line break
  /// is part of the layout.
  private func text(_ value: some Encodable, level: Int) throws -> String {
    let indent = String(repeating: "  ", count: level)
    let text = String(decoding: try encoder.encode(value), as: UTF8.self)
    var lines: [Substring] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      // Foundation puts line breaks even into an empty list.
      if let last = lines.last, last.isEmpty, lines.count > 1 {
        lines.removeLast()
        lines[lines.count - 1] += line.drop { $0 == " " }
      } else {
        lines.append(line)
      }
    }
    return lines.joined(separator: "\n" + indent)
  }
}
