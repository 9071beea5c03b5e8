internal import Glibc

/// Files beside the catalog, and its own, that nobody but the owner may read. SQLite gives its log and
/// shared memory the rights that the database has.
enum PrivateFile {
  /// Makes an empty file, which SQLite takes for an empty database, unless one is there. What stands
  /// in the way, SQLite meets and tells.
  static func create(at path: String) {
    // One that is there is not opened: closing it would take away the locks that SQLite has on it
    // (https://www.sqlite.org/howtocorrupt.html, 2.2).
    let file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    if file >= 0 { close(file) }
  }

  /// Puts a short text in place of what is there, in one operation, without waiting for the disk.
  static func write(_ text: String, to path: String) throws {
    let unfinished = "\(path).\(UInt64.random(in: .min ... .max))"
    let file = open(unfinished, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure(path) }
    defer { unlink(unfinished) }  // gone when it was renamed
    let bytes = Array(text.utf8)
    let count = Glibc.write(file, bytes, bytes.count)
    let code = count < 0 ? errno : ENOSPC
    close(file)
    guard count == bytes.count else { throw failure(path, code) }
    guard rename(unfinished, path) == 0 else { throw failure(path) }
  }

  private static func failure(_ path: String, _ code: CInt = errno) -> CatalogError {
    CatalogError(
      code == ENOSPC ? .noSpace : [EACCES, EPERM, EROFS].contains(code) ? .readOnly : .failed,
      "\(path) could not be written: \(String(cString: strerror(code))).")
  }
}
