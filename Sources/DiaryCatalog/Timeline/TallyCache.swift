package import DiaryModel
internal import GRDB
internal import Synchronization

/// The tallies of queries that were asked for lately, for one state of the catalog: a page of the timeline needs the
/// whole tally at each visit, and a hundred thousand entries take their time to count.
final class TallyCache: Sendable {
  private struct State {
    var generation = 0
    /// The latest last.
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
      // A reader that began before the last commit has nothing to add.
      guard generation >= state.generation else { return }
      if generation > state.generation { state = State(generation: generation) }
      if state.tallies.count == Self.capacity { state.tallies.removeFirst() }
      state.tallies.append((query, tally))
    }
  }
}

extension Catalog {
  /// How many entries each day has, newest day first. Kept in memory until the next commit, whichever process makes it.
  package func tally(_ query: TimelineQuery) throws -> [DayTally] {
    try read { tables in
      // Of the same state as the entries that are counted.
      let generation = try tables.settings.generation
      if let known = tallies.tally(of: query, in: generation) { return known }
      let tally = try tables.timeline.tally(query)
      tallies.keep(tally, of: query, in: generation)
      return tally
    }
  }
}
