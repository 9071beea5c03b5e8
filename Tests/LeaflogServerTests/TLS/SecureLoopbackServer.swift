import NIOCore
import NIOPosix
import NIOSSL

/// A server on this machine that speaks TLS, and gives each request the same answer. It closes no connection itself.
final class SecureLoopbackServer: Sendable {
  let port: Int
  private let channel: any Channel

  /// - Parameters:
  ///   - certificate: the server's.
  ///   - head: the lines of the answer's head, besides `Content-Length`.
  init(
    _ certificate: TestCertificate, answering head: [String], _ body: [UInt8] = []
  ) async throws {
    let key = try NIOSSLPrivateKey(bytes: Array(certificate.key.utf8), format: .pem)
    let context = try NIOSSLContext(
      configuration: .makeServerConfiguration(
        certificateChain: [.certificate(try certificate.root)], privateKey: .privateKey(key)))
    let lines = head + ["Content-Length: \(body.count)", "", ""]
    let answer = ByteBuffer(bytes: Array(lines.joined(separator: "\r\n").utf8) + body)
    channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandlers(
            NIOSSLServerHandler(context: context), FixedAnswer(answer))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    port = channel.localAddress?.port ?? 0
  }

  deinit { channel.close(promise: nil) }
}

/// Answers each head of a request.
private final class FixedAnswer: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let answer: ByteBuffer
  private var head: [UInt8] = []

  init(_ answer: ByteBuffer) { self.answer = answer }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    head += Array(buffer: unwrapInboundIn(data))
    guard head.suffix(4).elementsEqual("\r\n\r\n".utf8) else { return }
    head = []
    context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
  }

  /// A client that ends the connection in the middle of an answer is no matter.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
