internal import Foundation
internal import TestSupport

/// Does one thing to a library, and lets one operation on the way go wrong. The tests run it again and
/// again, each time with another operation, and look at what it leaves.
///
/// Standard output says what was promised: a line for each photo, when it is promised; then which
/// operations there were, and whether the one that was meant was among them.
@main
struct FaultRunner {
  static func main() async {
    guard let job = FaultJob(CommandLine.arguments.dropFirst()) else {
      print(FaultJob.usage)
      exit(64)
    }
    do {
      let bench = try FaultBench(job)
      let library = try bench.open(job)
      if job.command == .import { bench.injector.pauseBeforeNext() }
      let isGood = try await job.run(library) { say($0) }
      let (trace, isHit) = bench.injector.progress
      say("trace \(String(trace.map(\.rawValue))) \(isHit ? "hit" : "missed")")
      exit(isGood ? 0 : 1)
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }

  /// Past any buffer, so that it counts even when the process is killed at once.
  static func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
  }
}
