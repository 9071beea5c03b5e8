internal import DiaryCatalog
internal import Imaging
package import SystemPackage

/// A file to import, with its sidecars and the name of its folder, either found by a scan or uploaded.
package struct ScannedFile: Sendable {
  /// The absolute path.
  let path: FilePath
  /// The file name without folders: the path's, or that of the uploaded file.
  let name: String
  /// The path as the request named it, for people to read.
  package let displayPath: String
  let fingerprint: FileFingerprint
  /// Sidecars beside it: XMP first, then Takeout's JSON.
  let xmpSidecar: FilePath?
  let takeoutSidecar: FilePath?
  /// Whether the XMP sidecar is rather that of a RAW file beside it.
  let isSidecarOfRAW: Bool
  /// Which number is the day in the names of its folder that have the year last; nil if they do not tell.
  let dayOrder: DayOrder?
  /// Whether a JPEG or HEIC with the same stem lies beside it.
  let hasRenderedDuplicate: Bool
  /// Whether the request named the file itself, rather than a folder that contains it.
  let isNamed: Bool
  /// Whether it was uploaded. Its path is temporary, so the library does not recognise it by that.
  let isSent: Bool
}

extension ScannedFile {
  /// The names of the folders that contain it, the outermost first; none for an uploaded file.
  var folders: [String] {
    isSent ? [] : path.removingLastComponent().components.map(\.text)
  }

  var hasSidecar: Bool { xmpSidecar != nil || takeoutSidecar != nil }

  /// The file of a photo that was sent, or was in memory.
  init(sent path: FilePath, name: String, modifiedAt: Timestamp?) throws(Errno) {
    let status = try FileStatus(path)
    let modified = modifiedAt?.milliseconds.multipliedSaturated(by: 1_000_000)
    self.init(
      path: path, name: name, displayPath: name,
      fingerprint: FileFingerprint(
        path: path.bytes, byteCount: status.byteCount,
        modifiedAt: modified ?? status.modifiedAt, changedAt: status.changedAt,
        inode: status.inode),
      xmpSidecar: nil, takeoutSidecar: nil, isSidecarOfRAW: false, dayOrder: nil,
      hasRenderedDuplicate: false, isNamed: true, isSent: true)
  }
}

/// An element of a scan.
package enum ScanItem: Sendable {
  case file(ScannedFile)
  /// An outcome that is known without reading a file.
  case outcome(FileOutcome)
}

/// A file or folder inside a folder that was named, such as a watch finds.
package struct FoundPlace: Sendable, Hashable {
  /// The absolute path.
  package let path: FilePath
  /// The path for people to read, beginning with the folder that was named.
  package let display: String

  package init(_ path: FilePath, display: String) { (self.path, self.display) = (path, display) }
}

/// A sidecar that a scan has met.
struct FoundSidecar {
  let place: FoundPlace
  let status: FileStatus
  /// Returns the photos that it belongs to.
  let photos: () -> [FoundPlace]
}

/// Walks folders depth first, in the order of names, with only the names of the folders on the current
/// path in memory.
///
/// `WalkRules` decides which folders are entered. No folder is entered twice, so loops end.
struct FolderScan: Sequence, IteratorProtocol {
  private enum Task {
    case folder(FilePath, display: String, isNamed: Bool)
    case entry(FilePath, display: String, entry: FolderEntry, beside: Surroundings)
    case root(FilePath, display: String)
    case found(FoundPlace)
  }

  /// The context that the entries of one folder share.
  private final class Surroundings {
    let folder: FilePath
    let sidecars: SidecarNames
    private let entries: [FolderEntry]
    private(set) lazy var dayOrder = FileNameDate.order(ofNames: entries.lazy.map(\.text))
    private lazy var entriesByName = Dictionary(
      entries.map { ($0.component, $0) }, uniquingKeysWith: { first, _ in first })

    init(_ folder: FilePath, _ entries: [FolderEntry]) {
      self.folder = folder
      self.entries = entries
      sidecars = SidecarNames(entries)
    }

    private lazy var photosBySidecar: [FolderEntry.Name: [FolderEntry]] = {
      var photos: [FolderEntry.Name: [FolderEntry]] = [:]
      for entry in entries where !sidecars.isSidecar(entry) {
        for sidecar in [sidecars.xmpSidecar(of: entry), sidecars.takeoutSidecar(of: entry)] {
          if let sidecar { photos[sidecar.name, default: []].append(entry) }
        }
      }
      return photos
    }()

    var count: Int { entries.count }

    func photos(of sidecar: FolderEntry) -> [FolderEntry] { photosBySidecar[sidecar.name] ?? [] }

    func entry(named name: FilePath.Component) -> FolderEntry? { entriesByName[name] }
  }

  /// The entries still to be visited, the next one last.
  private var stack: [Task]
  private var visited: Set<[UInt64]> = []
  private let rules: WalkRules
  /// Called with each folder before its entries are listed.
  private let entering: ((FoundPlace) -> Void)?
  /// Called with each sidecar.
  private let meeting: ((FoundSidecar) -> Void)?
  /// The folders of files that were given themselves: each is listed once, however many of its files are given.
  private var listed: [FilePath: Surroundings] = [:]
  private var listedCount = 0
  /// The number of names to remember of listed folders.
  private static let maxListedCount = 1_000_000

  init(paths: [String], followsLinks: Bool = false, takesAll: Bool = false) {
    self.init(paths: paths, rules: WalkRules(followsLinks: followsLinks, takesAll: takesAll))
  }

  /// Walks folders that were named, and calls `entering` with each folder before its entries are listed, and `meeting`
  /// with each sidecar.
  init(
    paths: [String], rules: WalkRules, entering: ((FoundPlace) -> Void)? = nil,
    meeting: ((FoundSidecar) -> Void)? = nil
  ) {
    (self.rules, self.entering, self.meeting) = (rules, entering, meeting)
    stack = paths.reversed().map { .root(FilePath(text: $0), display: $0) }
  }

  /// Walks files and folders that were found inside folders that were named.
  init(
    found: [FoundPlace], rules: WalkRules, entering: ((FoundPlace) -> Void)? = nil,
    meeting: ((FoundSidecar) -> Void)? = nil
  ) {
    (self.rules, self.entering, self.meeting) = (rules, entering, meeting)
    stack = found.reversed().map { .found($0) }
  }

  mutating func next() -> ScanItem? {
    while let task = stack.popLast() {
      let item: ScanItem?
      switch task {
      case .root(let path, let display): item = visitRoot(path, display)
      case .found(let place): item = visitFound(place)
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
      return visitFile(path, display, isNamed: true)
    } catch {
      guard error == .noSuchFileOrDirectory else { return .outcome(.unreachable(display, error)) }
      return .outcome(
        FileOutcome(
          path: display, result: .failed(.notFound, message: "There is nothing at this path.")))
    }
  }

  private mutating func visitFound(_ place: FoundPlace) -> ScanItem? {
    do {
      guard try FileStatus(place.path).kind == .folder else {
        return visitFile(place.path, place.display, isNamed: false)
      }
      if FileStatus.isLink(place.path), !rules.followsLinks {
        return .outcome(.skipped(place.display, .link))
      }
      return enter(place.path, place.display, false)
    } catch {
      return .outcome(.unreachable(place.display, error))
    }
  }

  /// Visits a file that was given itself, with what lies beside it.
  private mutating func visitFile(
    _ path: FilePath, _ display: String, isNamed: Bool
  ) -> ScanItem? {
    let beside = surroundings(path.removingLastComponent())
    guard let name = path.lastComponent, let entry = beside.entry(named: name) else {
      return .outcome(.unreachable(display, .noSuchFileOrDirectory))
    }
    return visit(path, display, entry, beside, isNamed: isNamed)
  }

  private mutating func surroundings(_ folder: FilePath) -> Surroundings {
    if let known = listed[folder] { return known }
    let entries = rules.entries((try? FolderEntry.list(folder)) ?? [], in: folder)
    let beside = Surroundings(folder, entries)
    if listedCount > Self.maxListedCount { (listed, listedCount) = ([:], 0) }
    listed[folder] = beside
    listedCount += beside.count
    return beside
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
      entering?(FoundPlace(path, display: display))
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
      if beside.sidecars.isSidecar(entry) {
        meeting?(
          FoundSidecar(place: FoundPlace(path, display: display), status: status) {
            let folder = String(
              decoding: display.utf8.dropLast(entry.text.utf8.count), as: UTF8.self)
            return beside.photos(of: entry).map {
              FoundPlace(beside.folder.appending($0.component), display: folder + $0.text)
            }
          })
        return .outcome(.skipped(display, .sidecar))
      }
      let xmp = beside.sidecars.xmpSidecar(of: entry)
      return .file(
        ScannedFile(
          path: path, name: entry.text, displayPath: display,
          fingerprint: FileFingerprint(
            path: path.bytes, byteCount: status.byteCount, modifiedAt: status.modifiedAt,
            changedAt: status.changedAt, inode: status.inode),
          xmpSidecar: xmp.map { beside.folder.appending($0.component) },
          takeoutSidecar: beside.sidecars.takeoutSidecar(of: entry).map {
            beside.folder.appending($0.component)
          },
          isSidecarOfRAW: xmp.map { beside.sidecars.isSidecarOfRAW($0, of: entry) } ?? false,
          dayOrder: FileNameDate.dependsOnOrder(entry.text) ? beside.dayOrder : nil,
          hasRenderedDuplicate: beside.sidecars.hasRenderedDuplicate(entry), isNamed: isNamed,
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
