internal import DiaryCatalog
internal import Glibc
internal import Imaging
internal import SystemPackage

/// Walks folders depth first, in the order of names, with only the names of the folders on the current
/// path in memory.
///
/// `WalkRules` decides which folders are entered. No folder is entered twice, so loops end.
struct FolderScan: Sequence, IteratorProtocol {
  private enum Task {
    case folder(FilePath, display: String, isNamed: Bool)
    case entry(FilePath, display: String, entry: FolderEntry, beside: Surroundings)
    case root(FilePath, display: String)
  }

  /// The context that the entries of one folder share.
  private final class Surroundings {
    let folder: FilePath
    let sidecars: SidecarNames
    let dayOrder: DayOrder?

    init(_ folder: FilePath, _ entries: [FolderEntry]) {
      self.folder = folder
      sidecars = SidecarNames(entries)
      dayOrder = FileNameDate.order(ofNames: entries.lazy.map(\.text))
    }
  }

  /// The entries still to be visited, the next one last.
  private var stack: [Task]
  private var visited: Set<[UInt64]> = []
  private let rules: WalkRules

  init(paths: [String], followsLinks: Bool = false, takesAll: Bool = false) {
    rules = WalkRules(followsLinks: followsLinks, takesAll: takesAll)
    stack = paths.reversed().map { .root(FilePath($0), display: $0) }
  }

  mutating func next() -> ScanItem? {
    while let task = stack.popLast() {
      let item: ScanItem?
      switch task {
      case .root(let path, let display): item = visitRoot(path, display)
      case .folder(let path, let display, let isNamed): item = enter(path, display, isNamed)
      case .entry(let path, let display, let entry, let beside):
        item = visit(path, display, entry, beside)
      }
      if let item { return item }
    }
    return nil
  }

  private mutating func visitRoot(_ path: FilePath, _ display: String) -> ScanItem? {
    do {
      // Absolute, so that the file is recognised wherever the next import is run from.
      let path = try path.resolved()
      if rules.isLibrarysOwn(path) { return .outcome(.skipped(display, .library)) }
      let status = try FileStatus(path)
      guard status.kind == .file else { return enter(path, display, true) }
      let folder = path.removingLastComponent()
      let entries = (try? FolderEntry.list(folder)) ?? []
      guard let entry = entries.first(where: { $0.component == path.lastComponent }) else {
        return .outcome(.unreachable(display, .noSuchFileOrDirectory))
      }
      let beside = Surroundings(folder, entries)
      return visit(path, display, entry, beside, isNamed: true)
    } catch {
      guard error == .noSuchFileOrDirectory else { return .outcome(.unreachable(display, error)) }
      return .outcome(
        FileOutcome(
          path: display, result: .failed(.notFound, message: "There is nothing at this path.")))
    }
  }

  /// Pushes a folder's entries onto the stack.
  private mutating func enter(
    _ path: FilePath, _ display: String, _ isNamed: Bool
  ) -> ScanItem? {
    do {
      let status = try FileStatus(path)
      guard status.kind == .folder else { return .outcome(.skipped(display, .notAFile)) }
      guard visited.insert([status.device, status.inode]).inserted else {
        return .outcome(.skipped(display, .alreadyVisited))
      }
      if let reason = rules.refusal(toEnter: path, status, isNamed: isNamed) {
        return .outcome(.skipped(display, reason))
      }
      let all = try FolderEntry.list(path)
      let entries = rules.entries(all, in: path)
      if entries.isEmpty, !all.isEmpty { return .outcome(.skipped(display, .library)) }
      let beside = Surroundings(path, entries)
      let separator = display.hasSuffix("/") ? "" : "/"
      for entry in entries.reversed() {
        stack.append(
          .entry(
            path.appending(entry.component), display: display + separator + entry.text,
            entry: entry, beside: beside))
      }
      return nil
    } catch {
      return .outcome(.unreachable(display, error))
    }
  }

  private mutating func visit(
    _ path: FilePath, _ display: String, _ entry: FolderEntry, _ beside: Surroundings,
    isNamed: Bool = false
  ) -> ScanItem? {
    do {
      let status = try FileStatus(path)
      let isFolder = status.kind == .folder
      if let reason = rules.refusal(ofName: entry.text, isFolder: isFolder) {
        return .outcome(.skipped(display, reason))
      }
      switch status.kind {
      case .folder:
        if entry.isLink(at: path), !rules.followsLinks {
          return .outcome(.skipped(display, .link))
        }
        stack.append(.folder(path, display: display, isNamed: false))
        return nil
      case .other: return .outcome(.skipped(display, .notAFile))
      case .file: break
      }
      // A folder's own files are where the folder is, which was checked; named files and links may be anywhere.
      if isNamed || entry.isLink(at: path), rules.systemPlaces.contain(path, status) {
        return .outcome(.skipped(display, .system))
      }
      if beside.sidecars.isSidecar(entry) { return .outcome(.skipped(display, .sidecar)) }
      let xmp = beside.sidecars.xmpSidecar(of: entry)
      return .file(
        ScannedFile(
          path: path, name: entry.text, displayPath: display,
          fingerprint: FileFingerprint(
            path: path.bytes, byteCount: status.byteCount, modifiedAt: status.modifiedAt,
            inode: status.inode),
          folderName: beside.folder.lastComponent.map { String(decoding: $0) } ?? "",
          xmpSidecar: xmp.map { beside.folder.appending($0.component) },
          takeoutSidecar: beside.sidecars.takeoutSidecar(of: entry).map {
            beside.folder.appending($0.component)
          },
          isSidecarOfRAW: xmp.map { beside.sidecars.isSidecarOfRAW($0, of: entry) } ?? false,
          dayOrder: beside.dayOrder,
          hasRenderedTwin: beside.sidecars.hasRenderedTwin(entry), isNamed: isNamed,
          isSent: false))
    } catch {
      // Whatever it is, it would not be visited.
      if let reason = rules.refusal(ofName: entry.text, isFolder: false) {
        return .outcome(.skipped(display, reason))
      }
      // `stat` follows a link, so the name is there and its target is not.
      if error == .noSuchFileOrDirectory, entry.isLink(at: path) {
        return .outcome(.skipped(display, .link))
      }
      return .outcome(.unreachable(display, error))
    }
  }
}

extension FileOutcome {
  static func skipped(_ path: String, _ reason: SkipReason) -> FileOutcome {
    FileOutcome(path: path, result: .skipped(reason))
  }

  /// The outcome of a file or folder that cannot be read, or is gone.
  static func unreachable(_ path: String, _ error: Errno) -> FileOutcome {
    let result: Result =
      switch error {
      case .noSuchFileOrDirectory, .notDirectory:
        .failed(.vanished, message: "There is nothing at this path (any more).")
      case .permissionDenied, .notPermitted:
        .failed(
          .unreadable,
          message: "The system does not allow reading it: \(error). Check its permissions.")
      case .tooManySymbolicLinkLevels:
        .failed(.unreadable, message: "A link that leads to itself.")
      default: .failed(.unreadable, message: "It cannot be read: \(error).")
      }
    return FileOutcome(path: path, result: result)
  }
}

extension FilePath {
  /// A path of these bytes, which must not contain NUL.
  init(bytes: [UInt8]) {
    self = bytes.map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { text in
      FilePath(platformString: Array(text) + [0])
    }
  }

  /// The bytes of the path, without the terminating NUL.
  var bytes: [UInt8] {
    withPlatformString { UnsafeRawBufferPointer(start: $0, count: strlen($0)).map { $0 } }
  }

  /// The absolute path, with links resolved.
  func resolved() throws(Errno) -> FilePath {
    guard let resolved = withPlatformString({ realpath($0, nil) }) else {
      throw Errno(rawValue: errno)
    }
    defer { free(resolved) }
    return FilePath(platformString: resolved)
  }
}
