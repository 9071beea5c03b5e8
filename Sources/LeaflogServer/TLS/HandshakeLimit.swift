internal import NIOCore
internal import NIOSSL
internal import NIOTLS

/// Closes a connection whose TLS handshake is not complete in time. It sits behind TLS, which reports the completion.
final class HandshakeLimit: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer

  private let span: Duration
  private var timer: Scheduled<Void>?

  init(_ span: Duration) { self.span = span }

  func handlerAdded(context: ChannelHandlerContext) {
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(span)) {
      context.channel.closeAtOnce()
    }
  }

  func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .handshakeCompleted = event as? TLSUserEvent {
      timer?.cancel()
      context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }
    context.fireUserInboundEventTriggered(event)
  }
}

extension Channel {
  /// Closes the channel without a TLS shutdown, which would wait for the other end. Only on its event loop.
  func closeAtOnce() {
    guard let tls = try? pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self)
    else { return close(promise: nil) }
    // Closes from there on, towards the socket.
    tls.close(promise: nil)
  }
}
