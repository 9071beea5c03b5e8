package import BlobStorage
package import DiaryModel
package import Foundation
internal import Synchronization
package import SystemPackage

/// A library's journal.
///
/// A file is removed once two snapshots cover it, and it is old or the journal is large. If the newer
/// snapshot is damaged, the older one and the frames after it still lead to the last commit; and backups
/// that are made now and then find all frames since the previous one.
package final class FrameFolder: FrameLog {
  private let files: FrameFiles
  /// The last commit that the older of the two newest snapshots of a lineage includes; nil without two.
  private let coveredCommit: @Sendable (_ lineage: UUID) throws -> Int?
  /// The last frame of the file that was written last, which need not be read again while the file has the
  /// same length.
  private let end = Mutex<(path: FilePath, byteCount: Int, frame: Frame)?>(nil)

  /// - Parameter coveredCommit: the last commit that the older of the two newest snapshots of a lineage includes.
  package init(
    _ files: FrameFiles, coveredCommit: @escaping @Sendable (_ lineage: UUID) throws -> Int?
  ) {
    (self.files, self.coveredCommit) = (files, coveredCommit)
  }

  private var store: LocalBlobStore { files.store }

  /// How long files that snapshots cover are kept.
  private static let daysKept: Int64 = 35
  /// The number of bytes that the journal may take during that time.
  private static let maxByteCount = 64 << 20

  package func last() throws -> Frame? {
    guard let part = try files.parts().last else { return nil }
    let byteCount = try part.byteCount
    if let end = end.withLock({ $0 }), end.path == part.path, end.byteCount == byteCount {
      return end.frame
    }
    guard let frame = try Frame.last(part.data) else { return nil }
    end.withLock { $0 = (part.path, byteCount, frame) }
    return frame
  }

  package func read(
    _ lineage: UUID, after commit: Int, _ body: ([Frame]) throws -> Void
  ) throws {
    guard commit < .max else { return }
    try files.read(lineage, (commit + 1)...(.max), body)
  }

  package func append(_ frame: Frame, isKnown: (Head) throws -> Bool) throws {
    try append(frame)
  }

  func append(_ frame: Frame) throws {
    guard let part = try files.parts().last else {
      throw JournalError(.damaged, "The journal in \(files.folder) is gone.")
    }
    end.withLock { $0 = nil }
    try store.append(frame.bytes, to: part.path)
    let byteCount = try part.byteCount
    end.withLock { $0 = (part.path, byteCount, frame) }
  }

  package func begin(_ start: Frame, keepsAll: Bool) throws {
    try store.makeFolder(files.folder)
    // Under a clock that is ahead everything looks old.
    let before = try files.parts().last?.begunAt ?? start.madeAt
    try store.write(start.bytes, to: files.path(first: start.commit + 1))
    if !keepsAll { try dropCovered(lineage: start.lineage, now: min(start.madeAt, before)) }
  }

  /// Removes files whose frames are all in the older of the two newest snapshots of the present lineage;
  /// snapshots of other lineages do not count.
  private func dropCovered(lineage: UUID, now: Timestamp) throws {
    let parts = try files.parts()
    let oldest = now.advanced(byMilliseconds: -86_400_000 * Self.daysKept)
    var byteCount = try parts.reduce(0) { try $0 + $1.byteCount }
    var covered: Int?
    for (part, next) in zip(parts, parts.dropFirst()) {
      // It ended when the next one was begun.
      let isOld = try next.begunAt.map { $0 < oldest } ?? true
      guard isOld || byteCount > Self.maxByteCount else { return }
      if covered == nil { covered = try coveredCommit(lineage) }
      guard let covered, next.first <= covered + 1 else { return }
      byteCount -= try part.byteCount
      try store.remove(part.path)
    }
  }

  /// Whether a snapshot should begin a new file, as files can only be removed as a whole.
  package func isPartFull(now: Timestamp) throws -> Bool {
    guard let part = try files.parts().last else { return true }
    let isOld =
      try part.begunAt.map { now.advanced(byMilliseconds: -86_400_000) >= $0 || $0 > now } ?? true
    return try isOld || part.byteCount > 1 << 20
  }

  /// Removes the whole journal.
  package func removeAll() throws {
    end.withLock { $0 = nil }
    try files.removeAll()
  }

  /// Passes `body` the frames and the damage in the files, in order.
  package func read(_ body: (Frame.Finding) throws -> Void) throws { try files.read(body) }
}

/// A folder of frames: `000000000123.frames` has those from commit 123 on, up to the next file's first.
package struct FrameFiles {
  package let folder: FilePath
  package let store: LocalBlobStore

  package init(_ folder: FilePath, _ store: LocalBlobStore) {
    (self.folder, self.store) = (folder, store)
  }

  /// One of the files.
  package struct Part {
    package let path: FilePath
    /// The first commit that it may contain.
    package let first: Int

    init(_ path: FilePath, first: Int) { (self.path, self.first) = (path, first) }

    init?(_ path: FilePath) {
      guard let name = path.lastComponent?.string, name.hasSuffix(".frames"),
        let first = Int(name.dropLast(7)), first > 0
      else { return nil }
      self.init(path, first: first)
    }

    package var byteCount: Int { get throws { try FileReader(path).byteCount } }

    /// The whole contents.
    package var data: Data {
      get throws {
        try Data(contentsOf: URL(fileURLWithPath: path.string), options: .mappedIfSafe)
      }
    }

    /// When it was begun; nil when it is damaged.
    package var begunAt: Timestamp? { get throws { try Frame(data)?.madeAt } }
  }

  /// The files, oldest first.
  package func parts() throws -> [Part] {
    try (store.directoryNames(folder) ?? [])
      .compactMap { Part(folder.appending($0)) }.sorted { $0.first < $1.first }
  }

  /// The path of the file that begins with a commit.
  package func path(first commit: Int) -> FilePath {
    let digits = String(commit)
    let zeros = String(repeating: "0", count: max(0, 12 - digits.count))
    return folder.appending(zeros + digits + ".frames")
  }

  /// Passes `body` the frames and the damage in the files, in order.
  package func read(_ body: (Frame.Finding) throws -> Void) throws {
    for part in try parts() { try Frame.read(part.data, body) }
  }

  package func removeAll() throws { for part in try parts() { try store.remove(part.path) } }
}

extension FrameFiles {
  /// Passes `body` the frames of a line of commits, in order and in batches.
  package func read(
    _ lineage: UUID?, _ commits: ClosedRange<Int>, _ body: ([Frame]) throws -> Void
  ) throws {
    var batch: [Frame] = []
    let parts = try parts()
    for (index, part) in parts.enumerated() {
      let last = index + 1 < parts.count ? parts[index + 1].first - 1 : .max
      guard part.first <= commits.upperBound, last >= commits.lowerBound else { continue }
      try Frame.read(part.data) { finding in
        guard case .frame(let frame) = finding, !frame.isStart, frame.lineage == lineage,
          commits.contains(frame.commit)
        else { return }
        batch.append(frame)
        guard batch.count == 500 else { return }
        try body(batch)
        batch = []
      }
    }
    if !batch.isEmpty { try body(batch) }
  }

  /// The numbers and times of the commits of a line, in order.
  package func commits(of lineage: UUID?) throws -> [(commit: Int, madeAt: Timestamp)] {
    var all: [(commit: Int, madeAt: Timestamp)] = []
    try read(lineage, 0...(.max)) { all += $0.map { ($0.commit, $0.madeAt) } }
    return all
  }
}
