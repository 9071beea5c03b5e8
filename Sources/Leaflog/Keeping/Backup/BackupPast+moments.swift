internal import DiaryCatalog
internal import Foundation
internal import Journal

extension BackupPast {
  /// The way to a library's catalog as it was at a moment.
  struct Way {
    let start: StartingPoint
    /// The last commit to apply.
    let commit: Int
  }

  /// A line of commits, as far as it is in the backup.
  private struct Line {
    /// The starting points, oldest first.
    let points: [StartingPoint]
    let commits: [(commit: Int, madeAt: Timestamp)]

    /// The last moment up to a given one at which the line has a starting point or a commit.
    func lastMoment(until time: Timestamp) -> Timestamp? {
      (points.map(\.madeAt) + commits.map(\.madeAt)).filter { $0 <= time }.max()
    }
  }

  /// The way to the catalog as it was at a moment. A moment later than the backup leads to its newest
  /// state.
  ///
  /// - Throws: `LeaflogError` with code `notKept` when the backup does not reach back that far, or lacks
  ///   commits that were made around then.
  func way(to time: Timestamp, in zone: TimeZone) throws -> Way {
    let points = try startingPoints().reversed()
    let lines = try Dictionary(grouping: points, by: \.lineage).map { lineage, points in
      Line(points: points, commits: try frames(of: lineage).commits(of: lineage))
    }
    guard let oldest = points.map(\.madeAt).min() else {
      throw LeaflogError(.notKept, "The backup in \(layout.root) has no earlier states.")
    }
    func tooEarly() -> LeaflogError {
      LeaflogError(
        .notKept,
        "The backup in \(layout.root) reaches back to \(oldest.text(in: zone)), and not to "
          + "\(time.text(in: zone)).")
    }
    guard time >= oldest,
      let line = lines.max(by: {
        $0.lastMoment(until: time) ?? .earliest < $1.lastMoment(until: time) ?? .earliest
      })
    else { throw tooEarly() }
    guard let start = line.points.last(where: { $0.madeAt <= time }) else {
      throw gap(before: line.points.first?.madeAt, time, zone)
    }
    var (last, lastTime) = (start.generation, start.madeAt)
    for (commit, madeAt) in line.commits where commit > last {
      guard commit == last + 1 else { throw gap(from: lastTime, before: madeAt, time, zone) }
      guard madeAt <= time else { return Way(start: start, commit: last) }
      (last, lastTime) = (commit, madeAt)
    }
    // A later starting point that no frames lead to.
    if let next = line.points.first(where: { $0.generation > last }) {
      throw gap(from: lastTime, before: next.madeAt, time, zone)
    }
    return Way(start: start, commit: last)
  }

  private func gap(
    from start: Timestamp? = nil, before end: Timestamp?, _ time: Timestamp, _ zone: TimeZone
  ) -> LeaflogError {
    let span = [
      start.map { "after \($0.text(in: zone))" }, end.map { "before \($0.text(in: zone))" },
    ]
    .compactMap { $0 }.joined(separator: " and ")
    return LeaflogError(
      .notKept,
      "The backup in \(layout.root) lacks commits that were made \(span), and so what there was at "
        + "\(time.text(in: zone)).")
  }
}

extension Timestamp {
  fileprivate static let earliest = Timestamp(milliseconds: .min)

  /// The time for people, rounded up to a second.
  fileprivate func text(in zone: TimeZone) -> String {
    let second = Timestamp(milliseconds: (milliseconds + 999) / 1000 * 1000)
    let time = EntryTime(.instant(second), in: zone)
    return RecordedTime.zoned(time.wall, time.offset).iso8601
  }
}
