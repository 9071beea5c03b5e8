internal import CFaultVFS
internal import Foundation
internal import Imaging
internal import TestSupport

/// Performs one job on a library, and makes one operation go wrong. The tests run it repeatedly, each time with another
/// operation, and inspect the result.
///
/// Standard output reports promises, one line for each photo as soon as it is promised; then the operations, and
/// whether the planned one was among them.
@main
struct FaultRunner {
  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    if words == ["serve"] { serve() } else { perform(words) }
  }

  /// Performs jobs read from standard input, one per line with its words separated by tabs, each in a forked process:
  /// starting a program with its hundred libraries takes five times as long.
  private static func serve() {
    // libvips is started once, without threads, so that it need not be started again in each process.
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
    if let plan = job.unreadable {
      // The backup and the photos are beside the library.
      let folder = (job.library as NSString).deletingLastPathComponent
      fault_reads_arm(folder, CInt(plan.position), plan.isLasting ? 1 : 0)
    }
    var isGood = false
    do {
      isGood = try await job.run(on: FaultBench(job, injector)) { say($0) }
    } catch { say("failed \(error)") }
    let (trace, isHit) = injector.progress
    var wasUnreadable: CInt = 0
    let readCount = fault_reads_count(&wasUnreadable)
    say("reads \(readCount) \(wasUnreadable != 0 ? "hit" : "missed")")
    say("trace \(String(trace.map(\.rawValue))) \(isHit ? "hit" : "missed")")
    return isGood ? 0 : 1
  }

  /// Writes unbuffered, so that the line counts even if the process is killed immediately.
  static func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
  }
}
