internal import Glibc

/// The catalog's file and those next to it, which only their owner may access. SQLite gives its log and
/// shared memory the permissions of the database.
enum PrivateFile {
  /// Creates an empty file, which SQLite takes for an empty database, unless the file exists. Errors are
  /// ignored, as SQLite will run into them and report them.
  static func create(at path: String) {
    // An existing file is not opened: closing it would drop the locks that SQLite has on it
    // (https://www.sqlite.org/howtocorrupt.html, 2.2).
    let file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    if file >= 0 { close(file) }
  }

  /// Writes a short text atomically, replacing an existing file, without waiting for the disk.
  static func write(_ text: String, to path: String) throws {
    let unfinished = "\(path).\(UInt64.random(in: .min ... .max))"
    let file = open(unfinished, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure(path) }
    defer { unlink(unfinished) }  // already gone after the rename
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
