/// Sums and products of numbers that files and people give: beyond the type's range they are its last or
/// first number, where the ordinary operators end the process.
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
