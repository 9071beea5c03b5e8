internal import Foundation
internal import Glibc
internal import Leaflog
internal import Logging
internal import NIOSSL
internal import Synchronization

/// The certificate that the server presents, as read from its files.
///
/// The files are checked before each handshake, which costs far less than the handshake. Hummingbird's own TLS keeps
/// the certificate it started with.
final class ServedCertificate: Sendable {
  private struct Loaded {
    /// The state of the files when they were last read, successfully or not.
    var state: [TLSFiles.FileState?]
    var context: NIOSSLContext
  }

  private let files: TLSFiles
  private let logger: Logger
  private let loaded: Mutex<Loaded>

  /// - Throws: `LeaflogError` with code `failed` when the files cannot be read, or do not belong together.
  init(_ files: TLSFiles, logger: Logger) throws(LeaflogError) {
    (self.files, self.logger) = (files, logger)
    // Taken before they are read: a change in between is noticed the next time.
    let state = files.state
    loaded = Mutex(Loaded(state: state, context: try Self.context(files)))
  }

  /// The context for the next handshake. If renewed files cannot be read, the last valid certificate stays in use.
  func context() -> NIOSSLContext {
    loaded.withLock { loaded in
      let state = files.state
      guard state != loaded.state else { return loaded.context }
      loaded.state = state
      do throws(LeaflogError) {
        loaded.context = try Self.context(files)
        logger.notice("certificate renewed", metadata: ["file": "\(files.certificate)"])
      } catch {
        logger.error(
          "certificate not renewed, the last one stays", metadata: ["reason": "\(error.message)"])
      }
      return loaded.context
    }
  }

  private static func context(_ files: TLSFiles) throws(LeaflogError) -> NIOSSLContext {
    let certificates = try parsed(files.certificate, "a certificate") {
      let chain = try NIOSSLCertificate.fromPEMBytes($0)
      guard !chain.isEmpty else { throw NIOSSLError.failedToLoadCertificate }
      return chain
    }
    let key = try parsed(files.key, "a private key without a password") {
      // Without this answer, the key's password would be asked for on the terminal.
      try NIOSSLPrivateKey(bytes: $0, format: .pem) { $0([UInt8]()) }
    }
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(key))
    configuration.minimumTLSVersion = .tlsv12
    configuration.applicationProtocols = ["http/1.1"]
    do { return try NIOSSLContext(configuration: configuration) } catch {
      throw LeaflogError(
        .failed, "The certificate in \(files.certificate) does not match the key in \(files.key)."
      )
    }
  }

  private static func parsed<Value>(
    _ path: String, _ content: String, _ parse: ([UInt8]) throws -> Value
  ) throws(LeaflogError) -> Value {
    let bytes: [UInt8]
    do { bytes = try Array(Data(contentsOf: URL(fileURLWithPath: path))) } catch {
      throw LeaflogError(.failed, "\(path) cannot be read: \(error.localizedDescription)")
    }
    do { return try parse(bytes) } catch {
      throw LeaflogError(.failed, "\(path) does not contain \(content) in PEM format.")
    }
  }
}

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
