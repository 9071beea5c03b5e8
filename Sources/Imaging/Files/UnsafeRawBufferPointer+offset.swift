internal import Foundation

extension UnsafeRawBufferPointer {
  /// The offset of the first occurrence of a pattern at or after `start`. memchr is many times faster
  /// over megabytes than a collection's own search.
  func offset(of pattern: [UInt8], from start: Int) -> Int? {
    guard let base = baseAddress, let first = pattern.first else { return nil }
    var at = start
    while at + pattern.count <= count,
      let found = memchr(base + at, CInt(first), count - pattern.count + 1 - at)
    {
      at = UnsafeRawPointer(found) - base
      if memcmp(base + at, pattern, pattern.count) == 0 { return at }
      at += 1
    }
    return nil
  }
}
