internal import SystemPackage

/// What a watch knows of each file: those that wait until they have stopped changing, those that could not be
/// imported, and those that are done.
///
/// It is told of files by scans and by the kernel, and never asks what time it is.
struct WatchedFiles {
  /// The state of a file by which changes are recognised. Network file systems may give new inodes to old files.
  struct Look: Hashable {
    let byteCount: Int
    let modifiedAt: Int64
    let changedAt: Int64

    init(byteCount: Int, modifiedAt: Int64, changedAt: Int64) {
      (self.byteCount, self.modifiedAt) = (byteCount, modifiedAt)
      self.changedAt = changedAt
    }

    init(_ status: FileStatus) {
      self.init(
        byteCount: status.byteCount, modifiedAt: status.modifiedAt, changedAt: status.changedAt)
    }
  }

  /// The reason why a file could not be imported.
  struct Failure {
    let reason: FailureReason
    let message: String
  }

  /// A file that is not done.
  private struct Open {
    let display: String
    var look: Look
    /// When it is due; nil while it is being imported.
    var due: ContinuousClock.Instant?
    /// The number of attempts that have failed since its last change.
    var failedCount = 0
    var failure: Failure?
  }

  private let settling: Duration
  /// The files that have changed, until they have settled.
  private var waiting: [FilePath: Open] = [:]
  /// The files to try again.
  private var failed: [FilePath: Open] = [:]
  /// The files that are not tried again before they change.
  private var refused: [FilePath: (display: String, failure: Failure)] = [:]
  /// The files that are done or refused: hashes of their paths and looks, and the number of the scan that saw them last.
  /// There may be millions.
  private var done: [Int: (look: Int, scan: Int)] = [:]
  private var scan = 0
  /// Whether there were too many files to keep all. The next scan finds the others.
  private(set) var hasLeftOut = false

  /// The number of files to keep of each kind, except those that are done.
  private static let maxCount = 10_000
  private static let firstPause = Duration.seconds(2)
  private static let longestPause = Duration.seconds(300)

  init(settling: Duration) { self.settling = settling }

  /// Whether any file waits until it has settled.
  var isSettling: Bool { waiting.values.contains { $0.due != nil } }

  /// Whether the next scan would find room for what was left out.
  var hasRoom: Bool { !isSettling && failed.count < Self.maxCount }

  /// Notes that a file was written or moved here. Whatever was known of it no longer counts.
  mutating func hint(_ place: FoundPlace, at now: ContinuousClock.Instant) {
    guard let status = try? FileStatus(place.path), status.kind == .file else { return }
    done[place.path.hashValue] = nil
    wait(for: place, Look(status), at: now)
  }

  /// Notes a file that a scan has found.
  ///
  /// - Parameter isOld: whether it has not changed for a while.
  /// - Returns: whether it is due right now.
  mutating func sees(
    _ place: FoundPlace, _ look: Look, isOld: Bool, at now: ContinuousClock.Instant
  ) -> Bool {
    if let known = waiting[place.path] ?? failed[place.path] {
      if known.look != look { wait(for: place, look, at: now) }
      return false
    }
    let key = place.path.hashValue
    if let known = done[key], known.look == look.hashValue {
      done[key]?.scan = scan
      return false
    }
    if isOld { return true }
    wait(for: place, look, at: now)
    return false
  }

  private mutating func wait(
    for place: FoundPlace, _ look: Look, at now: ContinuousClock.Instant
  ) {
    guard waiting[place.path] != nil || waiting.count < Self.maxCount else {
      hasLeftOut = true
      return
    }
    let failure = (waiting[place.path] ?? failed[place.path])?.failure
    failed[place.path] = nil
    waiting[place.path] = Open(
      display: place.display, look: look, due: now + settling, failure: failure)
  }

  /// The files that are due, in order: they have settled, or are to be tried again. Those that are gone are forgotten.
  mutating func takeDue(at now: ContinuousClock.Instant) -> [(place: FoundPlace, look: Look)] {
    let due =
      Self.takeDue(of: &waiting, at: now, settling) + Self.takeDue(of: &failed, at: now, settling)
    return due.sorted { $0.place.display < $1.place.display }
  }

  private static func takeDue(
    of open: inout [FilePath: Open], at now: ContinuousClock.Instant, _ settling: Duration
  ) -> [(place: FoundPlace, look: Look)] {
    var due: [(place: FoundPlace, look: Look)] = []
    for (path, known) in open {
      guard let time = known.due, time <= now else { continue }
      do {
        let look = Look(try FileStatus(path))
        if look == known.look {
          open[path]?.due = nil
          due.append((FoundPlace(path, display: known.display), look))
        } else {
          open[path]?.look = look
          open[path]?.due = now + settling
        }
      } catch Errno.noSuchFileOrDirectory, Errno.notDirectory {
        open[path] = nil
      } catch {  // the import finds out what is wrong with it
        open[path]?.due = nil
        due.append((FoundPlace(path, display: known.display), known.look))
      }
    }
    return due
  }

  /// Notes that a file is done with.
  mutating func finish(_ path: FilePath, _ look: Look) {
    forget(path)
    done[path.hashValue] = (look.hashValue, scan)
  }

  /// Notes that a file could not be imported.
  ///
  /// - Returns: whether that is news.
  mutating func fail(
    _ place: FoundPlace, _ look: Look, _ failure: Failure, at now: ContinuousClock.Instant
  ) -> Bool {
    let known = waiting[place.path] ?? failed[place.path]
    let last = known?.failure ?? refused[place.path]?.failure
    let isNews = last?.reason != failure.reason
    forget(place.path)
    guard failure.reason.mayPass else {
      done[place.path.hashValue] = (look.hashValue, scan)
      if refused.count < Self.maxCount { refused[place.path] = (place.display, failure) }
      return isNews
    }
    guard failed.count < Self.maxCount else {
      hasLeftOut = true
      return isNews
    }
    let count = known?.failedCount ?? 0
    // Doubled each time, up to the longest.
    let pause = min(Self.firstPause * (1 << min(count, 10)), Self.longestPause)
    failed[place.path] = Open(
      display: place.display, look: look, due: now + pause, failedCount: count + 1,
      failure: failure)
    return isNews
  }

  /// Makes all due that failed because of the library: another file has just got in.
  mutating func hurry(at now: ContinuousClock.Instant) {
    for (path, known) in failed where known.failure?.reason.isOfLibrary == true {
      guard let due = known.due, due > now else { continue }
      failed[path]?.due = now
    }
  }

  mutating func forget(_ path: FilePath) {
    waiting[path] = nil
    failed[path] = nil
    refused[path] = nil
  }

  /// Begins a scan.
  mutating func beginScan() {
    scan += 1
    hasLeftOut = false
  }

  /// Forgets the files that were done and that a complete scan has not seen any more.
  mutating func endCompleteScan() { done = done.filter { $0.value.scan == scan } }

  /// The files that could not be imported, as far as they are still there, in order.
  var failures: [(display: String, failure: Failure)] {
    let open = [waiting, failed].joined().compactMap { path, known in
      known.failure.map { (path, known.display, $0) }
    }
    return (open + refused.map { ($0.key, $0.value.display, $0.value.failure) })
      .filter { (try? FileStatus($0.0)) != nil }
      .map { (display: $0.1, failure: $0.2) }.sorted { $0.display < $1.display }
  }
}

extension FailureReason {
  /// Whether the library could not take the file, rather than something being wrong with the file.
  var isOfLibrary: Bool { [.noSpace, .readOnly, .locked, .storeFailed].contains(self) }

  /// Whether the same file may be imported later.
  var mayPass: Bool { isOfLibrary || self == .unreadable }
}
