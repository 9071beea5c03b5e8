internal import Foundation

/// The number of times a request is tried, and the pauses between tries.
package struct RetryPolicy: Sendable {
  package var maxTryCount = 5
  /// The pause after the first try, which doubles with each further try. Half of it is random, so that clients
  /// turned away together do not retry together.
  package var firstPause = Duration.milliseconds(200)
  package var maxPause = Duration.seconds(10)
  /// The time limit for all tries of a request together, in addition to the time for its bytes.
  package var deadline = Duration.seconds(120)
  /// The slowest tolerated transfer, in bytes per second.
  package var slowestRate = 50_000
  /// How long nothing may be transferred before a try is given up.
  package var stall = Duration.seconds(20)
  /// Waits; tests record the duration instead.
  package var sleep: @Sendable (Duration) -> Void = {
    Thread.sleep(forTimeInterval: $0 / .seconds(1))
  }
  /// A random number from 0 up to, but not including, 1.
  package var chance: @Sendable () -> Double = { .random(in: 0..<1) }

  package init() {}

  /// - Parameters:
  ///   - count: the number of tries so far.
  ///   - asked: the pause that the server asked for.
  package func pause(afterTries count: Int, asked: Duration?) -> Duration {
    let doubled = firstPause * pow(2, Double(count - 1))
    return max(min(doubled, maxPause) * (0.5 + chance() / 2), asked ?? .zero)
  }

  package func deadline(forByteCount count: Int) -> Duration {
    deadline + .seconds(count / max(1, slowestRate))
  }
}
