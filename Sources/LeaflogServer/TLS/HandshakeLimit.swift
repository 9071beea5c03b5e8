internal import NIOCore
internal import NIOSSL
internal import NIOTLS

/// Closes a connection on which TLS has not begun in time. It stands behind TLS, which tells of its beginning.
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
  /// Closes it without telling the other end through TLS, which would be waited for. On its event loop only.
  func closeAtOnce() {
    guard let tls = try? pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self)
    else { return close(promise: nil) }
    // From there on to the socket.
    tls.close(promise: nil)
  }
}
