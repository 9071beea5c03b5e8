internal import Glibc
internal import SystemPackage

/// A name in a folder: the bytes that the file system has, and the text for people and for rules
/// about names.
struct FolderEntry: Sendable {
  let component: FilePath.Component
  /// Nil where the file system does not tell.
  private let knownToBeLink: Bool?
  let text: String
  /// Lower-case, without the dot; empty when there is none.
  let fileExtension: String
  /// Lower-case, the text without its last extension.
  let stem: String

  init(_ component: FilePath.Component, isLink: Bool? = nil) {
    self.component = component
    knownToBeLink = isLink
    text = String(decoding: component)
    let lower = text.lowercased()
    if let dot = lower.lastIndex(of: "."), dot != lower.startIndex {
      fileExtension = String(lower[lower.index(after: dot)...])
      stem = String(lower[..<dot])
    } else {
      (fileExtension, stem) = ("", lower)
    }
  }

  /// The names in a folder, in order, without `.` and `..`.
  static func list(_ folder: FilePath) throws(Errno) -> [FolderEntry] {
    guard let directory = folder.withPlatformString({ opendir($0) }) else {
      throw Errno(rawValue: errno)
    }
    defer { closedir(directory) }
    var entries: [FolderEntry] = []
    while true {
      errno = 0
      guard let item = readdir(directory) else {
        if errno != 0 { throw Errno(rawValue: errno) }
        return entries.sorted { $0.text < $1.text }
      }
      let component = withUnsafeBytes(of: &item.pointee.d_name) { bytes in
        FilePath.Component(platformString: Array(bytes.bindMemory(to: CChar.self)))
      }
      // Paths made of dots have no last component of their own kind.
      guard let component, component.kind == .regular else { continue }
      let type = Int(item.pointee.d_type)
      entries.append(
        FolderEntry(component, isLink: type == Int(DT_UNKNOWN) ? nil : type == Int(DT_LNK)))
    }
  }

  /// Whether it is a symbolic link, `path` being its own.
  func isLink(at path: FilePath) -> Bool { knownToBeLink ?? FileStatus.isLink(path) }
}

/// What stat(2) tells.
struct FileStatus {
  enum Kind { case file, folder, other }

  let kind: Kind
  let byteCount: Int
  /// Nanoseconds since 1970; of times after 2262 or before 1677 the last or first that there is.
  let modifiedAt: Int64
  let device: UInt64
  let inode: UInt64

  /// Whether a symbolic link lies at a path.
  static func isLink(_ path: FilePath) -> Bool {
    var status = stat()
    return path.withPlatformString { lstat($0, &status) } == 0
      && status.st_mode & S_IFMT == S_IFLNK
  }

  /// Follows links.
  init(_ path: FilePath) throws(Errno) {
    var status = stat()
    guard path.withPlatformString({ stat($0, &status) }) == 0 else {
      throw Errno(rawValue: errno)
    }
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      default: .other
      }
    byteCount = Int(status.st_size)
    modifiedAt = Int64(status.st_mtim.tv_sec).multipliedSaturated(by: 1_000_000_000)
      .addingSaturated(Int64(status.st_mtim.tv_nsec))
    (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
  }
}
