import LeaflogServer
import Testing

/// How fast a body comes: at least 1 KiB a second, measured over 30 seconds.
@Suite struct BodyRateTests {
  private let begin = ContinuousClock.now

  private func at(_ seconds: Int) -> ContinuousClock.Instant { begin + .seconds(seconds) }

  @Test func `each span is judged by itself, once it is over`() {
    var rate = BodyRate(ServerLimits())
    rate.wait(at: at(0))
    var isTooSlow = rate.endSpan(at: at(29))
    #expect(!isTooSlow)
    #expect(rate.rest(at: at(10)) == .seconds(20))
    rate.receive(30 * 1024)
    isTooSlow = rate.endSpan(at: at(30))
    #expect(!isTooSlow)
    #expect(rate.rest(at: at(30)) == .seconds(30))
    rate.receive(30 * 1024 - 1)
    isTooSlow = rate.endSpan(at: at(60))
    #expect(isTooSlow)
  }

  @Test func `time in which the server is busy itself does not count`() {
    var rate = BodyRate(ServerLimits())
    rate.wait(at: at(0))
    rate.stopWaiting(at: at(1))
    var isTooSlow = rate.endSpan(at: at(1000))
    #expect(!isTooSlow)
    #expect(rate.rest(at: at(1000)) == .seconds(29))
    rate.wait(at: at(1000))
    rate.wait(at: at(1010))
    isTooSlow = rate.endSpan(at: at(1028))
    #expect(!isTooSlow)
    isTooSlow = rate.endSpan(at: at(1029))
    #expect(isTooSlow)
  }
}
