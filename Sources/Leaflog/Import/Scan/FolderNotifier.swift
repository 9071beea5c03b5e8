internal import DiaryModel
internal import Glibc
internal import SystemPackage

/// A source of hints about changes in folders. It may miss some: see `FolderWatch`.
package protocol FolderNotifier: AnyObject, Sendable {
  /// Reports changes in a folder from now on, not those in the folders inside it.
  ///
  /// - Returns: what prevents that, if anything.
  func watch(_ folder: FoundPlace) -> NotifierLimit?

  /// The hints since the last call.
  func take() -> Set<FolderHint>
}

/// A sign of a change.
package enum FolderHint: Hashable, Sendable {
  /// A file was written or moved here.
  case file(FoundPlace)
  /// A folder was made, renamed or moved here.
  case folder(FoundPlace)
  /// A watched folder was removed or unmounted.
  case removed(FoundPlace)
  /// There was more than could be reported.
  case overflow
}

/// A limit of the system that keeps folders from being watched.
package enum NotifierLimit: String, Sendable, Hashable {
  case watches = "fs.inotify.max_user_watches"
  case instances = "fs.inotify.max_user_instances"
}

/// Owns an inotify instance (inotify(7)). It is sendable because a watch uses it a step at a time.
final class InotifyNotifier: FolderNotifier, @unchecked Sendable {
  private let descriptor = inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))
  private var folders: [CInt: FoundPlace] = [:]
  private let rules: WalkRules

  init(_ rules: WalkRules) { self.rules = rules }

  deinit { if descriptor >= 0 { close(descriptor) } }

  func watch(_ folder: FoundPlace) -> NotifierLimit? {
    guard descriptor >= 0 else { return .instances }
    let mask = UInt32(
      IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_MODIFY | IN_ATTRIB | IN_MOVED_FROM)
    let watch = folder.path.withPlatformString { inotify_add_watch(descriptor, $0, mask) }
    // The kernel knows a folder by its inode: one that was renamed keeps its number, and gets a new path here.
    if watch >= 0 {
      folders[watch] = folder
    } else if [ENOSPC, ENOMEM].contains(errno) {
      return .watches
    }
    return nil  // gone already, which is no limit
  }

  func take() -> Set<FolderHint> {
    guard descriptor >= 0 else { return [] }
    var hints: Set<FolderHint> = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count <= 0 { return hints }
      buffer.withUnsafeBytes { take(UnsafeRawBufferPointer(rebasing: $0[..<count]), &hints) }
    }
  }

  private func take(_ events: UnsafeRawBufferPointer, _ hints: inout Set<FolderHint>) {
    let headerByteCount = MemoryLayout<inotify_event>.size
    var at = 0
    while at + headerByteCount <= events.count {
      let event = events.loadUnaligned(fromByteOffset: at, as: inotify_event.self)
      let name = events[(at + headerByteCount)...].prefix(Int(event.len)).prefix { $0 != 0 }
      at += headerByteCount + Int(event.len)
      if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
        hints.insert(.overflow)
      } else if event.mask & UInt32(IN_IGNORED) != 0 {  // deleted or unmounted
        if let folder = folders.removeValue(forKey: event.wd) { hints.insert(.removed(folder)) }
      } else if let folder = folders[event.wd] {
        if let hint = hint(event.mask, name.map(CChar.init(bitPattern:)), in: folder) {
          hints.insert(hint)
        }
      }
    }
  }

  private func hint(_ mask: UInt32, _ name: [CChar], in folder: FoundPlace) -> FolderHint? {
    guard let component = FilePath.Component(platformString: name + [0]),
      component.kind == .regular
    else { return nil }
    let entry = FolderEntry(component)
    guard rules.refusal(ofName: entry.text, isFolder: mask & UInt32(IN_ISDIR) != 0) == nil,
      !rules.isOwn(entry.text, in: folder.path)
    else { return nil }
    let separator = folder.display.hasSuffix("/") ? "" : "/"
    let place = FoundPlace(
      folder.path.appending(component), display: folder.display + separator + entry.text)
    guard mask & UInt32(IN_MOVED_FROM) == 0 else {
      if mask & UInt32(IN_ISDIR) != 0 { forget(place.path) }
      return nil
    }
    if mask & UInt32(IN_ISDIR) == 0 {
      // A link to a folder is reported as a file.
      let isFolder = rules.followsLinks && (try? FileStatus(place.path))?.kind == .folder
      return isFolder ? .folder(place) : .file(place)
    }
    return mask & UInt32(IN_CREATE | IN_MOVED_TO | IN_ATTRIB) != 0 ? .folder(place) : nil
  }

  /// Ends watching a folder that was moved away, and those in it. If it was moved to another watched folder, it is
  /// found there.
  private func forget(_ path: FilePath) {
    for (watch, folder) in folders where folder.path.starts(with: path) {
      inotify_rm_watch(descriptor, watch)
      folders[watch] = nil
    }
  }
}
