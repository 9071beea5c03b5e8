internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypesHTTP1
internal import NIOSSL
internal import NIOTLS

/// Hummingbird's HTTP/1.1 channel with a connection guard, behind TLS where there is a certificate.
private struct LimitedChannel: ServerChildChannel {
  let base: HTTP1Channel
  let options: ServerOptions
  let connections: OpenConnections
  let certificate: ServedCertificate?

  /// The pieces of a body that wait for whoever takes it, where reading begins again and where it stops. Each piece
  /// has up to 16 KB, and a thousand clients may send bodies that nobody takes.
  private static let waitingPieces = (low: 1, high: 2)

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
    let isFromProxy = options.isFromProxy(channel.remoteAddress)
    connections.add(channel, from: isFromProxy ? nil : channel.remoteAddress?.ip)
    return channel.eventLoop.makeCompletedFuture {
      // Several reads wait for whoever takes a body.
      try channel.syncOptions?.setOption(
        .recvAllocator,
        value: AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 2048, maximum: 16_384))
      let value = try addHandlers(to: channel, logger)
      // A connection that comes while the server stops is handled by nobody. NIO would stop the process if its writer
      // went before the channel is closed.
      channel.closeFuture.whenComplete { _ in withExtendedLifetime(value) {} }
      return value
    }
  }

  /// As Hummingbird's channel does, but with the guard, and with less that waits.
  private func addHandlers(
    to channel: any Channel, _ logger: Logger
  ) throws -> HTTP1Channel.Value {
    let operations = channel.pipeline.syncOperations
    let limits = options.limits
    let connection = ConnectionGuard(options, connections)
    if let certificate {
      try operations.addHandler(NIOSSLServerHandler(context: certificate.context()))
      try operations.addHandler(HandshakeLimit(limits.handshake))
    }
    try operations.addHandler(ByteCounter(connection))
    var decoderLimits = NIOHTTPDecoderLimitConfiguration()
    decoderLimits.maxHeaderFieldSize = limits.headByteCount
    decoderLimits.maxHeaderListSize = limits.headByteCount
    decoderLimits.maxHeaderFieldCount = limits.fieldCount
    // The channel keeps answers in order, the application reports errors, and the fields' types are valid.
    try operations.configureHTTPServerPipeline(
      withPipeliningAssistance: false, withErrorHandling: false,
      withOutboundHeaderValidation: false, withEncoderConfiguration: .init(),
      withDecoderLimitConfiguration: decoderLimits)
    try operations.addHandler(connection)
    try operations.addHandler(HTTP1ToHTTPServerCodec(secure: false))
    try operations.addHandler(HTTPConnectionStateHandler(idleTimeout: limits.idle, logger: logger))
    return try NIOAsyncChannel(
      wrappingChannelSynchronously: channel,
      configuration: .init(
        backPressureStrategy: .init(
          lowWatermark: Self.waitingPieces.low, highWatermark: Self.waitingPieces.high),
        isOutboundHalfClosureEnabled: true))
  }

  func handle(value: HTTP1Channel.Value, logger: Logger) async {
    await withTaskExecutorPreference(EventLoopExecutor(value.channel.eventLoop)) {
      await base.handle(value: value, logger: logger)
    }
  }
}

extension HTTPServerBuilder {
  /// HTTP/1.1 within limits; over TLS where there is a certificate.
  static func limited(
    _ options: ServerOptions, _ connections: OpenConnections, _ certificate: ServedCertificate?
  ) -> HTTPServerBuilder {
    HTTPServerBuilder { responder in
      LimitedChannel(
        base: HTTP1Channel(responder: responder), options: options, connections: connections,
        certificate: certificate)
    }
  }
}

/// Runs the tasks of a connection on its event loop, which does its I/O: a request needs no hop to another thread and
/// back.
private final class EventLoopExecutor: TaskExecutor {
  private let eventLoop: any EventLoop

  init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    eventLoop.execute { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}

/// Closes a connection whose TLS handshake is not complete in time. It sits behind TLS, which reports the completion.
private final class HandshakeLimit: ChannelInboundHandler, RemovableChannelHandler {
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
