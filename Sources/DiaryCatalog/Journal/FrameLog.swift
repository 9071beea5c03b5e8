/// A journal of frames. Every method is called under the library's lock.
package protocol FrameLog: Sendable {
  /// The frame that the journal ends with; nil when there is none, or its end is damaged.
  func last() throws -> Frame?

  /// Adds a frame, durably.
  func append(_ frame: Frame) throws

  /// Begins a part of the journal with a frame that says behind which commit.
  ///
  /// - Parameter keepsAll: whether parts that snapshots cover stay, too.
  func begin(_ start: Frame, keepsAll: Bool) throws

  /// Keeps the catalog as a whole, durably, for what the frames do not lead to.
  func keepWhole(_ catalog: Catalog) throws
}
