/// Saturating arithmetic for numbers from files and user input: results beyond the type's range are clamped to
/// its minimum or maximum, where the ordinary operators trap.
extension FixedWidthInteger where Self: SignedInteger {
  package func addingSaturated(_ other: Self) -> Self {
    let (sum, isBeyond) = addingReportingOverflow(other)
    return isBeyond ? (other < 0 ? .min : .max) : sum
  }

  package func subtractingSaturated(_ other: Self) -> Self {
    let (difference, isBeyond) = subtractingReportingOverflow(other)
    return isBeyond ? (other < 0 ? .max : .min) : difference
  }

  package func multipliedSaturated(by other: Self) -> Self {
    let (product, isBeyond) = multipliedReportingOverflow(by: other)
    return isBeyond ? ((self < 0) == (other < 0) ? .max : .min) : product
  }
}

extension Duration {
  /// Whole milliseconds.
  package var saturatedMilliseconds: Int64 {
    components.seconds.multipliedSaturated(by: 1000)
      .addingSaturated(components.attoseconds / 1_000_000_000_000_000)
  }
}
