/// Immutable bytes outside Swift's arrays, read from a file or made by a C library, without a copy.
/// They are freed with the last reference.
package final class ByteBuffer: @unchecked Sendable {  // the bytes never change after init
  private let storage: UnsafeRawBufferPointer
  private let release: @Sendable (UnsafeMutableRawPointer?) -> Void

  /// Takes ownership of `bytes`; `release` is called with their address at the end.
  package init(
    adopting bytes: UnsafeMutableRawBufferPointer,
    release: @escaping @Sendable (UnsafeMutableRawPointer?) -> Void
  ) {
    storage = UnsafeRawBufferPointer(bytes)
    self.release = release
  }

  package convenience init(copying bytes: some Collection<UInt8>) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
    copy.copyBytes(from: bytes)
    self.init(adopting: copy) { $0?.deallocate() }
  }

  deinit { release(UnsafeMutableRawPointer(mutating: storage.baseAddress)) }

  package var count: Int { storage.count }

  package func withUnsafeBytes<Result, Failure>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(self) {} }
    return try body(storage)
  }
}

/// A slice of a buffer that shares its storage and its indices.
package struct ByteRange: RandomAccessCollection, Sendable {
  private let buffer: ByteBuffer
  package let indices: Range<Int>

  /// `range` must lie within the buffer.
  package init(_ buffer: ByteBuffer, _ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= buffer.count)
    (self.buffer, indices) = (buffer, range)
  }

  package var startIndex: Int { indices.lowerBound }
  package var endIndex: Int { indices.upperBound }

  package subscript(place: Int) -> UInt8 {
    precondition(indices.contains(place))
    return buffer.withUnsafeBytes { $0[place] }
  }
}
