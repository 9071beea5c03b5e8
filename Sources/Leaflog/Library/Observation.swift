internal import DiaryCatalog
internal import Synchronization

extension LibraryHistory {
  /// The number of the last commit.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func lastCommit() throws(LeaflogError) -> Int { try lastPosition().number }

  /// The place of the last commit. What is read afterwards has it, so that reading everything and then
  /// asking for the commits after it misses nothing.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func lastPosition() throws(LeaflogError) -> CommitPosition {
    try read { try $0.commits.newest }
  }

  /// The commits that were made after one, oldest first.
  ///
  /// - Parameters:
  ///   - position: the last commit that is known, of whichever time. Where it is of another line, as it is after a restore,
  ///     the page has a single commit that may have changed anything.
  ///   - limit: the most commits that the page has, 1 to 1000. It ends before when these have many entries.
  /// - Throws: `LeaflogError` with code `invalidRequest` for a limit out of its range.
  public func commits(
    after position: CommitPosition, limit: Int
  ) throws(LeaflogError) -> CommitPage {
    try Timeline.check(limit)
    return try read { try $0.commits.page(after: position, limit: limit) }
  }

  /// The commits to the library by any process, each once and in order, as they are made.
  ///
  /// A reader keeps nothing but the number of the last one that it has had, so a slow one costs nothing and misses
  /// nothing. The sequence ends when its task is cancelled, and when the library is closed. A commit is noticed after at
  /// most a tenth of a second.
  ///
  /// - Parameter number: the last commit that is known; nil for the present one.
  /// - Throws: `LeaflogError` when the catalog cannot be watched.
  public func commits(after number: Int? = nil) throws(LeaflogError) -> Commits {
    let last = if let number { CommitPosition(number: number) } else { try lastPosition() }
    return try commits(after: last)
  }

  /// The same after a place in a line of commits. Where it is of another line, as it is after a restore, the first commit
  /// is one that may have changed anything.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be watched.
  public func commits(after last: CommitPosition) throws(LeaflogError) -> Commits {
    try library.checkAlone()
    return Commits(
      library: library, watch: try translating { try library.shared.watch(catalog) }, last: last)
  }
}

extension Library {
  /// A value that is read now, and again whenever something has been committed, by any process.
  ///
  /// Several commits in a short time are one reading. The sequence ends when its task is cancelled, and when the library
  /// is closed. A value that depends on the day, such as `today`, does not change by itself at its end.
  ///
  /// - Parameter read: runs on a thread of the library's own, and receives the library with its present settings.
  /// - Throws: `LeaflogError` when the catalog cannot be watched.
  public func values<Value: Sendable>(
    of read: @escaping @Sendable (Library) throws -> Value
  ) throws(LeaflogError) -> ObservedValues<Value> { try values(of: read, isSame: nil) }

  /// The same for values that are `Equatable`: none comes twice in a row. One that changes and changes back between two
  /// readings does not come.
  ///
  /// - Parameter read: runs on a thread of the library's own, and receives the library with its present settings.
  /// - Throws: `LeaflogError` when the catalog cannot be watched.
  public func values<Value: Equatable & Sendable>(
    of read: @escaping @Sendable (Library) throws -> Value
  ) throws(LeaflogError) -> ObservedValues<Value> { try values(of: read) { $0 == $1 } }

  private func values<Value: Sendable>(
    of read: @escaping @Sendable (Library) throws -> Value,
    isSame: (@Sendable (Value, Value) -> Bool)?
  ) throws(LeaflogError) -> ObservedValues<Value> {
    try checkAlone()
    return ObservedValues(
      library: self, watch: try translating { try shared.watch(catalog) }, read: read,
      isSame: isSame)
  }
}

/// The commits to a library, from `LibraryHistory/commits(after:)`.
public struct Commits: AsyncSequence, Sendable {
  fileprivate let library: Library
  fileprivate let watch: CommitWatch
  fileprivate let last: CommitPosition

  public func makeAsyncIterator() -> Iterator {
    Iterator(wait: CommitWait(library, watch), last: last)
  }

  /// Waits for commits, and reads up to 100 of them at once.
  public struct Iterator: AsyncIteratorProtocol {
    /// How many are read at once.
    private static let limit = 100

    private var wait: CommitWait
    private var last: CommitPosition
    private var known: ArraySlice<Commit> = []

    fileprivate init(wait: CommitWait, last: CommitPosition) {
      (self.wait, self.last) = (wait, last)
    }

    /// The next commit; nil at the end.
    ///
    /// - Throws: `LeaflogError` when the catalog cannot be read.
    public mutating func next() async throws -> Commit? {
      while known.isEmpty {
        guard let found = try await next(within: nil) else { return nil }
        known = found[...]
      }
      return known.popFirst()
    }

    /// The next commits, or none when that time is over; nil at the end. It must not be called after `next()`.
    ///
    /// - Throws: `LeaflogError` when the catalog cannot be read.
    package mutating func next(within time: Duration?) async throws -> [Commit]? {
      let last = last
      let outcome = try await wait.next(within: time) { library in
        try library.history.commits(after: last, limit: Self.limit)
      }
      switch outcome {
      case .value(let page):
        // There may be more already.
        if !page.commits.isEmpty { (self.last, wait.isDue) = (page.last, true) }
        return page.commits
      case .late: return []
      case .end: return nil
      }
    }
  }
}

/// A value of a library as it changes, from `Library/values(of:)`.
public struct ObservedValues<Value: Sendable>: AsyncSequence, Sendable {
  fileprivate let library: Library
  fileprivate let watch: CommitWatch
  fileprivate let read: @Sendable (Library) throws -> Value
  /// Nil for values that cannot be compared.
  fileprivate let isSame: (@Sendable (Value, Value) -> Bool)?

  public func makeAsyncIterator() -> Iterator {
    Iterator(wait: CommitWait(library, watch), read: read, isSame: isSame)
  }

  /// Waits for commits, and reads the value after them.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var wait: CommitWait
    fileprivate let read: @Sendable (Library) throws -> Value
    fileprivate let isSame: (@Sendable (Value, Value) -> Bool)?
    private var last: Value?

    fileprivate init(
      wait: CommitWait, read: @escaping @Sendable (Library) throws -> Value,
      isSame: (@Sendable (Value, Value) -> Bool)?
    ) {
      (self.wait, self.read, self.isSame) = (wait, read, isSame)
    }

    /// The value after the next commit that changed it, or, where values cannot be compared, after the next commit; the
    /// first time as it is. Nil at the end.
    ///
    /// - Throws: what reading it throws.
    public mutating func next() async throws -> Value? {
      while case .value(let value) = try await wait.next(within: nil, read) {
        guard let isSame else { return value }
        if let last, isSame(last, value) { continue }
        last = value
        return value
      }
      return nil
    }
  }
}

/// Reads from a library after each commit.
private struct CommitWait {
  private static let interval = Duration.milliseconds(100)

  private let library: Library
  private let watch: CommitWatch
  private var mark: CommitMark?
  /// Whether it does not wait the next time.
  var isDue = true

  init(_ library: Library, _ watch: CommitWatch) { (self.library, self.watch) = (library, watch) }

  enum Outcome<Value: Sendable>: Sendable {
    case value(Value)
    /// The time is over.
    case late
    /// The task was cancelled, or the library was closed.
    case end
  }

  /// Waits for a commit, and reads.
  mutating func next<Value: Sendable>(
    within time: Duration?, _ read: @escaping @Sendable (Library) throws -> Value
  ) async throws -> Outcome<Value> {
    let end = time.map { ContinuousClock.now + $0 }
    do {
      // The mark is looked at before the catalog is read: a commit in the meantime changes it. It is unknown for
      // moments.
      var present = watch.mark
      while !isDue, present == nil || present == mark {
        if let end, ContinuousClock.now >= end { return .late }
        try await Task.sleep(for: Self.interval)
        if library.catalog.isClosed { return .end }
        present = watch.mark
      }
      (mark, isDue) = (present, false)
      return .value(try await library.read(read))
    } catch is CancellationError {
      return .end
    } catch let error as LeaflogError where error.code == .closed {
      return .end
    }
  }
}

/// The parts that all values of an open library share.
final class SharedParts: Sendable {
  /// Enough for a disk that serves several reads at once.
  let readers = Turns(count: 4)
  /// One, as there is one write at a time.
  let writer = Turns(count: 1)
  private let known = Mutex<CommitWatch?>(nil)
  /// The folder of a temporary library.
  private let folder: ScratchFolder?
  /// Whether imports and `close` take snapshots of the catalog.
  let takesSnapshots: Bool

  init(folder: ScratchFolder? = nil, takesSnapshots: Bool = true) {
    (self.folder, self.takesSnapshots) = (folder, takesSnapshots)
  }

  /// A watch of the catalog, which is opened once.
  func watch(_ catalog: Catalog) throws -> CommitWatch {
    try known.withLock { known in
      if let known { return known }
      let watch = try CommitWatch(catalog)
      known = watch
      return watch
    }
  }

  func close() { known.withLock { $0 = nil } }

  /// Removes the folder of a temporary library.
  func remove() { folder?.remove() }
}
