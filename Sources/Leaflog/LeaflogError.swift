internal import BlobStorage
internal import DiaryCatalog
internal import Imaging
internal import Reports
internal import SystemPackage

/// What went wrong, in a code to match and a sentence to show.
public struct LeaflogError: Error, Sendable, CustomStringConvertible {
  /// What kind of thing went wrong.
  public enum Code: String, Sendable, CaseIterable {
    /// There is no library at that place.
    case noLibrary
    /// A library's files are there, but not the marker that says so. `MarkerRescue` makes it again.
    case markerMissing
    /// Another process holds the library's lock.
    case locked
    /// The library, its disk or the way it was opened does not allow writing.
    case readOnly
    /// The disk is full.
    case noSpace
    /// The catalog or a blob is damaged or missing.
    case damaged
    /// A newer Leaflog wrote the library.
    case tooNew
    /// No such plant or photo.
    case notFound
    /// An id or name that fits several.
    case ambiguous
    /// A plant of that name is there already.
    case nameTaken
    /// A request that contradicts itself, or a value that the diary does not take.
    case invalidRequest
    /// What was to be undone was changed again since.
    case conflict
    /// The library is in a state in which what looks superfluous may not be.
    case suspicious
    /// Anything else that the system refused.
    case failed
  }

  /// To match.
  public let code: Code
  /// What happened, to which file, and what to do.
  public let message: String
  /// What can be done about it, where it is not in the message.
  public let remedy: Remedy?

  public init(_ code: Code, _ message: String, remedy: Remedy? = nil) {
    self.code = code
    self.message = message
    self.remedy = remedy
  }

  /// The message.
  public var description: String { message }
}

extension LeaflogError {
  /// The value that was asked for is not one that the diary takes.
  static func invalid(_ message: String) -> LeaflogError { LeaflogError(.invalidRequest, message) }

  init(_ error: BlobStoreError) {
    let code: Code =
      switch error.code {
      case .notFound: .damaged
      case .noSpace: .noSpace
      case .readOnly, .permissionDenied: .readOnly
      case .locked: .locked
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
      case .damaged: .damaged
      case .tooNew: .tooNew
      case .tooOld: .readOnly
      case .notFound: .notFound
      case .ambiguous: .ambiguous
      case .nameTaken: .nameTaken
      case .invalid: .invalidRequest
      case .conflict: .conflict
      }
    self.init(code, error.message, remedy: error.remedy)
  }

  /// Any error of the layers below, in the words of this one.
  init(_ error: any Error) {
    switch error {
    case let error as LeaflogError: self = error
    case let error as BlobStoreError: self.init(error)
    case let error as CatalogError: self.init(error)
    case let error as InvalidValue: self.init(.invalidRequest, error.description)
    case let error as ImagingError: self.init(.damaged, error.message)
    case let error as ReportsError: self.init(.failed, error.message)
    case let error as Errno: self.init(.failed, "The system refused it: \(error).")
    default: self.init(.failed, "\(error)")
    }
  }
}

/// Runs work of the layers below; what they throw comes out as a `LeaflogError`.
func translating<Value>(_ body: () throws -> Value) throws(LeaflogError) -> Value {
  do { return try body() } catch { throw LeaflogError(error) }
}
