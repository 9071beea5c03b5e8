package import BlobStorage
package import DiaryModel
package import Foundation
package import SystemPackage

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
