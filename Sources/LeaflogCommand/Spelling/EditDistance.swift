extension String {
  /// The number of letters to insert, delete, replace or swap with their neighbour to turn this word into another
  /// (optimal string alignment).
  func editDistance(to other: String) -> Int {
    let (left, right) = (Array(self), Array(other))
    var rows = [Array(0...right.count)]
    for i in 1..<(left.count + 1) {
      var row = [i]
      for j in 1..<(right.count + 1) {
        let isSame = left[i - 1] == right[j - 1]
        var least = Swift.min(
          rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + (isSame ? 0 : 1))
        if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
          least = Swift.min(least, rows[i - 2][j - 2] + 1)
        }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[left.count][right.count]
  }

  /// The word that was probably meant: one that starts with this text, or else the one with the smallest edit distance,
  /// if that is small for its length. Nil when none is close.
  func nearest(in words: [String]) -> String? {
    let typed = lowercased()
    if typed.count > 2, let longer = words.first(where: { $0.hasPrefix(typed) }) { return longer }
    let distances = words.map { (word: $0, distance: typed.editDistance(to: $0)) }
    guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= Swift.max(1, Swift.min(typed.count, best.word.count) / 3)
      ? best.word : nil
  }
}
