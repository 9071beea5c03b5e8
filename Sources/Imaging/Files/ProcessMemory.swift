internal import CVips
internal import Foundation
internal import Synchronization

/// The memory of this process.
package enum ProcessMemory {
  /// The memory that work on photos may take, in bytes: of what the process may take in all, the part that is left
  /// beside the program itself, its caches and its connections.
  package static var forPhotos: Int { chosen.withLock { $0 } ?? found }

  /// The memory that the program takes besides photos, in bytes: measured while a service answered pages and pictures
  /// from full caches.
  private static let own = 100_000_000
  /// The least for photos, in bytes: enough for a photo of 12 megapixels at reduced size.
  private static let leastForPhotos = 28_000_000
  /// The least that the process needs in all, in bytes.
  package static let least = own + leastForPhotos

  private static let chosen = Mutex<Int?>(nil)

  /// By the limits of the process's control groups. A quarter of the machine's memory is left to others.
  private static let found = forPhotos(of: groupLimit, machine: machineByteCount)
  private static let groupLimit = ControlGroups.ofProcess?.memoryLimit ?? .max

  /// The memory beyond which the process would be ended, less what the program takes besides photos, in bytes. Where
  /// there is only the machine's memory, the system may make room.
  package static var mostForPhotos: Int {
    chosen.withLock { $0 } ?? forPhotos(of: groupLimit)
  }

  /// - Parameters:
  ///   - byteCount: what the process may take in all.
  ///   - machine: the machine's memory.
  package static func forPhotos(of byteCount: Int, machine: Int = .max) -> Int {
    max(leastForPhotos, max(own, min(byteCount, machine / 4 * 3)) - own)
  }

  /// Sets the memory that the process may take in all, whatever the machine allows. It has an effect only before any
  /// photo is worked on.
  package static func limit(to byteCount: Int) {
    chosen.withLock { $0 = forPhotos(of: byteCount) }
  }

  private static var machineByteCount: Int {
    let pages = sysconf(CInt(_SC_PHYS_PAGES))
    return pages > 0 ? pages * sysconf(CInt(_SC_PAGESIZE)) : .max
  }

  /// Keeps all threads in one arena, so that memory freed by one can be used by another, and lets that
  /// arena keep the tens of megabytes that one photo freed for the next, instead of having the kernel
  /// clear fresh pages each time.
  ///
  /// Measured on 23 photos of up to 16 megapixels, two jobs: a tenth less time, a peak of 300 MB instead
  /// of 420. Only programs should call it; a library should not change its host's allocator.
  package static func keepLargeBlocks() {
    leaflog_keep_large_blocks()
    keepsBlocks.withLock { $0 = true }
  }

  private static let keepsBlocks = Mutex(false)

  /// Keeps no more large blocks where there is less memory for photos than they take at most: those of several photos
  /// would not fit beside each other.
  package static func fitBlocks() {
    guard forPhotos < ImageLimits.mostWorkingByteCount, keepsBlocks.withLock({ $0 }) else { return }
    leaflog_return_large_blocks()
  }

  /// Gives free memory back to the system. It takes milliseconds, in which other threads may wait.
  package static func releaseFree() { leaflog_release_free_memory() }

  /// The peak resident memory of the process so far, in bytes (VmHWM in proc(5)); nil where the system
  /// does not report it.
  package static var peakByteCount: Int? {
    let status = FileManager.default.contents(atPath: "/proc/self/status") ?? Data()
    let line = String(decoding: status, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix("VmHWM:") }
    let kilobytes = line?.split { !$0.isNumber }.first.flatMap { Int($0) }
    return kilobytes.map { $0 * 1024 }
  }
}

/// The control groups that a process is in (cgroups(7)), which are mounted where systemd and the kernel's documentation
/// say.
package struct ControlGroups {
  private let table: String
  private let read: (String) -> String?

  /// - Parameters:
  ///   - table: the text of `/proc/PID/cgroup`.
  ///   - read: the text of a file; nil if there is none.
  package init(_ table: String, read: @escaping (String) -> String?) {
    (self.table, self.read) = (table, read)
  }

  fileprivate static var ofProcess: ControlGroups? {
    func text(_ path: String) -> String? {
      FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }
    return text("/proc/self/cgroup").map { ControlGroups($0, read: text) }
  }

  /// The lowest limit of the memory of the group and those that it is in, in bytes; nil without one.
  ///
  /// Beyond `memory.high` the kernel only slows a process down, but so much that it might as well have ended it.
  package var memoryLimit: Int? {
    table.split(separator: "\n").compactMap { line -> Int? in
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { return nil }
      // The second version has one hierarchy, and does not say what it controls.
      if fields[1].isEmpty {
        return limit(of: fields[2], in: "/sys/fs/cgroup", ["memory.max", "memory.high"])
      }
      guard fields[1].split(separator: ",").contains("memory") else { return nil }
      return limit(of: fields[2], in: "/sys/fs/cgroup/memory", ["memory.limit_in_bytes"])
    }.min()
  }

  /// - Parameter group: a path below the mount. In a container, it may be that of the host, of which the mount shows only
  ///   the container's own group.
  private func limit(of group: Substring, in mount: String, _ names: [String]) -> Int? {
    var folder = mount
    let parts = group.split(separator: "/")
    let folders =
      [mount]
      + (parts.contains("..") ? [] : parts).map { part in
        folder += "/\(part)"
        return folder
      }
    return folders.flatMap { folder in
      names.compactMap { read("\(folder)/\($0)") }
    }.compactMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }.min()
  }
}
