/// The part of a file that a request asks for (RFC 9110, 14).
package enum ByteRange: Equatable, Sendable {
  /// All of it: there is no range, or one that may be ignored.
  case whole
  /// These bytes; the file has all of them.
  case part(ClosedRange<Int>)
  /// The file has none of them.
  case unsatisfiable

  /// - Parameters:
  ///   - header: the value of `Range`; nil when there is none. Multiple ranges are answered with the whole file, as the
  ///     standard allows: overlapping parts could take more than it.
  ///   - byteCount: the size of the file.
  package init(_ header: String?, byteCount: Int) {
    guard let header, let unit = header.firstIndex(of: "="),
      header[..<unit].lowercased() == "bytes",
      let spec = Spec(header[header.index(after: unit)...])
    else {
      self = .whole
      return
    }
    switch spec {
    case .from(let first, let last):
      let end = min(last ?? .max, byteCount - 1)
      self = first < byteCount ? .part(first...end) : .unsatisfiable
    case .last(let count):
      self =
        count > 0 && byteCount > 0
        ? .part(max(0, byteCount - count)...(byteCount - 1)) : .unsatisfiable
    }
  }

  private enum Spec {
    case from(Int, to: Int?)
    case last(Int)

    /// Parses a single range; nil for anything else.
    init?(_ text: Substring) {
      let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        .map { $0.filter { $0 != " " && $0 != "\t" } }
      guard parts.count == 2 else { return nil }
      let ends = parts.map(Self.number)
      switch (parts[0].isEmpty, parts[1].isEmpty, ends[0], ends[1]) {
      case (true, false, _, let count?): self = .last(count)
      case (false, true, let first?, _): self = .from(first, to: nil)
      case (false, false, let first?, let last?) where first <= last:
        self = .from(first, to: last)
      default: return nil
      }
    }

    /// Parses digits only; a number that does not fit counts as the largest one.
    private static func number(_ text: String) -> Int? {
      guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
      return Int(text) ?? .max
    }
  }
}
