package import BlobStorage
internal import CFaultVFS
package import DiaryCatalog
internal import Foundation
internal import Leaflog
internal import SystemPackage
internal import TestSupport

/// The file system and SQLite used by a library, with operations counted together.
package struct FaultBench {
  package let files: any FileSystem
  package let probe: CatalogProbe
  private let injector: FaultInjector?

  /// Creates a bench without faults.
  package init() { (files, probe, injector) = (POSIXFileSystem(), CatalogProbe(), nil) }

  /// Makes the next operation wait until nothing else is running.
  func pauseBeforeNext() { injector?.pauseBeforeNext() }

  /// C's callbacks carry no context.
  nonisolated(unsafe) private static var shared = FaultInjector()

  init(_ job: FaultJob, _ injector: FaultInjector) throws {
    Self.shared = injector
    self.injector = injector
    var probe = CatalogProbe()
    probe.synchronous = job.isNormal ? .normal : .full
    guard job.isFaulty else {
      (files, self.probe) = (POSIXFileSystem(), probe)
      return
    }
    probe.atBoundary = { injector.pass() }
    self.probe = probe
    let limbo = job.library + ".limbo"
    try FileManager.default.createDirectory(atPath: limbo, withIntermediateDirectories: true)
    files = FaultyFileSystem(injector, limbo: FilePath(limbo)) {
      fault_vfs_did_sync_folder($0.string)
    }
    let code = fault_vfs_register(
      fault_hooks(enter: { Self.enter($0) }, leave: { FaultBench.shared.leave() }))
    precondition(code == 0, "SQLite takes no VFS")
    injector.onLoss(of: .catalog) { fault_vfs_drop_unsynced() }
  }

  private static func enter(_ operation: fault_operation) -> CInt {
    let kind: FaultInjector.Operation =
      switch operation {
      case FAULT_WRITE: .page
      case FAULT_DELETE, FAULT_TRUNCATE: .catalogRemoval
      default: .catalog
      }
    return switch shared.enter(kind) {
    case .fail(let error): error.rawValue
    // SQLite's own files have no short writes: its VFS retries them.
    case .proceed, .shorten: 0
    }
  }

  /// Opens the library, or creates it if there is none.
  func open(_ job: FaultJob) throws -> Library {
    if job.command == .backup {
      return try Library.open(at: job.library, for: .reading, files: files, probe: probe)
    }
    if Library.exists(at: job.library) {
      // As the commands do.
      return try Library.open(
        at: job.library, for: [.edit, .change].contains(job.command) ? .writingSerially : .writing,
        files: files,
        probe: probe)
    }
    let zone = TimeZone(identifier: "Europe/Berlin") ?? .current
    return try Library.create(
      at: job.library, Library.Settings(policy: job.policy, timeZone: zone), files: files,
      probe: probe)
  }
}

extension FaultJob {
  fileprivate var isFaulty: Bool { command != .importers && command != .pruners }
}
