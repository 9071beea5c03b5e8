/// A journal of frames. Every method is called under the library's lock.
package protocol FrameLog: Sendable {
  /// The frame that the journal ends with; nil when there is none, or its end is damaged.
  func last() throws -> Frame?

  /// Sees to it that all frames are wherever they have to be besides, such as in an object store.
  ///
  /// - Parameter isFinal: whether also those go there now that may come later.
  /// - Returns: false when the journal alone does not lead there, and the catalog has to be kept as a whole.
  func settle(isFinal: Bool) throws -> Bool

  /// Adds a frame, durably.
  ///
  /// - Throws: `UnsettledFrame` when it was added, and is not yet wherever it has to be besides.
  func append(_ frame: Frame) throws

  /// Begins a part of the journal with a frame that says behind which commit.
  ///
  /// - Parameter keepsAll: whether parts that snapshots cover stay, too.
  func begin(_ start: Frame, keepsAll: Bool) throws

  /// Keeps the catalog as a whole, durably, for what the frames do not lead to.
  func keepWhole(_ catalog: Catalog) throws
}

extension FrameLog {
  package func settle(isFinal: Bool) throws -> Bool { true }
}

/// A frame is in the journal, and not yet wherever it has to be besides.
package struct UnsettledFrame: Error {
  /// The reason.
  package let cause: any Error

  package init(cause: any Error) { self.cause = cause }
}
