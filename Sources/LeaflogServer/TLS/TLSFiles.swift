internal import Glibc

/// The PEM files of a certificate with its intermediates, and of its private key.
package struct TLSFiles: Sendable, Hashable {
  package let certificate: String
  /// May be the same file.
  package let key: String

  package init(certificate: String, key: String) {
    (self.certificate, self.key) = (certificate, key)
  }

  /// The current state of both files, which a renewal changes.
  var state: [FileState?] { [FileState(certificate), FileState(key)] }

  /// The attributes that change when a file is written or replaced.
  struct FileState: Equatable {
    private let numbers: [Int]

    /// Nil when there is no such file. Links are followed.
    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      numbers = [
        Int(bitPattern: UInt(status.st_dev)), Int(bitPattern: UInt(status.st_ino)),
        Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
        status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
      ]
    }
  }
}
