/// An error of making a document.
package struct ReportsError: Error, Sendable, CustomStringConvertible {
  package enum Code: String, Sendable {
    /// Cairo failed: out of memory, or text that is not UTF-8.
    case drawing
  }

  package let code: Code
  package let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}
