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
    devices = Set(MountTable().mounts.filter { Self.types.contains($0.type) }.map(\.device))
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
