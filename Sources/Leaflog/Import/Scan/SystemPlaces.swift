internal import Foundation
internal import SystemPackage

/// Folders that the kernel generates, such as /proc: they hold no photos and may be endless. They are
/// recognised by the types of the mounted file systems, wherever those are mounted.
struct SystemPlaces: Sendable {
  private static let types: Set<Substring> = [
    "proc", "sysfs", "devtmpfs", "devpts", "cgroup", "cgroup2", "debugfs", "tracefs", "securityfs",
    "configfs", "bpf", "mqueue", "pstore", "efivarfs", "binfmt_misc", "fusectl", "selinuxfs",
    "nsfs",
    "rpc_pipefs",
  ]

  private let devices: Set<UInt64>
  /// In containers it is an ordinary file system in memory.
  private let dev = try? FileStatus("/dev")

  init() {
    let mounts = FileManager.default.contents(atPath: "/proc/self/mountinfo") ?? Data()
    devices = Set(mounts.split(separator: UInt8(ascii: "\n")).compactMap(Self.device))
  }

  /// The device of a line of mountinfo (proc(5)) that has one of the types: the third field is its
  /// number, and the type follows a lone hyphen.
  private static func device(_ line: Data) -> UInt64? {
    let fields = String(decoding: line, as: UTF8.self).split(separator: " ")
    guard let hyphen = fields.firstIndex(of: "-"), hyphen + 1 < fields.count, fields.count > 2,
      types.contains(fields[hyphen + 1])
    else { return nil }
    let numbers = fields[2].split(separator: ":").compactMap { UInt64($0) }
    guard numbers.count == 2 else { return nil }
    let (major, minor) = (numbers[0], numbers[1])
    // As makedev(3) puts them together.
    return (major & 0xFFF) << 8 | minor & 0xFF | (minor & ~0xFF) << 12 | (major & ~0xFFF) << 32
  }

  /// `status` is that of the path, links followed.
  func contain(_ path: FilePath, _ status: FileStatus) -> Bool {
    if devices.contains(status.device) { return true }
    guard let dev, status.device == dev.device else { return false }
    if status.inode == dev.inode { return true }
    // Memory that programs share, in /dev/shm, is for anybody's files.
    guard let path = try? path.resolved() else { return false }
    return path.starts(with: "/dev") && !path.starts(with: "/dev/shm")
  }
}
