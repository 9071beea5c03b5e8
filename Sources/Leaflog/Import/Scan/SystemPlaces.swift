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
  /// `/dev`, which in containers is an ordinary file system in memory.
  private let dev = try? FileStatus("/dev")

  init() {
    let mounts = FileManager.default.contents(atPath: "/proc/self/mountinfo") ?? Data()
    devices = Set(mounts.split(separator: UInt8(ascii: "\n")).compactMap(Self.device))
  }

  /// The device in a line of mountinfo (proc(5)), if it has one of the types: the third field is the
  /// device number, and the type follows a lone hyphen.
  private static func device(_ line: Data) -> UInt64? {
    let fields = String(decoding: line, as: UTF8.self).split(separator: " ")
    guard let hyphen = fields.firstIndex(of: "-"), hyphen + 1 < fields.count, fields.count > 2,
      types.contains(fields[hyphen + 1])
    else { return nil }
    let numbers = fields[2].split(separator: ":").compactMap { UInt64($0) }
    guard numbers.count == 2 else { return nil }
    let (major, minor) = (numbers[0], numbers[1])
    // Combined as by makedev(3).
    return (major & 0xFFF) << 8 | minor & 0xFF | (minor & ~0xFF) << 12 | (major & ~0xFFF) << 32
  }

  /// - Parameter status: the status of the path, with links followed.
  func contain(_ path: FilePath, _ status: FileStatus) -> Bool {
    if devices.contains(status.device) { return true }
    guard let dev, status.device == dev.device else { return false }
    if status.inode == dev.inode { return true }
    // Any program may keep files in the shared memory of /dev/shm.
    guard let path = try? path.resolved() else { return false }
    return path.starts(with: "/dev") && !path.starts(with: "/dev/shm")
  }
}
