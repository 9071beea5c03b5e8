internal import DiaryModel
internal import Foundation
internal import SystemPackage

/// An event of a watch.
@nonexhaustive
public enum WatchEvent: Sendable {
  /// The outcome of a file. A failure is told once, however often the file is tried again.
  case file(FileOutcome)
  /// The files that were there at the beginning are imported; new ones are from now on.
  case caughtUp(ImportSummary, WatchPlan)
  /// Something about the folders.
  case notice(WatchNotice)
  /// Photos have been imported, in this time, and nothing is being imported now.
  case rested(Duration)
  /// The watch is over, and these files have not been imported.
  case ended([OpenFailure])
}

/// How folders are watched.
public struct WatchPlan: Sendable, Hashable {
  /// A folder with files whose changes the system does not report.
  public struct RemoteFolder: Sendable, Hashable {
    /// The path, as it was named.
    public let path: String
    /// The type of its file system, such as `NFS`.
    public let type: String
  }

  /// The time between scans of the folders.
  public let interval: Duration
  /// The folders that are on network file systems and the like.
  public let remoteFolders: [RemoteFolder]
}

/// Something about watched folders that people should know.
@nonexhaustive
public enum WatchNotice: Sendable, Hashable {
  /// A folder is not there any more.
  case gone(String)
  /// A folder is there again.
  case back(String)
  /// A folder is another one than before.
  case replaced(String)
  /// A limit of the system, by the name of its sysctl, keeps this folder, and perhaps others, from being watched.
  case limit(String, folder: String)
  /// Nothing could be imported for now, for this reason.
  case failed(String)

  /// A sentence for people.
  public var explanation: String {
    switch self {
    case .gone(let path):
      "\(path) is not there any more. It is searched as soon as it is there again."
    case .back(let path): "\(path) is there again, and is searched."
    case .replaced(let path):
      "\(path) is another folder than before: it was mounted, unmounted or made anew. It is searched again."
    case .limit(let name, let folder):
      "The system's limit \(name) is too low to watch \(folder). The folders are searched from time to "
        + "time instead; raise it with sysctl for new files to come in at once."
    case .failed(let message): "\(message) It is tried again."
    }
  }
}

/// Something that a watch has not imported, and should have.
public struct OpenFailure: Sendable, Hashable {
  /// The path of the file or folder.
  public let path: String
  /// The reason.
  public let message: String
}

/// The time by which a watch goes, which tests set.
package struct WatchTime: Sendable {
  let now: @Sendable () -> ContinuousClock.Instant
  let pause: @Sendable (Duration) async -> Void

  package init(
    now: @escaping @Sendable () -> ContinuousClock.Instant,
    pause: @escaping @Sendable (Duration) async -> Void
  ) {
    (self.now, self.pause) = (now, pause)
  }

  /// The machine's. Cancelling ends a pause at once.
  package static let machine = WatchTime(now: { .now }) { try? await Task.sleep(for: $0) }
}

extension Importer {
  /// Imports the files of folders, and from then on those that are new or have changed there, until the task is
  /// cancelled.
  ///
  /// A file is imported two seconds after its last change. A file that cannot be imported because the library cannot take
  /// it, or that cannot be read, is tried again, at first soon, then every five minutes.
  ///
  /// - Parameters:
  ///   - request: the folders, with the options. It cannot be a dry run.
  ///   - every: the time between scans of all folders, a tenth of a second to a year. Nil means an hour, or a minute where
  ///     the system does not report all changes.
  /// - Returns: the totals, in which the failures are those that are still open at the end.
  /// - Throws: `LeaflogError` with code `invalidRequest` when a path is not a folder, and for another time between scans;
  ///   others for errors of the whole run at the beginning. Later ones are told, and tried again.
  public func watch(
    _ request: ImportRequest, every: Duration? = nil,
    report: @escaping @Sendable (WatchEvent) -> Void
  ) async throws -> ImportSummary {
    try every?.checkRepeated()
    let watch = try FolderWatch(
      paths: request.paths, followsLinks: request.followsLinks, takesAll: request.takesAll,
      every: every)
    return try await follow(watch, request, .machine, report: report)
  }

  /// Refuses paths that cannot be watched, before anything is done.
  ///
  /// - Throws: `LeaflogError` with code `invalidRequest` for a path that is not a folder.
  public static func checkWatched(_ paths: [String]) throws(LeaflogError) {
    for path in paths {
      guard let status = try? FileStatus(FilePath(text: path)), status.kind == .folder else {
        throw LeaflogError(.invalidRequest, "\(path) is not a folder; only folders can be watched.")
      }
    }
  }

  /// The same with a watch and a time that tests set.
  package func follow(
    _ watch: FolderWatch, _ request: ImportRequest, _ time: WatchTime,
    report: @escaping @Sendable (WatchEvent) -> Void
  ) async throws -> ImportSummary {
    try await Library.work {
      var summary = ImportSummary()
      var (hasBegun, hasCaughtUp) = (false, false)
      // Files still being written by then come in later.
      let patience = time.now() + FolderWatch.settling * 3
      while !Task.isCancelled {
        let pass = watch.pass()
        if !pass.isEmpty {
          do {
            let part = try await run(request, items: pass) { outcome in
              if watch.note(outcome) { report(.file(outcome)) }
            }
            summary += part
            if part.added + part.restored > 0 { report(.rested(part.duration)) }
            hasBegun = true
          } catch {
            guard hasBegun else { throw error }
            watch.note(LeaflogError(error))
            await time.pause(.seconds(5))
          }
        }
        for notice in watch.takeNotices() { report(.notice(notice)) }
        if !hasCaughtUp, !Task.isCancelled, !watch.isSettling || time.now() >= patience {
          hasCaughtUp = true
          report(.caughtUp(summary, watch.plan))
        }
        // Four checks a second cost next to nothing.
        await time.pause(.milliseconds(250))
      }
      let open = watch.open
      report(.ended(open))
      summary.failed = open.count
      summary.isInterrupted = true
      return summary
    }
  }
}

extension Duration {
  /// Refuses it as the time between two rounds of work that goes on until it is cancelled.
  func checkRepeated() throws(LeaflogError) {
    guard (.milliseconds(100) ... .seconds(366 * 86_400)).contains(self) else {
      throw .invalid("It is repeated after a tenth of a second to a year, not after \(self).")
    }
  }
}
