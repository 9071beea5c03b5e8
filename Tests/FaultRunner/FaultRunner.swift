internal import CFaultVFS
internal import Foundation
internal import Imaging
internal import TestSupport

/// Does one thing to a library, and lets one operation on the way go wrong. The tests run it again and
/// again, each time with another operation, and look at what it leaves.
///
/// Standard output says what was promised: a line for each photo, when it is promised; then which
/// operations there were, and whether the one that was meant was among them.
@main
struct FaultRunner {
  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    if words == ["serve"] { serve() } else { perform(words) }
  }

  /// Does what it is told, a line for each, its words apart by tabs, each time in a process forked off:
  /// starting a program with its hundred libraries takes five times as long.
  private static func serve() {
    // libvips starts without a thread, and then needs not start again in each process.
    withImagingThread {}
    while let line = readLine() {
      let child = fault_fork()
      if child == 0 {
        dup2(1, 2)
        perform(line.split(separator: "\t").map(String.init))
      }
      var status: CInt = 0
      waitpid(child, &status, 0)
      let signal = status & 0x7F
      say("ended \(signal == 0 ? status >> 8 & 0xFF : 128 + signal)")
    }
  }

  private static func perform(_ words: [String]) -> Never {
    Task { exit(await result(words)) }
    dispatchMain()
  }

  private static func result(_ words: [String]) async -> CInt {
    guard let job = FaultJob(words) else {
      say(FaultJob.usage)
      return 64
    }
    let injector = FaultInjector(job.fault)
    var isGood = false
    do {
      isGood = try await job.run(on: FaultBench(job, injector)) { say($0) }
    } catch { say("failed \(error)") }
    let (trace, isHit) = injector.progress
    say("trace \(String(trace.map(\.rawValue))) \(isHit ? "hit" : "missed")")
    return isGood ? 0 : 1
  }

  /// Past any buffer, so that it counts even when the process is killed at once.
  static func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
  }
}
