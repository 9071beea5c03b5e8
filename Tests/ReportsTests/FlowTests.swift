import Reports
import Testing

@Suite struct FlowTests {
  private func piece(
    _ height: Double, spaceBefore: Double = 0, keepsWithNext: Bool = false, head: Double? = nil
  ) -> Piece {
    var piece = Piece(height: height, spaceBefore: spaceBefore, keepsWithNext: keepsWithNext)
    piece.repeated = head.map { Piece.Repeated(height: $0) { _, _ in } }
    return piece
  }

  private func places(_ pieces: [Piece], height: Double = 100) -> [[Double]] {
    Flow(pieces, height: height).pages.map { $0.map(\.y) }
  }

  @Test func `pieces follow each other, and go on on the next page`() {
    #expect(places(Array(repeating: piece(40), count: 5)) == [[0, 40], [0, 40], [0]])
    #expect(places([]) == [[]])
  }

  @Test func `space is left between pieces, not on top of a page`() {
    #expect(
      places(Array(repeating: piece(40, spaceBefore: 15), count: 4)) == [[0, 55], [0, 55]])
  }

  @Test func `a heading does not stand last on a page`() {
    let heading = piece(20, spaceBefore: 10, keepsWithNext: true)
    #expect(places([piece(60), heading, piece(30)]) == [[0], [0, 20]])
    #expect(places([piece(30), heading, piece(30)]) == [[0, 40, 60]])
    #expect(places([piece(60), heading, heading, piece(30)]) == [[0], [0, 30, 50]])
  }

  @Test func `parts that belong together, but fit on no page, are broken all the same`() {
    let chained = Array(repeating: piece(30, keepsWithNext: true), count: 7)
    #expect(places(chained) == [[0, 30, 60], [0, 30, 60], [0]])
  }

  @Test func `a table's head is repeated where it goes on`() {
    let rows = [piece(10, keepsWithNext: true)] + (0..<6).map { _ in piece(30, head: 10) }
    let flow = Flow(rows, height: 100)
    #expect(flow.pages.map { $0.map(\.y) } == [[0, 10, 40, 70], [10, 40, 70]])
    #expect(flow.pages.map { $0.filter { $0.repeated != nil }.count } == [0, 1])
  }
}
