internal import Foundation
internal import Glibc
internal import SystemPackage

/// Files that appear in folders, once they are complete: inotify(7) reports events, and a file counts
/// as settled when its size and modification time have not changed for a while.
///
/// Iterating yields batches of paths until the task is cancelled.
public struct FolderWatch: AsyncSequence, Sendable {
  /// Paths of files that have settled, in order.
  public typealias Element = [String]

  private let paths: [String]
  private let rules: WalkRules
  /// How long a file must stay unchanged.
  private let settling: Duration

  /// Creates a sequence that watches folders, including all folders in them.
  ///
  /// - Parameters:
  ///   - paths: the folders to watch.
  ///   - followsLinks: whether to follow symbolic links to folders; named ones are always followed.
  ///   - takesAll: whether to watch hidden folders too, and those that other programs keep for themselves.
  ///   - settling: how long a file must stay unchanged.
  /// - Throws: `LeaflogError` with code `invalidRequest` when a path is not a folder.
  public init(
    paths: [String], followsLinks: Bool = false, takesAll: Bool = false,
    settling: Duration = .seconds(2)
  ) throws(LeaflogError) {
    for path in paths {
      guard let status = try? FileStatus(FilePath(path)), status.kind == .folder else {
        throw LeaflogError(.invalidRequest, "\(path) is not a folder; only folders can be watched.")
      }
    }
    self.paths = paths
    rules = WalkRules(followsLinks: followsLinks, takesAll: takesAll)
    self.settling = settling
  }

  /// Starts watching.
  public func makeAsyncIterator() -> Iterator {
    Iterator(paths: paths, rules: rules, settling: settling)
  }

  /// An iterator that watches from its creation on.
  public struct Iterator: AsyncIteratorProtocol {
    private let events: FolderEvents
    private var changed: SettlingFiles

    init(paths: [String], rules: WalkRules, settling: Duration) {
      events = FolderEvents(paths, rules)
      changed = SettlingFiles(settling: settling)
    }

    /// The files that have settled since the last batch; nil once the task is cancelled.
    public mutating func next() async throws -> [String]? {
      while !Task.isCancelled {
        for path in try events.take() { changed.note(path, at: .now) }
        let settled = changed.takeSettled(at: .now)
        if !settled.isEmpty { return settled }
        // Four checks a second cost next to nothing, and cancelling ends the sleep at once.
        try? await Task.sleep(for: .milliseconds(250))
      }
      return nil
    }
  }
}

/// Owns an inotify instance that watches folders and all folders in them.
private final class FolderEvents {
  private let descriptor = inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))
  private var folders: [CInt: String] = [:]
  /// Files with events since the last `take()`, and those found in a folder when its watch began.
  private var found: [String] = []
  private let rules: WalkRules
  private let named: Set<String>

  init(_ paths: [String], _ rules: WalkRules) {
    self.rules = rules
    named = Set(paths)
    for path in paths { watch(path) }
    found = []  // existing files have been imported already
  }

  deinit { close(descriptor) }

  private func watch(_ folder: String) {
    let path = FilePath(folder)
    guard let status = try? FileStatus(path),
      rules.refusal(toEnter: path, status, isNamed: named.contains(folder)) == nil
    else { return }
    let mask = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_MODIFY | IN_ATTRIB)
    let watch = inotify_add_watch(descriptor, folder, mask)
    // Gone already, or a link back to a watched folder, which the kernel recognises by its inode.
    guard watch >= 0, folders[watch] == nil else { return }
    folders[watch] = folder
    let entries = rules.entries((try? FolderEntry.list(path)) ?? [], in: path)
    for entry in entries { notice(folder + "/" + entry.text) }
  }

  /// Handles a new name in a folder, or one whose file changed.
  private func notice(_ name: String) {
    let path = FilePath(name)
    let kind = (try? FileStatus(path))?.kind
    guard let text = path.lastComponent.map({ String(decoding: $0) }),
      rules.refusal(ofName: text, isFolder: kind == .folder) == nil
    else { return }
    switch kind {
    case .folder where rules.followsLinks || !FileStatus.isLink(path): watch(name)
    case .file: found.append(name)
    default: break
    }
  }

  /// The files with events since the last call.
  func take() throws -> [String] {
    guard descriptor >= 0 else {
      throw LeaflogError(.failed, "The system has no inotify instance left to watch folders with.")
    }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count <= 0 { break }
      buffer.withUnsafeBytes { take(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
    defer { found = [] }
    return found
  }

  private func take(_ events: UnsafeRawBufferPointer) {
    let headerByteCount = MemoryLayout<inotify_event>.size
    var at = 0
    while at + headerByteCount <= events.count {
      let event = events.loadUnaligned(fromByteOffset: at, as: inotify_event.self)
      let nameBytes = events[(at + headerByteCount)...].prefix(Int(event.len)).prefix { $0 != 0 }
      at += headerByteCount + Int(event.len)
      let name = String(decoding: nameBytes, as: UTF8.self)
      if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
        rescan()
      } else if let folder = folders[event.wd], !name.isEmpty,
        !rules.isOwn(name, in: FilePath(folder))
      {
        notice(folder + "/" + name)
      }
    }
  }

  /// Watches all folders again after the kernel's queue overflowed. Any file may have changed; an import finds
  /// out which.
  private func rescan() {
    let all = folders.values.sorted()
    folders = [:]
    for folder in all { watch(folder) }
  }
}
