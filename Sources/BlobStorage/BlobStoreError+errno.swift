package import SystemPackage

extension BlobStoreError {
  /// A system error as a sentence that names the path and, if there is one, the remedy.
  package init(_ error: Errno, _ action: String, _ path: FilePath) {
    let code: Code
    let remedy: String
    switch error {
    case .noSuchFileOrDirectory: (code, remedy) = (.notFound, "")
    case .noSpace, .diskQuotaExceeded:
      (code, remedy) = (.noSpace, " Make room on the disk, and try again.")
    case .readOnlyFileSystem: (code, remedy) = (.readOnly, " The library is on a read-only disk.")
    case .permissionDenied, .notPermitted:
      (code, remedy) = (.permissionDenied, " Check who owns the library's folder.")
    default: (code, remedy) = (.failed, "")
    }
    self.init(
      code: code, message: "Could not \(action) \(path): \(error).\(remedy)", path: path.string)
  }
}

/// Runs system calls on a path; an error becomes a `BlobStoreError` that names the action and the path.
package func attempt<Result>(
  _ action: String, _ path: FilePath, _ body: () throws(Errno) -> Result
) throws(BlobStoreError) -> Result {
  do { return try body() } catch { throw BlobStoreError(error, action, path) }
}
