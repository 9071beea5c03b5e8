internal import Foundation

/// How often a request is tried, and how long between.
package struct RetryPolicy: Sendable {
  package var maxTryCount = 5
  /// The pause after the first try, which doubles from try to try; half of it is left to chance, so that clients
  /// that were turned away together do not come back together.
  package var firstPause = Duration.milliseconds(200)
  package var maxPause = Duration.seconds(10)
  /// For all tries of a request together, and the time for its bytes.
  package var deadline = Duration.seconds(120)
  /// The slowest transfer that is waited for, in bytes a second.
  package var slowestRate = 50_000
  /// Nothing is transferred for as long before a try is given up.
  package var stall = Duration.seconds(20)
  /// Waits; tests have it note the time instead.
  package var sleep: @Sendable (Duration) -> Void = {
    Thread.sleep(forTimeInterval: $0 / .seconds(1))
  }
  /// From 0 up to 1.
  package var chance: @Sendable () -> Double = { .random(in: 0..<1) }

  package init() {}

  /// - Parameters:
  ///   - count: how many tries there were.
  ///   - asked: the pause that the server asked for.
  package func pause(afterTries count: Int, asked: Duration?) -> Duration {
    let doubled = firstPause * pow(2, Double(count - 1))
    return max(min(doubled, maxPause) * (0.5 + chance() / 2), asked ?? .zero)
  }

  package func deadline(forByteCount count: Int) -> Duration {
    deadline + .seconds(count / max(1, slowestRate))
  }
}
