internal import DiaryModel
internal import Synchronization
internal import SystemPackage

/// Folders that are watched for new files.
///
/// The folders' scan decides what is new; the kernel's hints only make it sooner, because it may have none to give: for
/// files that another machine writes to a share, for folders beyond its limit, after its queue has overflowed, or while
/// a share was not mounted. So the folders are scanned again from time to time, often where hints are known to be
/// missing. A file is imported once its size and modification time have not changed for a while.
///
/// `pass` is one step of the watch. It returns what is due; the outcome of each file of it goes to `note`.
package final class FolderWatch: Sendable {
  /// How long a file must stay unchanged.
  package static let settling = Duration.seconds(2)
  /// The time between scans where hints are missing, and elsewhere.
  static let often = Duration.seconds(60)
  static let seldom = Duration.seconds(3600)

  /// A folder that was named.
  fileprivate struct Root {
    let path: String
    /// The folder's device and inode when it was looked at last; nil when it was not there.
    var identity: [UInt64]?
    /// The same when files were last found in it.
    var home: [UInt64]?
    /// The type of a file system in it whose changes the kernel does not report.
    var remoteType: String?
    var mounts: Set<MountTable.Mount> = []
    var isDue = true
    var hasBeenScanned = false

    /// Whether a path for people to read is in this folder.
    func holds(_ display: String) -> Bool {
      display == path || display.hasPrefix(path.hasSuffix("/") ? path : path + "/")
    }
  }

  fileprivate struct State {
    var roots: [Root]
    var files: WatchedFiles
    /// New folders, to be scanned.
    var folders: [FoundPlace] = []
    var limit: NotifierLimit?
    var hasToldLimit = false
    var mounts = MountTable()
    var notices: [WatchNotice] = []
    /// Whether the library has taken a photo since the last step.
    var hasSucceeded = false
    /// The files that are being imported. Paths that are not UTF-8 may look the same.
    var imported: [String: [(path: FilePath, look: WatchedFiles.Look)]] = [:]
    /// The folders that could not be read, with the reason, and those that a scan has met again.
    var unreadable: [String: String] = [:]
    var stillUnreadable: Set<String> = []
    var nextCheck: ContinuousClock.Instant
    var nextScan: ContinuousClock.Instant
    var nextFullScan: ContinuousClock.Instant
  }

  private let state: Mutex<State>
  fileprivate let rules: WalkRules
  private let notifier: any FolderNotifier
  /// The time between scans that was asked for; nil for the standard.
  private let every: Duration?
  private let now: @Sendable () -> ContinuousClock.Instant

  /// - Parameters:
  ///   - every: the time between scans; nil means the standard.
  ///   - notifier: the source of hints; nil means the kernel.
  /// - Throws: `LeaflogError` with code `invalidRequest` when a path is not a folder.
  package init(
    paths: [String], followsLinks: Bool = false, takesAll: Bool = false, every: Duration? = nil,
    notifier: (any FolderNotifier)? = nil,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) throws(LeaflogError) {
    try Importer.checkWatched(paths)
    rules = WalkRules(followsLinks: followsLinks, takesAll: takesAll)
    self.notifier = notifier ?? InotifyNotifier(rules)
    self.every = every
    self.now = now
    let start = now()
    state = Mutex(
      State(
        roots: paths.map { Root(path: $0, identity: Self.identity(of: $0)) },
        files: WatchedFiles(settling: Self.settling), nextCheck: start, nextScan: start,
        nextFullScan: start))
  }

  private static func identity(of path: String) -> [UInt64]? {
    guard let status = try? FileStatus(FilePath(text: path)), status.kind == .folder else {
      return nil
    }
    return [status.device, status.inode]
  }

  /// The notices since the last call.
  package func takeNotices() -> [WatchNotice] {
    state.withLock { state in
      defer { state.notices = [] }
      return state.notices
    }
  }

  /// How the folders are watched.
  package var plan: WatchPlan {
    state.withLock { state in
      WatchPlan(
        interval: state.needsScans ? every ?? Self.often : every ?? Self.seldom,
        remoteFolders: state.roots.compactMap { root in
          root.remoteType.map { .init(path: root.path, type: $0) }
        })
    }
  }

  /// Whether files wait for their first attempt.
  package var isSettling: Bool { state.withLock { $0.files.isSettling } }

  /// The open failures: files that could not be imported, and folders that are not there.
  package var open: [OpenFailure] {
    state.withLock { state in
      state.files.failures.map { OpenFailure(path: $0.display, message: $0.failure.message) }
        + state.unreadable.sorted { $0.key < $1.key }.map {
          OpenFailure(path: $0.key, message: $0.value)
        }
        + state.roots.filter { $0.identity == nil }.map {
          OpenFailure(path: $0.path, message: "The folder is not there.")
        }
    }
  }
}

extension FolderWatch.State {
  /// Whether hints are known to be missing.
  fileprivate var needsScans: Bool { limit != nil || roots.contains { $0.remoteType != nil } }

  fileprivate mutating func makeDue(where isMeant: (FolderWatch.Root) -> Bool = { _ in true }) {
    for index in roots.indices where isMeant(roots[index]) { roots[index].isDue = true }
  }
}

// MARK: A step
extension FolderWatch {
  /// The next step: the files that are due now, and the scans.
  package func pass() -> WatchPass {
    let now = now()
    let hints = notifier.take()
    let (ready, folders, roots, paths) = state.withLock { state in
      take(hints, &state, now)
      if now >= state.nextCheck {
        state.nextCheck = now + .seconds(1)
        checkRoots(&state)
      }
      if now >= state.nextFullScan {
        state.makeDue()
      } else if state.files.hasLeftOut, state.files.hasRoom || now >= state.nextScan {
        state.makeDue()
      } else if now >= state.nextScan, state.needsScans {
        let isLimited = state.limit != nil
        state.makeDue { isLimited || $0.remoteType != nil }
      }
      if state.hasSucceeded { state.files.hurry(at: now) }
      state.hasSucceeded = false
      let ready = state.files.takeDue(at: now)
      for (place, look) in ready {
        state.imported[place.display, default: []].append((place.path, look))
      }
      let roots = state.roots.indices.filter {
        state.roots[$0].isDue && state.roots[$0].identity != nil
      }
      let folders = state.folders
      state.folders = []
      return (ready.map(\.place), folders, roots, roots.map { state.roots[$0].path })
    }
    return WatchPass(self, ready: ready, folders: folders, roots: roots, paths: paths)
  }

  private func take(
    _ hints: Set<FolderHint>, _ state: inout State, _ now: ContinuousClock.Instant
  ) {
    for hint in hints {
      switch hint {
      case .file(let place): state.files.hint(place, at: now)
      case .folder(let place): state.folders.append(place)
      case .overflow: state.makeDue()
      case .removed(let place):
        state.makeDue { $0.path == place.display }
        state.nextCheck = now
      }
    }
    state.folders.sort { $0.display < $1.display }
  }

  /// Finds out whether the folders that were named are there, and whether anything was mounted or unmounted in them.
  private func checkRoots(_ state: inout State) {
    state.mounts = MountTable()
    for index in state.roots.indices {
      let root = state.roots[index]
      let identity = Self.identity(of: root.path)
      switch (root.identity, identity) {
      case (nil, nil): continue
      case (_, nil): state.notices.append(.gone(root.path))
      case (nil, _): state.notices.append(.back(root.path))
      case (let old, let new) where old != new: state.notices.append(.replaced(root.path))
      default: break
      }
      let place = try? FilePath(text: root.path).resolved()
      let mounts = place.map { state.mounts.mounts(below: $0) } ?? []
      if identity != root.identity || mounts != root.mounts { state.roots[index].isDue = true }
      state.roots[index].identity = identity
      state.roots[index].mounts = mounts
    }
  }

  /// Notes that a scan enters a folder.
  fileprivate func enters(_ place: FoundPlace) {
    let limit = notifier.watch(place)
    guard let device = try? FileStatus(place.path).device else { return }
    state.withLock { state in
      if let limit {
        state.limit = limit
        if !state.hasToldLimit {
          state.notices.append(.limit(limit.rawValue, folder: place.display))
        }
        state.hasToldLimit = true
      }
      guard let type = state.mounts.remoteType(of: device) else { return }
      for index in state.roots.indices where state.roots[index].holds(place.display) {
        state.roots[index].remoteType = type
      }
    }
  }
}

// MARK: What scans find
/// One step of a watch: the files that are due, then those that scans find.
package struct WatchPass: Sequence, IteratorProtocol {
  private let watch: FolderWatch
  private var ready: FolderScan
  private var folders: FolderScan
  private var search: FolderScan
  private let roots: [Int]
  /// Whether there is nothing to do.
  let isEmpty: Bool
  private var phase = Phase.ready
  private var isFaultless = true

  private enum Phase { case ready, folders, search, end }

  fileprivate init(
    _ watch: FolderWatch, ready: [FoundPlace], folders: [FoundPlace], roots: [Int], paths: [String]
  ) {
    self.watch = watch
    self.roots = roots
    isEmpty = ready.isEmpty && folders.isEmpty && roots.isEmpty
    let readyPaths = Set(ready.map(\.path))
    self.ready = FolderScan(
      found: ready, rules: watch.rules,
      meeting: { sidecar in
        watch.revisit(sidecar.photos().filter { !readyPaths.contains($0.path) })
      })
    self.folders = FolderScan(
      found: folders, rules: watch.rules, entering: { watch.enters($0) },
      meeting: { watch.admit($0, isFirst: false) })
    search = FolderScan(
      paths: paths, rules: watch.rules, entering: { watch.enters($0) },
      meeting: { watch.admit($0, isFirst: watch.isFirstSearch(roots)) })
  }

  package mutating func next() -> ScanItem? {
    while true {
      switch phase {
      case .ready:
        if let item = ready.next() { return item }
        phase = .folders
      case .folders:
        guard let item = folders.next() else {
          phase = .search
          watch.beginSearch(roots)
          continue
        }
        if let wanted = watch.admit(item, isFirst: false) { return wanted }
      case .search:
        guard let item = search.next() else {
          phase = .end
          watch.endSearch(roots, isFaultless: isFaultless)
          continue
        }
        if case .outcome(let outcome) = item, case .failed(let reason, _) = outcome.result,
          reason != .vanished
        {
          isFaultless = false
        }
        if let wanted = watch.admit(item, isFirst: watch.isFirstSearch(roots)) { return wanted }
      case .end: return nil
      }
    }
  }
}

extension FolderWatch {
  fileprivate func isFirstSearch(_ roots: [Int]) -> Bool {
    state.withLock { state in roots.contains { !state.roots[$0].hasBeenScanned } }
  }

  fileprivate func beginSearch(_ roots: [Int]) {
    guard !roots.isEmpty else { return }
    state.withLock { state in
      state.files.beginScan()
      state.limit = nil
      state.stillUnreadable = []
      for root in roots {
        state.roots[root].isDue = false
        state.roots[root].remoteType = nil
      }
    }
  }

  /// - Parameter isFaultless: whether all folders could be read.
  fileprivate func endSearch(_ roots: [Int], isFaultless: Bool) {
    guard !roots.isEmpty else { return }
    let now = now()
    state.withLock { state in
      // An empty mount point deletes nothing.
      let isComplete =
        roots.count == state.roots.count && isFaultless && !state.files.hasLeftOut
        && state.roots.allSatisfy { $0.home == nil || $0.home == $0.identity }
      for root in roots { state.roots[root].hasBeenScanned = true }
      if state.limit == nil { state.hasToldLimit = false }
      if isComplete { state.files.endCompleteScan() }
      if roots.count == state.roots.count {
        state.unreadable = state.unreadable.filter { state.stillUnreadable.contains($0.key) }
        state.nextFullScan = now + (every ?? Self.seldom)
      }
      state.nextScan = now + (every ?? Self.often)
    }
  }

  /// Decides about a file or an outcome that a scan has found.
  ///
  /// - Returns: the item if it is due now.
  fileprivate func admit(_ item: ScanItem, isFirst: Bool) -> ScanItem? {
    let now = now()
    return state.withLock { state -> ScanItem? in
      switch item {
      case .outcome(let outcome):
        guard case .failed(let reason, let message) = outcome.result else {
          return isFirst ? item : nil
        }
        // What is gone in the middle of a scan is not there.
        guard reason != .vanished else { return isFirst ? item : nil }
        state.stillUnreadable.insert(outcome.path)
        return state.unreadable.updateValue(message, forKey: outcome.path) == nil ? item : nil
      case .file(let file):
        state.noteHome(of: file.displayPath)
        let look = WatchedFiles.Look(
          byteCount: file.fingerprint.byteCount, modifiedAt: file.fingerprint.modifiedAt,
          changedAt: file.fingerprint.changedAt)
        let isOld = isFirst && Self.isOld(look)
        let place = FoundPlace(file.path, display: file.displayPath)
        guard state.files.sees(place, look, isOld: isOld, at: now) else { return nil }
        state.imported[place.display, default: []].append((place.path, look))
        return item
      }
    }
  }
}

extension FolderWatch {
  /// Notes a sidecar that a scan has found. A new one, or one that has changed, makes its photos due when it has
  /// settled.
  fileprivate func admit(_ sidecar: FoundSidecar, isFirst: Bool) {
    let now = now()
    let look = WatchedFiles.Look(sidecar.status)
    state.withLock { state in
      let isOld = isFirst && Self.isOld(look)
      // The photos of an old one are found by the same scan.
      if state.files.sees(sidecar.place, look, isOld: isOld, at: now) {
        state.files.finish(sidecar.place.path, look)
      }
    }
  }

  /// Makes photos due whose sidecar has changed.
  fileprivate func revisit(_ photos: [FoundPlace]) {
    let now = now()
    state.withLock { state in
      for photo in photos { state.files.hint(photo, at: now) }
    }
  }

  fileprivate static func isOld(_ look: WatchedFiles.Look) -> Bool {
    Duration.milliseconds(Timestamp.now.milliseconds - look.modifiedAt / 1_000_000) > settling
  }
}

extension FolderWatch.State {
  /// Notes that there are files in a root.
  fileprivate mutating func noteHome(of display: String) {
    for index in roots.indices where roots[index].holds(display) {
      roots[index].home = roots[index].identity
    }
  }
}

// MARK: Outcomes
extension FolderWatch {
  /// Notes the outcome of a file.
  ///
  /// - Returns: whether it is news.
  package func note(_ outcome: FileOutcome) -> Bool {
    let now = now()
    return state.withLock { state in
      guard let files = state.imported.removeValue(forKey: outcome.path) else { return true }
      var isNews = false
      for (path, look) in files {
        switch outcome.result {
        case .failed(.vanished, _), .failed(.notFound, _): state.files.forget(path)
        case .failed(let reason, let message):
          let place = FoundPlace(path, display: outcome.path)
          let failure = WatchedFiles.Failure(reason: reason, message: message)
          if state.files.fail(place, look, failure, at: now) { isNews = true }
        case .added, .restored, .updated:
          state.files.finish(path, look)
          state.hasSucceeded = true
          isNews = true
        case .duplicate, .skipped:
          state.files.finish(path, look)
          isNews = true
        }
      }
      return isNews
    }
  }

  /// Notes that nothing of a step could be imported.
  package func note(_ error: LeaflogError) {
    let paths = state.withLock { Array($0.imported.keys) }
    for path in paths { _ = note(.failed(path, error)) }
    state.withLock { $0.notices.append(.failed(error.message)) }
  }
}
