internal import BlobStorage
internal import DiaryCatalog
package import Fields
internal import Imaging
internal import Journal
internal import Reports
internal import SystemPackage

/// An error of the library: a code to match and a sentence to show.
public struct LeaflogError: Error, Sendable, CustomStringConvertible {
  /// The kind of an error.
  @nonexhaustive
  public enum Code: String, Sendable, CaseIterable {
    /// There is no library at that place.
    case noLibrary
    /// There is a library at that place already.
    case libraryExists
    /// A library's files exist, but not its marker. `Repairer` restores it.
    case markerMissing
    /// Another process holds the library's lock.
    case locked
    /// The library, its disk or the way it was opened does not allow writing.
    case readOnly
    /// The library was closed before, or is being closed.
    case closed
    /// The disk is full.
    case noSpace
    /// The catalog or a blob is damaged or missing.
    case damaged
    /// A newer Leaflog wrote the library.
    case tooNew
    /// There is no such plant, photo or other thing.
    case notFound
    /// A backup does not reach back to that moment, or lacks commits from that time.
    case notKept
    /// An id or name that matches several.
    case ambiguous
    /// The name already belongs to another plant, activity or token.
    case nameTaken
    /// A request that contradicts itself, or a value that the diary does not accept.
    case invalidRequest
    /// The request conflicts with the present state, such as an undo of rows that were changed again since.
    case conflict
    /// The request may be a mistake, and nobody has confirmed the reasons for doubt.
    case unconfirmed
    /// A file is larger than the library accepts.
    case tooLarge
    /// Bytes do not match their declared size or digest.
    case mismatch
    /// The thing to edit has changed since the editor saw it.
    case changed
    /// The request was carried out before.
    case repeated
    /// The state of a library or backup suggests that going ahead would lose data.
    case suspicious
    /// Another copy of the library has gone another way: two different commits follow the same one.
    case forked
    /// An object store or a service did not answer, or not in time. Trying again may succeed.
    case unreachable
    /// An object store refused the access key, this machine's clock or the request, or is not suitable for a library;
    /// or a service refused the token.
    case refused
    /// Anything else that the system refused.
    case failed
  }

  /// The kind of error, to match.
  public let code: Code
  /// A sentence that says what happened to which file, and what to do.
  public let message: String
  /// The remedy, if it is not in the message.
  public let remedy: Remedy?
  /// The reasons for doubt that have to be confirmed, with code `unconfirmed`.
  public private(set) var doubts: [Doubt] = []
  /// The value that is not taken, with code `invalidRequest`, where it is one field's.
  package private(set) var invalidValue: InvalidValue?

  /// Creates an error.
  public init(_ code: Code, _ message: String, remedy: Remedy? = nil) {
    self.code = code
    self.message = message
    self.remedy = remedy
  }

  init(doubts: [Doubt]) {
    self.init(
      .unconfirmed, doubts.map(\.message).joined(separator: " "), remedy: doubts.first?.remedy)
    self.doubts = doubts
  }

  /// The message.
  public var description: String { message }
}

extension LeaflogError {
  /// An error with code `invalidRequest`.
  static func invalid(_ message: String, remedy: Remedy? = nil) -> LeaflogError {
    LeaflogError(.invalidRequest, message, remedy: remedy)
  }

  package init(_ error: InvalidValue) {
    self.init(.invalidRequest, error.description)
    invalidValue = error
  }

  init(_ error: BlobStoreError) {
    let code: Code =
      switch error.code {
      case .notFound, .damaged: .damaged
      case .noSpace: .noSpace
      case .readOnly, .permissionDenied: .readOnly
      case .locked: .locked
      case .unreachable: .unreachable
      case .refused, .clockWrong, .noBucket, .unfit: .refused
      case .invalid: .invalidRequest
      case .failed: .failed
      }
    self.init(code, error.message)
  }

  init(_ error: CatalogError) {
    let code: Code =
      switch error.code {
      case .failed: .failed
      case .noSpace: .noSpace
      case .readOnly: .readOnly
      case .closed: .closed
      case .damaged: .damaged
      case .tooNew: .tooNew
      case .tooOld, .unreleased: .readOnly
      case .notFound: .notFound
      case .ambiguous: .ambiguous
      case .nameTaken: .nameTaken
      case .invalid: .invalidRequest
      case .conflict: .conflict
      }
    self.init(code, error.message, remedy: error.remedy)
    invalidValue = error.invalidValue
  }

  init(_ error: JournalError) {
    let code: Code =
      switch error.code {
      case .damaged: .damaged
      case .locked: .locked
      case .readOnly: .readOnly
      case .forked: .forked
      case .lost: .suspicious
      case .failed: .failed
      }
    self.init(code, error.message, remedy: error.remedy)
  }

  /// Converts any error of the layers below.
  init(_ error: any Error) {
    switch error {
    case let error as LeaflogError: self = error
    case let error as BlobStoreError: self.init(error)
    case let error as CatalogError: self.init(error)
    case let error as JournalError: self.init(error)
    case let error as InvalidValue: self.init(error)
    case let error as ImagingError:
      self.init(error.code == .tooLarge ? .tooLarge : .damaged, error.message)
    case let error as ReportsError: self.init(.failed, error.message)
    case is AnsweredRequestTable.Repeated:
      self.init(.repeated, "This request was carried out before.")
    case let error as Errno: self.init(.failed, "The system refused it: \(error).")
    default: self.init(.failed, "\(error)")
    }
  }
}

/// Runs work of the layers below and turns their errors into `LeaflogError`.
func translating<Value>(_ body: () throws -> Value) throws(LeaflogError) -> Value {
  do { return try body() } catch { throw LeaflogError(error) }
}
