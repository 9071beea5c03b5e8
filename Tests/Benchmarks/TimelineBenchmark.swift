import BlobStorage
import DiaryCatalog
import Foundation
import GRDBSQLite
import Leaflog
import SystemPackage
import TestSupport

/// Reads a page of 50 out of a million entries: through the library, by SQLite's C API, and as a command.
struct TimelineBenchmark {
  let entryCount: Int

  private static let pageCount = 3000

  func run() throws {
    let folder = try TemporaryFolder(inMemory: false)
    try Library.create(at: folder.path).close()
    let filling = ContinuousClock.now
    try Self.fill(folder.path, entryCount: entryCount, plantCount: 40)
    print("made \(entryCount) entries in \(Int((ContinuousClock.now - filling).inSeconds)) s")

    let library = try Library.open(at: folder.path, for: .reading)
    let places = (0..<Self.pageCount).map { _ in
      let time = Self.first + Int64.random(in: 0..<Int64(entryCount)) * Self.step
      return EntryTime(.instant(Timestamp(milliseconds: time)), in: .gmt)
    }
    let reference = try SQLitePages(folder.file("catalog.sqlite"))
    // Alternating: each position once by either, after a warm-up.
    var ours: [Double] = []
    var theirs: [Double] = []
    for (number, place) in places.enumerated() {
      let first = ContinuousClock.now
      let page = try library.timeline.page(
        at: .cursor(.time(place, heading: .older)), limit: 50)
      let second = ContinuousClock.now
      let count = reference.read(before: place)
      let third = ContinuousClock.now
      precondition(page.elements.count == min(50, count))
      if number >= 100 {
        ours.append((second - first).inSeconds * 1e6)
        theirs.append((third - second).inSeconds * 1e6)
      }
    }
    print("page of 50, microseconds:      median   99 %")
    print(row("  through the library", ours))
    print(row("  SQLite's C API", theirs))
    let ratio = Measurement.median(ours) / Measurement.median(theirs)
    print("  ratio of medians \(String(format: "%.2f", ratio))")
    try commands(folder)
  }

  private func row(_ name: String, _ values: [Double]) -> String {
    name.padding(toLength: 28, withPad: " ", startingAt: 0)
      + String(
        format: "%8.0f %8.0f", Measurement.median(values), Measurement.percentile(values, 0.99))
  }

  private func commands(_ folder: TemporaryFolder) throws {
    let leaflog = ["leaflog", "timeline", "--library", folder.path]
    let binary = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("leaflog").path
    var times: [[Double]] = [[], []]
    for round in 0..<21 {
      let runs = try [
        Measurement.run([binary] + leaflog.dropFirst()), Measurement.run(["vips", "--version"]),
      ]
      precondition(runs.allSatisfy { $0.status == 0 })
      if round > 0 {
        for (index, run) in runs.enumerated() { times[index].append(run.seconds * 1000) }
      }
    }
    let medians = times.map(Measurement.median)
    print(
      String(
        format: "whole command: %.1f ms, vips --version: %.1f ms, ratio %.2f", medians[0],
        medians[1],
        medians[0] / medians[1]))
  }

  private static let first: Int64 = 1_000_000_000_000
  /// The milliseconds between photos, for a camera that shoots every ten minutes.
  static let step: Int64 = 600_000

  /// - Parameter path: the path of the library.
  static func fill(_ path: String, entryCount: Int, plantCount: Int) throws {
    let catalog = try Catalog(
      path: path + "/catalog.sqlite",
      access: .readWrite(lock: FileLock(FilePath(path + "/lock"))))
    let batch = 20_000
    for start in stride(from: 0, to: entryCount, by: batch) {
      let records = (start..<min(start + batch, entryCount)).map {
        ImportRecord(
          content: .new(
            photo(
              $0, of: plantCount, at: Timestamp(milliseconds: first + Int64($0) * step))),
          file: nil)
      }
      _ = try catalog.record(
        records, as: OpenChange(.importPhotos), now: Timestamp(milliseconds: first),
        confirm: { _ in })
    }
    try catalog.close()
  }

  /// An artificial photo with this number.
  static func photo(_ number: Int, of plantCount: Int = 40, at time: Timestamp) -> NewPhoto {
    func blob(_ role: String) -> BlobID {
      Array("\(role) \(number)".utf8).withUnsafeBytes { BlobID(hashing: $0) }
    }
    let size = PixelSize(width: 4032, height: 3024)
    return NewPhoto(
      sourceDigest: blob("source"), sourceByteCount: 3_000_000, sourceMediaType: "image/jpeg",
      originalName: "IMG_\(number).JPG", size: size,
      time: EntryTime(.instant(time), in: .gmt),
      captureSource: .exif, notes: number % 20 == 0 ? "watered, \(number % 7) new leaves" : nil,
      plant: .named("plant \(number % plantCount)"), placeholder: Array(repeating: 7, count: 25),
      warnings: [],
      renditions: [
        Rendition(
          role: .master, blob: blob("master"), byteCount: 1_000_000, mediaType: "image/jpeg",
          size: size, recipe: "benchmark"),
        Rendition(
          role: .thumbnail, blob: blob("thumbnail"), byteCount: 30_000, mediaType: "image/jpeg",
          size: PixelSize(width: 512, height: 384), recipe: "benchmark"),
      ])
  }
}

/// The same query through SQLite's own API, reading every column.
private final class SQLitePages {
  private var database: OpaquePointer?
  private var statement: OpaquePointer?

  init(_ path: String) throws {
    let sql =
      EntrySelection.sql
      + " WHERE e.deletedAt IS NULL AND (e.localDay, e.occurredAt, e.seq) < (?, ?, ?)"
      + " ORDER BY e.localDay DESC, e.occurredAt DESC, e.seq DESC LIMIT ?"
    guard sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, nil) == SQLITE_OK,
      sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK
    else { throw CocoaError(.fileReadUnknown) }
  }

  deinit {
    sqlite3_finalize(statement)
    sqlite3_close(database)
  }

  /// Reads a page, and returns the number of rows.
  func read(before place: EntryTime) -> Int {
    let isCopied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    sqlite3_bind_text(statement, 1, place.localDay.description, -1, isCopied)
    sqlite3_bind_int64(statement, 2, place.instant.milliseconds)
    sqlite3_bind_int64(statement, 3, .min)
    sqlite3_bind_int64(statement, 4, 51)
    var count = 0
    var total = 0
    while sqlite3_step(statement) == SQLITE_ROW {
      for column in 0..<sqlite3_column_count(statement) {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: total &+= Int(sqlite3_column_int64(statement, column))
        case SQLITE_TEXT: total &+= Int(sqlite3_column_text(statement, column)[0])
        case SQLITE_BLOB: total &+= Int(sqlite3_column_bytes(statement, column))
        default: break
        }
      }
      count += 1
    }
    sqlite3_reset(statement)
    precondition(total != 0 || count == 0)
    return count
  }
}
