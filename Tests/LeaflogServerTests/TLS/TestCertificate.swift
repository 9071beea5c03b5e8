import Foundation
import LeaflogServer
import NIOSSL
import TestSupport

/// A certificate made by the program `openssl` (apt: openssl), and its key (P-256), both in PEM.
struct TestCertificate {
  let certificate: String
  let key: String

  init(certificate: String, key: String) { (self.certificate, self.key) = (certificate, key) }

  /// One for `localhost`, which vouches for itself.
  init() throws {
    try self.init(
      subject: "/CN=localhost",
      extensions: ["basicConstraints = critical, CA:true", "subjectAltName = DNS:localhost"])
  }

  /// - Parameters:
  ///   - extensions: lines of OpenSSL's own form (x509v3_config(5)).
  ///   - key: the key in PEM; nil for a new one.
  ///   - issuer: what signs it; nil for its own key.
  init(
    subject: String, extensions: [String], days: Int = 1, key: String? = nil,
    issuer: TestCertificate? = nil
  ) throws {
    let folder = try TemporaryFolder()
    let lines = ["[req]", "distinguished_name = name", "[name]", "[extensions]"] + extensions
    let configuration = try folder.write(
      Data((lines.joined(separator: "\n") + "\n").utf8), to: "openssl.cnf")
    var arguments = [
      "req", "-x509", "-config", configuration, "-extensions", "extensions", "-subj", subject,
      "-days", "\(days)", "-out", folder.file("certificate.pem"),
    ]
    if let key {
      arguments += ["-key", try folder.write(Data(key.utf8), to: "key.pem")]
    } else {
      arguments += ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
      arguments += ["-keyout", folder.file("key.pem")]
    }
    if let issuer {
      arguments += ["-CA", try folder.write(Data(issuer.certificate.utf8), to: "ca.pem")]
      arguments += ["-CAkey", try folder.write(Data(issuer.key.utf8), to: "ca-key.pem")]
    }
    try OpenSSL.run(arguments)
    certificate = try String(contentsOfFile: folder.file("certificate.pem"), encoding: .utf8)
    self.key = try String(contentsOfFile: folder.file("key.pem"), encoding: .utf8)
  }

  /// One that a library has made.
  init(file path: String) throws {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let end = text.range(of: "-----BEGIN PRIVATE KEY")?.lowerBound ?? text.endIndex
    (certificate, key) = (String(text[..<end]), String(text[end...]))
  }

  /// Writes both files, or takes the place of those that are there.
  @discardableResult
  func write(to folder: TemporaryFolder) throws -> TLSFiles {
    TLSFiles(
      certificate: try folder.write(Data(certificate.utf8), to: "certificate.pem"),
      key: try folder.write(Data(key.utf8), to: "key.pem"))
  }

  /// As the authority that a client trusts.
  var root: NIOSSLCertificate {
    get throws { try NIOSSLCertificate(bytes: Array(certificate.utf8), format: .pem) }
  }

  // MARK: Parts, as OpenSSL prints them

  /// All fields and extensions.
  var text: String { get throws { try printed("-text") } }

  /// The lines of an extension after its title.
  func lines(of extension: String) throws -> [String] {
    try printed("-ext", `extension`).split(separator: "\n").dropFirst()
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// The first and the last moment at which it is valid.
  var validity: (first: Date, last: Date) {
    get throws {
      let dates = try printed("-startdate", "-enddate", "-dateopt", "iso_8601")
        .split(separator: "\n").compactMap { line in
          line.split(separator: "=").last.map(String.init).flatMap { text in
            ISO8601DateFormatter().date(from: text.replacing(" ", with: "T"))
          }
        }
      guard dates.count == 2 else { throw OpenSSL.Failure(message: "no dates") }
      return (dates[0], dates[1])
    }
  }

  private func printed(_ options: String...) throws -> String {
    let folder = try TemporaryFolder()
    let path = try folder.write(Data(certificate.utf8), to: "certificate.pem")
    return try OpenSSL.run(["x509", "-noout", "-in", path] + options)
  }
}

/// The program `openssl`, which `.ci/install tests` installs.
enum OpenSSL {
  struct Failure: Error {
    let message: String
  }

  /// Runs it, and returns what it prints.
  ///
  /// - Throws: `Failure` when it fails.
  @discardableResult
  static func run(_ arguments: [String]) throws -> String {
    let result = try Command(library: nil).start(
      ["openssl"] + arguments, program: "/usr/bin/env"
    ).wait()
    guard result.status == 0 else { throw Failure(message: result.error) }
    return result.output
  }
}
