internal import Foundation
internal import Glibc

/// The states of this process's threads, from /proc/self/task (proc(5)).
enum ThreadStates {
  /// Returns when no other thread runs or wants to.
  static func waitUntilOthersWait() {
    // One look is not enough: the threads are looked at one after another.
    var quiet = 0
    while quiet < 20 {
      sched_yield()
      quiet = othersWait ? quiet + 1 : 0
    }
  }

  private static var othersWait: Bool {
    let tasks = "/proc/self/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
    let running = threads.filter { thread in
      let text = FileManager.default.contents(atPath: "\(tasks)/\(thread)/stat") ?? Data()
      let afterName = String(decoding: text, as: UTF8.self).split(separator: ")").last ?? ""
      return !afterName.hasPrefix(" S")
    }
    return running.count <= 1  // this one
  }
}
