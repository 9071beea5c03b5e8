import CPlainLoops
import Testing

@Suite struct LoopTests {
  @Test func `every width of vectors gives the same bits`() {
    let name = leaflog_differing_loop().map { String(cString: $0) }
    #expect(name == nil)
  }
}
