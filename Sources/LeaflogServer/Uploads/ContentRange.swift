/// The place of a piece in a whole file (RFC 9110, 14.4): `bytes 0-1023/4096`; or no piece, `bytes */4096`, once all
/// bytes have been sent.
struct ContentRange: Hashable {
  /// The first byte of the piece and the last; nil for no piece.
  let piece: ClosedRange<Int>?
  /// The size of the whole file.
  let byteCount: Int

  /// Parses the header; nil when it is malformed or the size of the whole is unknown.
  init?(_ header: String) {
    let parts = header.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
    let halves = parts[1].split(separator: "/", omittingEmptySubsequences: false)
    guard halves.count == 2, let byteCount = Self.number(halves[1]) else { return nil }
    self.byteCount = byteCount
    if halves[0] == "*" {
      piece = nil
      return
    }
    let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false).map(Self.number)
    guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last, last < byteCount
    else { return nil }
    piece = first...last
  }

  private static func number(_ text: Substring) -> Int? {
    text.utf8.allSatisfy { (48...57).contains($0) } ? Int(text) : nil
  }
}
