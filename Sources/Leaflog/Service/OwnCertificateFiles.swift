internal import BlobStorage
internal import Foundation
internal import SystemPackage

/// The PEM files of a library with the service's own authority and the certificate that it signs, each with its
/// private key, so that the two are replaced together.
package struct OwnCertificateFiles: Sendable {
  package enum File: Sendable, CaseIterable { case authority, server }

  private let layout: LibraryLayout
  private let store: LocalBlobStore

  package init(of library: Library) { (layout, store) = (library.layout, library.disk) }

  private func filePath(of file: File) -> FilePath {
    switch file {
    case .authority: layout.tlsAuthority
    case .server: layout.tlsServer
    }
  }

  package func path(of file: File) -> String { filePath(of: file).string }

  /// The contents of a file; nil when it does not exist.
  ///
  /// - Throws: `LeaflogError` with code `failed` when it exists but cannot be read.
  package func text(of file: File) throws(LeaflogError) -> String? {
    let path = filePath(of: file)
    do {
      return String(
        decoding: try Data(contentsOf: URL(fileURLWithPath: path.string)), as: UTF8.self)
    } catch CocoaError.fileReadNoSuchFile {
      return nil
    } catch {
      throw LeaflogError(.failed, "\(path) cannot be read: \(error.localizedDescription)")
    }
  }

  /// Changes the files under the library's lock, so that two processes do not make two authorities.
  package func update<Value>(_ body: () throws -> Value) throws(LeaflogError) -> Value {
    try translating { try FileLock(layout.lock, patience: .seconds(30)).withLock(body) }
  }

  /// Replaces a file durably. Only its owner can read it.
  package func write(_ text: String, to file: File) throws(LeaflogError) {
    try translating {
      try store.createFolders()
      try store.write(Data(text.utf8), to: filePath(of: file))
    }
  }
}
