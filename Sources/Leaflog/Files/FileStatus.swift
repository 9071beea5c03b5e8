internal import DiaryModel
internal import Foundation
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

/// The mounted file systems, from mountinfo (proc(5)).
package struct MountTable: Sendable {
  /// A mounted file system.
  struct Mount: Hashable, Sendable {
    /// Combined as by makedev(3).
    let device: UInt64
    /// Such as `ext4`.
    let type: Substring
    let place: String
    /// The number of the mount: one that is mounted again has another.
    let id: Substring
  }

  let mounts: [Mount]

  init() {
    let table = FileManager.default.contents(atPath: "/proc/self/mountinfo") ?? Data()
    self.init(String(decoding: table, as: UTF8.self))
  }

  /// - Parameter table: the text of mountinfo.
  package init(_ table: String) {
    mounts = table.split(separator: "\n").compactMap { Self.mount($0) }
  }

  /// The third field of a line is the device number, the fifth the place, and the type follows a lone hyphen.
  private static func mount(_ line: Substring) -> Mount? {
    let fields = line.split(separator: " ")
    guard let hyphen = fields.firstIndex(of: "-"), hyphen + 1 < fields.count, hyphen > 4 else {
      return nil
    }
    let numbers = fields[2].split(separator: ":").compactMap { UInt64($0) }
    guard numbers.count == 2 else { return nil }
    let (major, minor) = (numbers[0], numbers[1])
    let device =
      (major & 0xFFF) << 8 | minor & 0xFF | (minor & ~0xFF) << 12 | (major & ~0xFFF) << 32
    return Mount(
      device: device, type: fields[hyphen + 1], place: unescaped(fields[4]), id: fields[0])
  }

  /// A path with its octal escapes, such as `\040` for a blank, replaced.
  static func unescaped(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      if byte == UInt8(ascii: "\\"), digits.count == 3,
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
      {
        bytes.append(value)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The mounts at and below a folder.
  func mounts(below folder: FilePath) -> Set<Mount> {
    Set(mounts.filter { FilePath($0.place).starts(with: folder) })
  }

  /// The types of file systems whose files can be changed without the kernel's knowledge, by other machines or by the
  /// program that provides them.
  private static let remoteTypes: [String: String] = [
    "nfs": "NFS", "nfs4": "NFS", "cifs": "SMB", "smb3": "SMB", "smbfs": "SMB", "9p": "9p",
    "ceph": "Ceph", "afs": "AFS", "coda": "Coda", "lustre": "Lustre", "vboxsf": "vboxsf",
    "vmhgfs": "vmhgfs", "virtiofs": "virtiofs", "gfs2": "GFS2", "ocfs2": "OCFS2",
    "beegfs": "BeeGFS", "gpfs": "GPFS", "davfs": "WebDAV", "orangefs": "OrangeFS",
  ]

  /// The types of those of them that are on other machines.
  private static let networkTypes: Set = [
    "NFS", "SMB", "Ceph", "AFS", "Coda", "Lustre", "GFS2", "OCFS2", "BeeGFS", "GPFS", "WebDAV",
    "OrangeFS",
  ]
  /// Programs that provide what is on other machines through FUSE, by the second half of the type.
  private static let networkPrograms: Set = [
    "sshfs", "rclone", "s3fs", "goofys", "mountpoint-s3", "gcsfuse", "geesefs", "glusterfs",
    "davfs", "davfs2", "curlftpfs", "smbnetfs", "juicefs", "seaweedfs", "mfs", "ceph", "ceph-fuse",
    "gvfsd-fuse", "hdfs",
  ]

  /// The kind of network share that a folder is on; nil for other file systems.
  func networkShare(at folder: FilePath) -> String? {
    let places = mounts.filter { folder.starts(with: FilePath($0.place)) }
    let longest = places.map { FilePath($0.place).components.count }.max()
    // Of mounts at one place, the last hides the others.
    guard let type = places.last(where: { FilePath($0.place).components.count == longest })?.type
    else { return nil }
    if type.hasPrefix("fuse.") {
      let program = String(type.dropFirst(5))
      return Self.networkPrograms.contains(program) ? program : nil
    }
    return Self.remoteTypes[String(type)].flatMap { Self.networkTypes.contains($0) ? $0 : nil }
  }

  /// The type of a device's file system if the kernel does not report all changes in it; nil for others.
  func remoteType(of device: UInt64) -> String? {
    guard let type = mounts.last(where: { $0.device == device })?.type else { return nil }
    return type.hasPrefix("fuse") ? "FUSE" : Self.remoteTypes[String(type)]
  }
}

/// Sizes of files as people write them, in decimal units: `512 MB`.
package enum FileSize {
  private static let units = [("GB", 1_000_000_000), ("MB", 1_000_000), ("KB", 1000), ("B", 1)]

  /// Parses a size, in bytes; nil unless it is at least one byte.
  package static func byteCount(_ text: String) -> Int? {
    let text = text.filter { !$0.isWhitespace }.uppercased()
    let (suffix, unit) = units.first { text.hasSuffix($0.0) } ?? ("", 1)
    guard let number = Int(text.dropLast(suffix.count)), number > 0 else { return nil }
    let (byteCount, isTooMuch) = number.multipliedReportingOverflow(by: unit)
    return isTooMuch ? nil : byteCount
  }

  /// The size in the largest unit that leaves no remainder.
  package static func text(_ byteCount: Int) -> String {
    let (name, unit) = units.first { byteCount % $0.1 == 0 } ?? ("B", 1)
    return "\(byteCount / unit) \(name)"
  }
}
