/// The rate at which a request's body arrives, measured only while the server waits for it: a disk that is slow to take
/// it is not the client's fault.
package struct BodyRate {
  package typealias Instant = ContinuousClock.Instant

  private let limits: ServerLimits
  private var byteCount = 0
  /// The time spent waiting, not counting the wait in progress.
  private var waited = Duration.zero
  private var waitingSince: Instant?

  package init(_ limits: ServerLimits) { self.limits = limits }

  private func wholeWait(_ now: Instant) -> Duration {
    waitingSince.map { waited + (now - $0) } ?? waited
  }

  /// The time until the rate can be judged, if the server waits throughout.
  package func rest(at now: Instant = .now) -> Duration {
    max(.milliseconds(1), limits.bodySpan - wholeWait(now))
  }

  package mutating func wait(at now: Instant = .now) {
    if waitingSince == nil { waitingSince = now }
  }

  package mutating func stopWaiting(at now: Instant = .now) {
    waited = wholeWait(now)
    waitingSince = nil
  }

  package mutating func receive(_ count: Int) { byteCount += count }

  /// Ends a span, if the server waited that long, and begins the next one.
  ///
  /// - Returns: whether too little arrived in it.
  package mutating func endSpan(at now: Instant = .now) -> Bool {
    let wait = wholeWait(now)
    guard wait >= limits.bodySpan else { return false }
    let expected = wait / .seconds(1) * Double(limits.bodyBytesPerSecond)
    let isTooSlow = Double(byteCount) < expected
    (byteCount, waited) = (0, .zero)
    if waitingSince != nil { waitingSince = now }
    return isTooSlow
  }
}
