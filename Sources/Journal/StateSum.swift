package import Foundation
internal import Hashing

/// The sum, modulo 2^256, of the SHA-256 of every row of a catalog: a digest of its state that a commit brings up to date
/// from the rows that it has changed.
///
/// The order of the rows does not count, so that a row is added and taken away without looking at the others. It shows
/// that bytes have changed by themselves, and that a catalog is not the one that a frame names. It does not show what
/// somebody has forged: rows can be found whose digests have a wanted sum (Wagner, A Generalized Birthday Problem, 2002).
package struct StateSum: Sendable, Hashable {
  /// The digits to the base 2^64, the lowest first.
  private var digits: SIMD4<UInt64>

  /// The sum of no rows.
  package static let zero = StateSum(digits: .zero)
  package static let byteCount = 32

  private init(digits: SIMD4<UInt64>) { self.digits = digits }

  /// The sum of a single row, whose values are written as bytes.
  package init(hashing row: UnsafeRawBufferPointer) {
    var hash = SHA256()
    hash.update(row)
    self.init(digits: hash.withDigest(Self.digits))
  }

  /// The number with these bytes, the lowest first; nil unless there are 32.
  package init?(_ bytes: Data) {
    guard bytes.count == Self.byteCount else { return nil }
    self.init(digits: bytes.withUnsafeBytes(Self.digits))
  }

  private static func digits(_ bytes: UnsafeRawBufferPointer) -> SIMD4<UInt64> {
    var digits = SIMD4<UInt64>.zero
    for place in 0..<4 {
      digits[place] = UInt64(
        littleEndian: bytes.loadUnaligned(fromByteOffset: 8 * place, as: UInt64.self))
    }
    return digits
  }

  /// 32 bytes, the lowest first.
  package var bytes: Data {
    (0..<4).reduce(into: Data(capacity: Self.byteCount)) { data, place in
      withUnsafeBytes(of: digits[place].littleEndian) { data.append(contentsOf: $0) }
    }
  }

  package static func += (sum: inout StateSum, other: StateSum) {
    var carry = false
    for place in 0..<4 {
      let (part, first) = sum.digits[place].addingReportingOverflow(other.digits[place])
      let (whole, second) = part.addingReportingOverflow(carry ? 1 : 0)
      (sum.digits[place], carry) = (whole, first || second)
    }
  }

  package static func -= (sum: inout StateSum, other: StateSum) {
    var borrow = false
    for place in 0..<4 {
      let (part, first) = sum.digits[place].subtractingReportingOverflow(other.digits[place])
      let (whole, second) = part.subtractingReportingOverflow(borrow ? 1 : 0)
      (sum.digits[place], borrow) = (whole, first || second)
    }
  }
}
