internal import Foundation
internal import Glibc

/// The states of this process's threads, from /proc/self/task (proc(5)).
enum ThreadStates {
  /// Returns once no other thread is running or runnable.
  static func waitUntilOthersWait() {
    // One check is not enough, as the threads are inspected one after another.
    var quiet = 0
    while quiet < 20 {
      sched_yield()
      quiet = othersWait ? quiet + 1 : 0
    }
  }

  private static var othersWait: Bool {
    let tasks = "/proc/self/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
    return threads.count { !waits("\(tasks)/\($0)/stat") } <= 1  // this one
  }

  /// Whether a thread is sleeping, by its state, which follows its name in brackets.
  private static func waits(_ path: String) -> Bool {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 512) { bytes in
      let text = bytes[..<max(0, read(file, bytes.baseAddress, bytes.count))]
      guard let end = text.lastIndex(of: UInt8(ascii: ")")) else { return false }
      return text[end...].dropFirst(2).first == UInt8(ascii: "S")
    }
  }
}
