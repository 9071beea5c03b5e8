internal import SystemPackage

/// Changed files, until their size and modification time have stayed the same for a while.
package struct SettlingFiles {
  private let settling: Duration
  /// The last status seen of each file, and since when it has been the same.
  private var changed: [String: (status: FileStatus, since: ContinuousClock.Instant)] = [:]

  package init(settling: Duration) { self.settling = settling }

  /// Notes a file that was written or moved here; anything but a file is ignored.
  package mutating func note(_ path: String, at now: ContinuousClock.Instant) {
    guard let status = try? FileStatus(FilePath(path)), status.kind == .file else { return }
    changed[path] = (status, now)
  }

  /// The files that have settled by now, in order, each once. Those that are gone are forgotten.
  package mutating func takeSettled(at now: ContinuousClock.Instant) -> [String] {
    var settled: [String] = []
    for (path, known) in changed {
      guard let status = try? FileStatus(FilePath(path)) else {
        changed[path] = nil
        continue
      }
      if status.byteCount != known.status.byteCount || status.modifiedAt != known.status.modifiedAt
      {
        changed[path] = (status, now)
      } else if now - known.since >= settling {
        changed[path] = nil
        settled.append(path)
      }
    }
    return settled.sorted()
  }
}
