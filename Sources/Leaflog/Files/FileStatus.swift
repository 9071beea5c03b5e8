internal import DiaryModel
internal import Glibc
internal import SystemPackage

/// A file's status, from stat(2).
struct FileStatus: Equatable {
  enum Kind { case file, folder, other }

  let kind: Kind
  let byteCount: Int
  /// Nanoseconds since 1970, clamped to what fits: the years 1677 to 2262.
  let modifiedAt: Int64
  /// When its contents or its inode last changed, likewise. Unlike `modifiedAt`, no program can set it.
  let changedAt: Int64
  let device: UInt64
  let inode: UInt64

  /// Whether the file at a path is a symbolic link.
  static func isLink(_ path: FilePath) -> Bool {
    var status = stat()
    return path.withPlatformString { lstat($0, &status) } == 0
      && status.st_mode & S_IFMT == S_IFLNK
  }

  /// Reads the status of a file, following symbolic links.
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
    (modifiedAt, changedAt) = (status.st_mtim.nanoseconds, status.st_ctim.nanoseconds)
    (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
  }
}

extension timespec {
  /// Since 1970, clamped to what fits.
  fileprivate var nanoseconds: Int64 {
    Int64(tv_sec).multipliedSaturated(by: 1_000_000_000).addingSaturated(Int64(tv_nsec))
  }
}
