/// A state of a catalog, which no commit has changed as long as an equal mark is read.
package enum CommitMark: Hashable, Sendable {
  /// The header of the write-ahead log's index: it has the log's salts, its number of frames, and a checksum over them.
  case log(SIMD4<UInt64>, SIMD2<UInt64>)
  /// The number of commits, where there is no such log.
  case generation(Int)
}
