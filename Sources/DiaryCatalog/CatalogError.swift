package import DiaryModel

/// An error of the catalog.
package struct CatalogError: Error, Sendable, CustomStringConvertible {
  package enum Code: Sendable {
    /// SQLite failed; the message includes its own.
    case failed
    /// The disk is full.
    case noSpace
    /// The file or its folder cannot be written.
    case readOnly
    /// The catalog was closed before.
    case closed
    /// The file is not a database, or a damaged one.
    case damaged
    /// A newer Leaflog wrote it.
    case tooNew
    /// An older Leaflog wrote it; opening it for writing brings it up to date.
    case tooOld
    /// No such plant or entry.
    case notFound
    /// The start of an id that matches several.
    case ambiguous
    /// A plant or an activity of that name already exists.
    case nameTaken
    /// An invalid value.
    case invalid
    /// Conflicts with the existing rows, such as a day that is taken or a later change to what is undone.
    case conflict
  }

  package let code: Code
  package let message: String
  package let remedy: Remedy?

  package init(_ code: Code, _ message: String, remedy: Remedy? = nil) {
    self.code = code
    self.message = message
    self.remedy = remedy
  }

  package var description: String { message }
}
