import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import TestSupport

/// A client that speaks TLS to a server of this machine.
struct SecureClient {
  let port: Int
  /// The authorities that it trusts.
  let roots: [NIOSSLCertificate]
  /// The name that the certificate has to have.
  var name = "localhost"
  var maxVersion: TLSVersion?

  /// Sends a request on a connection of its own, and reads the whole answer.
  ///
  /// - Parameter headers: lines, besides `Connection: close`; a `Host` that is not among them is added.
  func answer(
    _ method: String, _ path: String, _ headers: [String] = [], body: String? = nil
  ) async throws -> Answer {
    let json = body == nil ? [] : ["Content-Type: application/json"]
    return try await answer(method, path, headers + json, bytes: body.map { Array($0.utf8) })
  }

  /// The same with bytes of any kind.
  func answer(
    _ method: String, _ path: String, _ headers: [String], bytes body: [UInt8]?
  ) async throws -> Answer {
    let host = headers.contains { $0.hasPrefix("Host:") } ? [] : ["Host: \(name)"]
    let length = body.map { ["Content-Length: \($0.count)"] } ?? []
    let lines =
      ["\(method) \(path) HTTP/1.1"] + host + headers + length + ["Connection: close", "", ""]
    return try Answer(await bytes(Array(lines.joined(separator: "\r\n").utf8) + (body ?? [])))
  }

  func get(_ path: String, _ headers: [String] = []) async throws -> Answer {
    try await answer("GET", path, headers)
  }

  /// Sends bytes, and reads until the server closes the connection.
  func bytes(_ sent: [UInt8]) async throws -> [UInt8] {
    try await connect().executeThenClose { inbound, outbound in
      try await outbound.write(ByteBuffer(bytes: sent))
      var bytes: [UInt8] = []
      for try await buffer in inbound { bytes += Array(buffer: buffer) }
      return bytes
    }
  }

  func connect() async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.trustRoots = .certificates(roots)
    configuration.minimumTLSVersion = .tlsv1
    configuration.maximumTLSVersion = maxVersion
    let context = try NIOSSLContext(configuration: configuration)
    return try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .connect(host: "127.0.0.1", port: port) { [name] channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(
            NIOSSLClientHandler(context: context, serverHostname: name))
          return try NIOAsyncChannel(wrappingChannelSynchronously: channel)
        }
      }
  }
}
