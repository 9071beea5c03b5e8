/// The place of a piece in a whole file (RFC 9110, 14.4): `bytes 0-1023/4096`.
struct ContentRange: Hashable {
  let first: Int
  /// Of the whole file.
  let byteCount: Int

  /// Nil for a range that is none, or whose whole is not known.
  init?(_ header: String) {
    let parts = header.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
    let numbers = parts[1].split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "/" }
      .map { $0.utf8.allSatisfy { (48...57).contains($0) } ? Int($0) : nil }
    guard numbers.count == 3, let first = numbers[0], let last = numbers[1],
      let byteCount = numbers[2], first <= last, last < byteCount
    else { return nil }
    (self.first, self.byteCount) = (first, byteCount)
  }
}
