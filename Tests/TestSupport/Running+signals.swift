internal import Foundation
internal import Glibc

extension Command.Running {
  /// Sends a signal once the process catches it, and returns when it has been received: from then on, the command
  /// leaves the signal to the system. False if the process ended before.
  package func interrupt(with signal: CInt) -> Bool {
    guard waitUntil(signal, isCaught: true) else { return false }
    kill(process.processIdentifier, signal)
    _ = waitUntil(signal, isCaught: false)
    return true
  }

  /// The peak memory so far, in kilobytes; nil if the process has ended.
  package var peakMemory: Int? { status("VmHWM").flatMap { Int($0.prefix { $0.isNumber }) } }

  /// Waits until the signal is, or is no longer, caught; false if the process ends before.
  private func waitUntil(_ signal: CInt, isCaught: Bool) -> Bool {
    // proc(5) has no events to wait for.
    while let mask = status("SigCgt").flatMap({ UInt64($0, radix: 16) }) {
      if (mask >> UInt64(signal - 1) & 1 == 1) == isCaught { return true }
      sched_yield()
    }
    return false
  }

  /// A value from /proc/PID/status; nil if the process has ended.
  private func status(_ name: String) -> String? {
    let path = "/proc/\(process.processIdentifier)/status"
    guard process.isRunning, let data = FileManager.default.contents(atPath: path) else {
      return nil
    }
    return String(decoding: data, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix(name + ":") }
      .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
  }
}
