internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTPTypesHTTP1
internal import NIOSSL

/// Hummingbird's HTTP/1.1 channel with a connection guard, behind TLS where there is a certificate.
struct LimitedChannel: ServerChildChannel {
  let base: HTTP1Channel
  let limits: ServerLimits
  let connections: OpenConnections
  let certificate: ServedCertificate?

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
    connections.add(channel)
    let operations = channel.pipeline.syncOperations
    let connection = ConnectionGuard(limits, connections)
    return channel.eventLoop.makeCompletedFuture {
      if let certificate {
        try operations.addHandler(NIOSSLServerHandler(context: certificate.context()))
        try operations.addHandler(HandshakeLimit(limits.handshake))
      }
      try operations.addHandler(ByteCounter(connection))
      return NIOLoopBound(connection, eventLoop: channel.eventLoop)
    }.flatMap { connection in
      base.setup(channel: channel, logger: logger).flatMapThrowing { value in
        let operations = channel.pipeline.syncOperations
        let codec = try operations.handler(type: HTTP1ToHTTPServerCodec.self)
        try operations.addHandler(connection.value, position: .before(codec))
        return value
      }
    }
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
    _ limits: ServerLimits, _ metrics: PrometheusRegistry, _ certificate: ServedCertificate?
  ) -> HTTPServerBuilder {
    HTTPServerBuilder { responder in
      let configuration = HTTP1Channel.Configuration(
        idleTimeout: TimeAmount(limits.idle),
        httpDecoderConfiguration: .init(
          maxHeaderFieldSize: limits.headByteCount, maxHeaderListSize: limits.headByteCount,
          maxHeaderFieldCount: limits.fieldCount))
      let count = OpenFiles.allow(connections: limits.connectionCount)
      return LimitedChannel(
        base: HTTP1Channel(responder: responder, configuration: configuration), limits: limits,
        connections: OpenConnections(limit: count, metrics), certificate: certificate)
    }
  }
}
