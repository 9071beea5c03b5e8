internal import BlobStorage
package import SystemPackage

/// A copy of the catalog as it was at one moment, kept in the library's folder `snapshots`.
public struct CatalogSnapshot: Sendable, Hashable {
  /// The absolute path of its file, an SQLite database without a log.
  public let path: String
  /// When it was taken, to the second.
  public let takenAt: Timestamp
  /// The number of commits that the catalog had seen. Of two snapshots, the one with more is newer,
  /// whatever the clock said.
  public let generation: Int
  /// The size of the file in bytes.
  public let byteCount: Int

  /// All snapshots of a library, the newest first; they are not checked for damage.
  static func all(in layout: LibraryLayout) -> [CatalogSnapshot] {
    (try? CatalogSnapshots(layout, LocalBlobStore(root: layout.root)).all()) ?? []
  }

  /// `2026-11-21T024600Z-000123.sqlite`: the time in UTC and the generation.
  package static func name(takenAt time: Timestamp, generation: Int) -> String {
    let wall = LocalDateTime(utc: time)
    let clock = [wall.hour, wall.minute, wall.second].map { padded($0, 2) }.joined()
    return "\(wall.day)T\(clock)Z-\(padded(generation, 6)).sqlite"
  }

  /// The snapshot in a file; nil when that is gone, or its name is not one that `name` gives.
  package init?(_ path: FilePath) {
    guard let name = path.lastComponent?.string,
      let (takenAt, generation) = Self.parts(ofName: name),
      let status = try? FileStatus(path), status.kind == .file
    else { return nil }
    self.init(
      path: path.string, takenAt: takenAt, generation: generation, byteCount: status.byteCount)
  }

  private static func parts(ofName name: String) -> (takenAt: Timestamp, generation: Int)? {
    let numbers = name.split { !("0"..."9").contains($0) }.compactMap { Int($0) }
    guard numbers.count == 5, let day = LocalDay(String(name.prefix(10))),
      let wall = LocalDateTime(
        day: day, hour: numbers[3] / 10_000, minute: numbers[3] / 100 % 100,
        second: numbers[3] % 100)
    else { return nil }
    let parts = (wall.timestamp(offset: .utc), numbers[4])
    return Self.name(takenAt: parts.0, generation: parts.1) == name ? parts : nil
  }

  package init(path: String, takenAt: Timestamp, generation: Int, byteCount: Int) {
    self.path = path
    self.takenAt = takenAt
    self.generation = generation
    self.byteCount = byteCount
  }
}

/// The rules by which snapshots are kept.
///
/// The newest two are always kept. Of the others, one per hour is kept for a day, one per day for thirty
/// days, and one per thirty days after that: the newest of each. If all together still take more than a
/// twentieth of the store, the oldest are removed first, except that one from an earlier day than the
/// newest is kept as long as there is one, as it does not contain a mistake made today. Ages count from the newest but
/// one: under a clock that is ahead, all would look old.
package enum SnapshotRotation {
  static let minimumCount = 2
  /// The divisor of the store's bytes that gives the snapshots' limit.
  static let shareOfStore = 20

  private static let hour: Int64 = 3_600_000
  private static let day = 24 * hour

  /// - Returns: the snapshots to remove.
  package static func surplus(
    of snapshots: [CatalogSnapshot], storeByteCount: Int, now: Timestamp
  ) -> [CatalogSnapshot] {
    surplus(of: snapshots, maxByteCount: storeByteCount / shareOfStore, now: now)
  }

  /// - Parameter bound: the limit for all snapshots together, in bytes.
  static func surplus(
    of snapshots: [CatalogSnapshot], maxByteCount bound: Int, now: Timestamp
  ) -> [CatalogSnapshot] {
    let sorted = snapshots.sorted { ($0.generation, $0.takenAt) > ($1.generation, $1.takenAt) }
    let now = min(now, sorted.dropFirst().first?.takenAt ?? now)
    var kept: [CatalogSnapshot] = []
    var slots: Set<[Int64]> = []
    for snapshot in sorted {
      let isNewInSlot = slots.insert(slot(of: snapshot, now)).inserted
      if isNewInSlot || kept.count < minimumCount { kept.append(snapshot) }
    }
    while kept.count > minimumCount, kept.reduce(0, { $0 + $1.byteCount }) > bound {
      let today = dayNumber(kept[0])
      let earlier = kept.dropFirst().filter { dayNumber($0) != today }
      // Newest first: if only one is from an earlier day, the oldest of the newest's day is removed instead.
      kept.remove(at: earlier.count == 1 ? kept.count - 2 : kept.count - 1)
    }
    let names = Set(kept.map(\.path))
    return sorted.filter { !names.contains($0.path) }
  }

  private static func slot(of snapshot: CatalogSnapshot, _ now: Timestamp) -> [Int64] {
    let time = snapshot.takenAt.milliseconds
    let age = now.milliseconds - time
    return age < day
      ? [0, time / hour] : age < 30 * day ? [1, time / day] : [2, time / (30 * day)]
  }

  private static func dayNumber(_ snapshot: CatalogSnapshot) -> Int64 {
    snapshot.takenAt.milliseconds / day
  }

  /// The age of the newest snapshot after which a change takes another: a minute, plus half a minute for
  /// each megabyte, up to a day, as a copy of a larger catalog takes longer.
  static func patience(catalogByteCount: Int) -> Duration {
    min(.seconds(60) + .seconds(30) * (Double(catalogByteCount) / 1_000_000), .seconds(86_400))
  }

  /// The longest that a copy takes, on a slow disk.
  static func cost(catalogByteCount: Int) -> Duration {
    .milliseconds(50) + .seconds(Double(catalogByteCount) / 50_000_000)
  }

  /// Work that took fifty times as long as a copy takes earns one, whatever the age of the newest.
  static let earnings = 50
}
