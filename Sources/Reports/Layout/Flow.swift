/// Pieces laid out in a column that continues over pages.
package struct Flow {
  package struct Placed {
    package let piece: Piece
    /// The distance from the top of the column.
    package let y: Double
    /// The header drawn above it, at this height, if it begins a page in the middle of a table.
    package let repeated: (head: Piece.Repeated, y: Double)?
  }

  package let pages: [[Placed]]

  /// - Parameter height: the height of a page's column. A higher piece gets a page of its own.
  package init(_ pieces: [Piece], height: Double) {
    var pages: [[Placed]] = [[]]
    var y = 0.0
    func place(_ piece: Piece, isFirstOfChain: Bool, chainHeight: Double) {
      let needed = isFirstOfChain ? chainHeight : piece.height
      if y > 0, y + piece.spaceBefore + needed > height + 0.01,
        // A chain that does not fit on any page is broken where necessary.
        needed <= height || y + piece.spaceBefore + piece.height > height + 0.01
      {
        pages.append([])
        y = 0
      }
      if y == 0, pages.count > 1, let head = piece.repeated {
        pages[pages.count - 1].append(Placed(piece: piece, y: head.height, repeated: (head, 0)))
        y = head.height + piece.height
      } else {
        if y > 0 { y += piece.spaceBefore }
        pages[pages.count - 1].append(Placed(piece: piece, y: y, repeated: nil))
        y += piece.height
      }
    }
    var index = 0
    while index < pieces.count {
      var end = index
      while end < pieces.count - 1, pieces[end].keepsWithNext { end += 1 }
      let chain = pieces[index...end]
      let chainHeight = chain.reduce(-chain[index].spaceBefore) { $0 + $1.spaceBefore + $1.height }
      for (offset, piece) in chain.enumerated() {
        place(piece, isFirstOfChain: offset == 0, chainHeight: chainHeight)
      }
      index = end + 1
    }
    self.pages = pages
  }
}
