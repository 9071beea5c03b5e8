import Foundation
import TestSupport

/// A FaultRunner that forks off a process for each job. One at a time.
final class FaultServer {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var unread = Data()

  init() throws {
    process.executableURL = URL(fileURLWithPath: Command.built("FaultRunner"))
    process.arguments = ["serve"]
    // The order in a set, and with it that of the operations, is the same each time; and the names of
    // functions in libraries are looked up once, not in each process that is forked off.
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SWIFT_DETERMINISTIC_HASHING": "1", "LD_BIND_NOW": "1"]) { $1 }
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  func run(_ words: [String]) -> FaultOutcome {
    input.fileHandleForWriting.write(Data((words.joined(separator: "\t") + "\n").utf8))
    var lines: [String] = []
    while let line = readLine() {
      if line.hasPrefix("ended ") {
        return FaultOutcome(lines, status: Int32(line.dropFirst(6)) ?? -1)
      }
      lines.append(line)
    }
    return FaultOutcome(lines + ["The server is gone."], status: -1)
  }

  private func readLine() -> String? {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: unread[..<end], as: UTF8.self)
        unread = Data(unread[(end + 1)...])
        return line
      }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { return nil }
      unread += more
    }
  }
}

/// The output of a process, and how it ended.
struct FaultOutcome {
  /// The ids of entries.
  let promised: [String]
  /// The names of plants.
  let plants: [String]
  let settings: [String]
  let trace: [Character]
  /// The reads, or the files that were read, and whether one of them was made to fail.
  let reads: (count: Int, isHit: Bool)
  /// A process that was killed has met its fault.
  let isHit: Bool
  /// 128 and the signal for one that was killed.
  let status: Int32
  let output: String

  init(_ lines: [String], status: Int32) {
    let words = lines.map { $0.split(separator: " ") }
    func promises(_ kind: String) -> [String] {
      words.filter { $0.first.map(String.init) == kind }.map { String($0[1]) }
    }
    (promised, plants, settings) = (promises("promised"), promises("plant"), promises("setting"))
    let read = words.last { $0.first == "reads" && $0.count == 3 }
    reads = read.map { (Int($0[1]) ?? 0, $0[2] == "hit") } ?? (0, false)
    let last = words.last { $0.first == "trace" && $0.count == 3 }
    trace = last.map { Array($0[1]) } ?? []
    isHit = last.map { $0[2] == "hit" } ?? (status == 128 + SIGKILL)
    self.status = status
    output = lines.joined(separator: "\n")
  }
}
