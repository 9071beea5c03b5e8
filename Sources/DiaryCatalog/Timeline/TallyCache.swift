package import DiaryModel
internal import GRDB
internal import Synchronization

/// The tallies of recent queries, for one state of the catalog: a page of the timeline needs the whole tally at each
/// visit, and a hundred thousand entries take time to count.
final class TallyCache: Sendable {
  private struct State {
    var generation = 0
    /// The most recently used last.
    var tallies: [(query: TimelineQuery, tally: [DayTally])] = []
  }

  private static let capacity = 16
  private let state = Mutex(State())

  func tally(of query: TimelineQuery, in generation: Int) -> [DayTally]? {
    state.withLock { state in
      guard state.generation == generation,
        let index = state.tallies.firstIndex(where: { $0.query == query })
      else { return nil }
      let found = state.tallies.remove(at: index)
      state.tallies.append(found)
      return found.tally
    }
  }

  func keep(_ tally: [DayTally], of query: TimelineQuery, in generation: Int) {
    state.withLock { state in
      // The tally of a reader that began before the last commit is outdated.
      guard generation >= state.generation else { return }
      if generation > state.generation { state = State(generation: generation) }
      if state.tallies.count == Self.capacity { state.tallies.removeFirst() }
      state.tallies.append((query, tally))
    }
  }
}

extension Catalog {
  /// The number of entries per day, newest day first. Cached in memory until the next commit by any process.
  package func tally(_ query: TimelineQuery) throws -> [DayTally] {
    try read { tables in
      // Read in the same transaction as the entries that are counted.
      let generation = try tables.settings.generation
      if let known = tallies.tally(of: query, in: generation) { return known }
      let tally = try tables.timeline.tally(query)
      tallies.keep(tally, of: query, in: generation)
      return tally
    }
  }
}
