package import Leaflog

extension Thinning {
  /// Parses the number of photos to keep per span, such as `1/week`. Nil for anything else.
  package init?(text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let count = Int(parts[0]), (1...1_000_000).contains(count),
      let unit = BucketUnit(rawValue: String(parts[1]))
    else { return nil }
    self.init(count: count, per: unit)
  }
}
