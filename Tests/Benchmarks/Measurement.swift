import Foundation

/// Times and memory of commands, and statistics of the figures.
enum Measurement {
  struct Run {
    let seconds: Double
    /// The time of all its threads on processors.
    let processorSeconds: Double
    /// The peak memory in kilobytes.
    let peakKilobytes: Int
    let status: Int32
  }

  /// Runs a command and discards its output.
  static func run(_ command: [String], environment: [String: String] = [:]) throws -> Run {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
    }
    let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
      .map { "\($0)=\($1)" }
    var arguments = command.map { strdup($0) } + [nil]
    var values = variables.map { strdup($0) } + [nil]
    defer { (arguments + values).forEach { free($0) } }
    var process = pid_t()
    let start = ContinuousClock.now
    guard posix_spawnp(&process, command[0], &actions, nil, &arguments, &values) == 0 else {
      throw CocoaError(.fileNoSuchFile)
    }
    var status: Int32 = 0
    var usage = rusage()
    wait4(process, &status, 0, &usage)
    let duration = ContinuousClock.now - start
    return Run(
      seconds: duration.inSeconds,
      processorSeconds: usage.ru_utime.inSeconds + usage.ru_stime.inSeconds,
      peakKilobytes: Int(usage.ru_maxrss),
      status: (status >> 8) & 0xFF)
  }

  static func percentile(_ values: [Double], _ share: Double) -> Double {
    let sorted = values.sorted()
    return sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
  }

  static func median(_ values: [Double]) -> Double { percentile(values, 0.5) }
}

extension timeval {
  fileprivate var inSeconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}

extension Duration {
  var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
