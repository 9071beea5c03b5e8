internal import DiaryCatalog
internal import Foundation
internal import Journal
internal import Journal

/// A state of a library that its backup can restore.
public struct BackupMoment: Sendable, Hashable {
  /// The number of the last commit.
  public let commit: Int
  /// When that commit was made, by the clock of the machine.
  public let madeAt: Timestamp
}

extension BackupHistory {
  /// The state to restore, by a moment, by its last commit, or by both where several lines of commits have that number.
  struct Choice {
    var time: Timestamp?
    var commit: Int?

    fileprivate func includes(_ state: BackupMoment) -> Bool {
      (time.map { state.madeAt <= $0 } ?? true) && (commit.map { state.commit == $0 } ?? true)
    }
  }

  /// The way to a library's catalog as it was at a moment.
  struct Way {
    let start: StartingPoint
    /// The last commit to apply.
    let last: BackupMoment
    /// Where the commits' times go back: all states, with this one, that there may have been at the moment, in order.
    /// Empty where only one comes into question.
    let candidates: [BackupMoment]
  }

  /// A line of commits, as far as it is in the backup.
  private struct Line {
    /// The starting points, oldest first.
    let points: [StartingPoint]
    /// The states in the order of their numbers, which is that in which they were made.
    let states: [BackupMoment]

    /// The commits that the backup has frames of.
    private let framed: Set<Int>

    /// - Parameter commits: those with frames. A starting point without one counts from when it was made, and so does
    ///   the oldest one.
    init(_ points: [StartingPoint], commits: [(commit: Int, madeAt: Timestamp)]) {
      self.points = points.sorted { ($0.generation, $0.madeAt) < ($1.generation, $1.madeAt) }
      let oldest = self.points.first?.generation ?? 0
      let commits = commits.filter { $0.commit > oldest }
      var times: [Int: Timestamp] = [:]
      for point in self.points { times[point.generation] = point.madeAt }
      for commit in commits { times[commit.commit] = commit.madeAt }
      framed = Set(commits.map(\.commit))
      states = times.map { BackupMoment(commit: $0.key, madeAt: $0.value) }
        .sorted { $0.commit < $1.commit }
    }

    /// The first two neighbours of which no frame leads from one to the other.
    ///
    /// - Parameter andAfter: whether the state after the last one counts, too.
    func gap(from start: Int, to last: Int, andAfter: Bool) -> (BackupMoment, BackupMoment)? {
      zip(states, states.dropFirst()).first { state, next in
        state.commit >= start && (andAfter ? state.commit <= last : next.commit <= last)
          && !(next.commit == state.commit + 1 && framed.contains(next.commit))
      }
    }

    /// The newest state that a choice includes.
    func newest(_ choice: Choice) -> BackupMoment? { states.last(where: choice.includes) }

    /// Whether it continues another line, rather than beginning before the other's end.
    func continues(_ other: Line) -> Bool {
      guard let first = states.first, let last = other.states.last else { return false }
      return first.commit > last.commit
    }

    /// The states that the line may have been in at a moment: each is the last before a later time, or of all.
    func candidates(at time: Timestamp) -> [BackupMoment] {
      let followers = states.dropFirst().map(\.madeAt) + [nil]
      return zip(states, followers).filter { state, next in
        state.madeAt <= time && next.map { $0 > time } ?? true
      }.map(\.0)
    }
  }

  /// The way to the catalog as it was at a moment: after the last commit that was made by then. A moment later than the
  /// backup leads to its newest state.
  ///
  /// - Throws: `LeaflogError` with code `notKept` when the backup does not reach back that far, or lacks
  ///   commits that were made around then.
  func way(to choice: Choice, in zone: TimeZone) throws -> Way {
    let points = try startingPoints()
    guard let oldest = points.map(\.madeAt).min() else {
      throw LeaflogError(.notKept, "The backup in \(layout.root) has no earlier states.")
    }
    let lines = try Dictionary(grouping: points, by: \.lineage)
      .sorted { $0.key.uuidString < $1.key.uuidString }
      .map { lineage, points in try Line(points, commits: frames(of: lineage).commits(of: lineage))
      }
    let found = lines.compactMap { line in line.newest(choice).map { (line: line, state: $0) } }
    // A line that continues another is later, whatever the times; of lines that overlap, the times decide.
    let latest = found.max { left, right in
      if right.line.continues(left.line) { return true }
      return !left.line.continues(right.line) && left.state.madeAt < right.state.madeAt
    }
    guard let (line, state) = latest else { throw missing(choice, oldest, zone) }
    if choice.time == nil, found.count > 1 {
      throw LeaflogError(
        .notKept,
        "The backup in \(layout.root) has more than one commit \(state.commit): "
          + found.map { $0.state.madeAt.text(in: zone) }.sorted().joined(separator: ", ") + ".",
        remedy: .nameMoment)
    }
    return try way(to: state, choice, line, zone)
  }

  private func way(
    to last: BackupMoment, _ choice: Choice, _ line: Line, _ zone: TimeZone
  ) throws -> Way {
    let start = try line.points.last {
      try $0.generation <= last.commit && HistoryVerification.isProved($0.path)
    }
    guard let start else {
      throw gap(before: line.points.first?.madeAt, choice, zone)
    }
    // Whether commits that are missing after it were made by a given time is not known.
    let isOpen = choice.commit == nil
    if let (state, next) = line.gap(from: start.generation, to: last.commit, andAfter: isOpen) {
      throw gap(from: state.madeAt, before: next.madeAt, choice, zone)
    }
    let candidates = choice.commit == nil ? choice.time.map { line.candidates(at: $0) } : nil
    return Way(
      start: start, last: last, candidates: candidates.map { $0.count > 1 ? $0 : [] } ?? [])
  }

  private func missing(_ choice: Choice, _ oldest: Timestamp, _ zone: TimeZone) -> LeaflogError {
    if let commit = choice.commit {
      let time = choice.time.map { " by \($0.text(in: zone))" } ?? ""
      return LeaflogError(
        .notKept, "The backup in \(layout.root) does not lead to a commit \(commit)\(time).")
    }
    return LeaflogError(
      .notKept,
      "The backup in \(layout.root) reaches back to \(oldest.text(in: zone)), and not to "
        + "\(choice.time?.text(in: zone) ?? "").")
  }

  private func gap(
    from start: Timestamp? = nil, before end: Timestamp?, _ choice: Choice, _ zone: TimeZone
  ) -> LeaflogError {
    let span = [
      start.map { "after \($0.text(in: zone))" }, end.map { "before \($0.text(in: zone))" },
    ]
    .compactMap { $0 }.joined(separator: " and ")
    let wanted =
      choice.commit.map { "commit \($0)" }
      ?? "what there was at \(choice.time?.text(in: zone) ?? "")"
    return LeaflogError(
      .notKept,
      "The backup in \(layout.root) lacks commits that were made \(span), and so \(wanted).")
  }
}

extension Timestamp {
  /// The time for people, rounded up to a second.
  func text(in zone: TimeZone) -> String {
    let second = Timestamp(milliseconds: milliseconds.addingSaturated(999) / 1000 * 1000)
    let time = EntryTime(.instant(second), in: zone)
    return RecordedTime.zoned(time.wall, time.offset).iso8601
  }
}
