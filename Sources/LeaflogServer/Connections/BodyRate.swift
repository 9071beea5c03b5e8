/// The rate at which a request's body comes, measured while the server waits for it: that a disk is slow to take it
/// is not the client's fault.
package struct BodyRate {
  package typealias Instant = ContinuousClock.Instant

  private let limits: ServerLimits
  private var byteCount = 0
  /// How long it was waited for, but for the wait under way.
  private var waited = Duration.zero
  private var waitingSince: Instant?

  package init(_ limits: ServerLimits) { self.limits = limits }

  private func wholeWait(_ now: Instant) -> Duration {
    waitingSince.map { waited + (now - $0) } ?? waited
  }

  /// The time until it can be judged, if it is waited for all the while.
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

  /// Ends a span, if it was waited for that long, and begins the next one.
  ///
  /// - Returns: whether too little came in it.
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
