package import DiaryModel
package import Foundation

/// A journal of frames. Every method is called under the library's lock.
package protocol FrameLog: Sendable {
  /// The last frame of the journal; nil when there is none, or the journal's end is damaged.
  func last() throws -> Frame?

  /// Passes `body` the frames of a line of commits after one, in order and in batches.
  func read(_ lineage: UUID, after commit: Int, _ body: ([Frame]) throws -> Void) throws

  /// Makes sure that all frames are also stored where else they have to be, such as in an object store.
  ///
  /// - Parameters:
  ///   - isFinal: whether to send now even the frames that could be sent later.
  ///   - isKnown: whether a head is among those of the catalog; one that is not is a fork's.
  /// - Returns: false when the journal alone does not suffice, and the catalog has to be kept as a whole.
  /// - Throws: `JournalError` with code `forked` when somebody else has put a commit that the catalog does not know.
  func settle(isFinal: Bool, isKnown: (Head) throws -> Bool) throws -> Bool

  /// Appends a frame durably.
  ///
  /// - Throws: `UnsettledFrame` when it was appended, but is not yet stored where else it has to be.
  func append(_ frame: Frame, isKnown: (Head) throws -> Bool) throws

  /// Begins a new part of the journal with a start frame.
  ///
  /// - Parameter keepsAll: whether to keep even those parts that snapshots cover.
  func begin(_ start: Frame, keepsAll: Bool) throws
}

extension FrameLog {
  package func settle(isFinal: Bool, isKnown: (Head) throws -> Bool) throws -> Bool { true }
}

/// The error for a commit that this machine has durably, but that is not yet stored where else it has to be.
package struct UnsettledFrame: Error {
  /// The reason.
  package let cause: any Error

  package init(cause: any Error) { self.cause = cause }
}

/// An error of the journal.
package struct JournalError: Error, Sendable, CustomStringConvertible {
  package enum Code: Sendable {
    /// A part of the journal is gone, or is not what it should be.
    case damaged
    /// Another machine is doing the same.
    case locked
    /// Another machine has become the library's owner.
    case readOnly
    /// Two successors of one commit exist.
    case forked
    /// A store has no head where there should be one.
    case lost
    case failed
  }

  package let code: Code
  package let message: String
  package let remedy: Remedy?

  package init(_ code: Code, _ message: String, remedy: Remedy? = nil) {
    (self.code, self.message, self.remedy) = (code, message, remedy)
  }

  package var description: String { message }
}
