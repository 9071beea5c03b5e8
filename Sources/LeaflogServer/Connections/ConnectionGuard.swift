internal import Hummingbird
internal import NIOCore
internal import NIOHTTP1

/// Enforces a connection's limits: the time for a head, the rate of a body, the time for an answer. It also closes the
/// connection where the start of the next request can no longer be known.
///
/// It sits between NIO's decoder, which knows a request's version, and Hummingbird.
final class ConnectionGuard: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// A request and its answer.
  private struct Exchange {
    /// Whether the whole request has arrived.
    var isReceived = false
    /// Whether the connection closes after the answer.
    let isLast: Bool
  }

  private let limits: ServerLimits
  private let connections: OpenConnections
  private let options: ServerOptions
  /// Oldest first: the first is being answered, the last may still be arriving.
  private var exchanges: [Exchange] = []
  private var exchangeCount = 0
  /// Whether an answer has told the client that it is the last.
  private(set) var isClosing = false
  /// Whether the last answer has been sent, so that the rest of what the client sends is of no use.
  private(set) var isAnswered = false
  /// The bytes received since the decoder last produced a part of a request.
  private var unusedByteCount = 0
  private var body: BodyRate
  private var headTimer: Scheduled<Void>?
  private var bodyTimer: Scheduled<Void>?
  private var unauthenticatedTimer: Scheduled<Void>?
  private var answerTimer: Scheduled<Void>?
  private var closingTimer: Scheduled<Void>?

  init(_ options: ServerOptions, _ connections: OpenConnections) {
    (limits, self.connections, self.options) = (options.limits, connections, options)
    body = BodyRate(limits)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    for timer in [headTimer, bodyTimer, unauthenticatedTimer, answerTimer, closingTimer] {
      timer?.cancel()
    }
  }

  private func schedule(
    _ span: Duration, _ context: ChannelHandlerContext, _ body: @escaping () -> Void
  ) -> Scheduled<Void> {
    context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(span), body)
  }

  // MARK: Requests

  /// Counts bytes that are about to be decoded.
  func count(_ byteCount: Int) { unusedByteCount += byteCount }

  /// Checks what the decoder made of them.
  func checkProgress(_ context: ChannelHandlerContext) {
    // The decoder keeps what it cannot use, such as everything after an upgrade.
    guard unusedByteCount <= limits.unusedByteCount else { return context.close(promise: nil) }
    guard !isClosing else { return }
    if isReceiving {
      if bodyTimer == nil { measureBody(context) }
      if unauthenticatedTimer == nil, !connections.isKnown(context.channel) {
        limitUnauthenticated(context)
      }
    } else if unusedByteCount > 0, headTimer == nil {
      headTimer = schedule(limits.head, context) { context.close(promise: nil) }
    }
  }

  private var isReceiving: Bool { exchanges.last?.isReceived == false }

  private func measureBody(_ context: ChannelHandlerContext) {
    bodyTimer = schedule(body.rest(), context) { [self] in
      bodyTimer = nil
      guard isReceiving else { return }
      guard body.endSpan() else { return measureBody(context) }
      refuseRest(context)
    }
  }

  private func limitUnauthenticated(_ context: ChannelHandlerContext) {
    unauthenticatedTimer = schedule(limits.unauthenticatedBody, context) { [self] in
      unauthenticatedTimer = nil
      if isReceiving, !connections.isKnown(context.channel) { refuseRest(context) }
    }
  }

  private func refuseRest(_ context: ChannelHandlerContext) {
    // The reader of the body gets the error, and answers. Without a reader, the connection closes all the same.
    context.fireErrorCaught(Problem(.requestTimeout, "The request was sent too slowly."))
    closeSoon(context)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    unusedByteCount = 0
    switch unwrapInboundIn(data) {
    case .head(let head):
      let codings = head.headers[canonicalForm: "transfer-encoding"]
      guard codings.isEmpty || codings.map({ $0.lowercased() }) == ["chunked"] else {
        // The decoder accepts other codings before this one, but would leave them undecoded.
        return context.fireErrorCaught(HTTPParserError.unknown)
      }
      context.fireChannelRead(wrapInboundOut(.head(begin(head, context))))
    case .body(let bytes):
      body.receive(bytes.readableBytes)
      context.fireChannelRead(data)
    case .end:
      for timer in [bodyTimer, unauthenticatedTimer] { timer?.cancel() }
      (bodyTimer, unauthenticatedTimer) = (nil, nil)
      connections.setReceived(context.channel)
      if isReceiving { exchanges[exchanges.count - 1].isReceived = true }
      context.fireChannelRead(data)
    }
  }

  private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) -> HTTPRequestHead {
    headTimer?.cancel()
    headTimer = nil
    let hasPlace = connections.begin(context.channel, for: forwardedClient(head, context))
    exchangeCount += 1
    body = BodyRate(limits)
    // The decoder reads nothing after an upgrade.
    let isLast =
      !hasPlace || !head.isKeepAlive || head.method == .CONNECT
      || head.headers.contains(name: "upgrade") || exchangeCount >= limits.requestsPerConnection
    exchanges.append(Exchange(isLast: isLast))
    var head = head
    head.takeAuthorityOfTarget()
    // Load balancers ask without one.
    if head.version == .http1_0, !head.headers.contains(name: "host"),
      options.base.isHealth(head.uri)
    {
      head.headers.add(name: "host", value: "localhost")
    }
    // Hummingbird knows neither the version of a request nor other spellings of the header.
    if isLast { head.headers.replaceOrAdd(name: "connection", value: "close") }
    return head
  }

  /// The client of a proxy's request; nil for a client that is connected itself.
  private func forwardedClient(
    _ head: HTTPRequestHead, _ context: ChannelHandlerContext
  ) -> OpenConnections.Client? {
    let peer = context.channel.remoteAddress
    guard options.isFromProxy(peer) else { return nil }
    let field = head.headers[canonicalForm: "x-forwarded-for"].joined(separator: ",")
    return (options.client(field, through: peer) ?? peer?.ip)?.network ?? []
  }

  func read(context: ChannelHandlerContext) {
    body.wait()
    context.read()
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    body.stopWaiting()
    context.fireChannelReadComplete()
  }

  // MARK: Answers

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(var head) where !(100..<200).contains(head.status.code):
      // Without an exchange, this answers a request that could not be decoded. The rest of a request that was answered
      // early could be gigabytes.
      let ends = exchanges.first.map { $0.isLast || !$0.isReceived } ?? true
      // A proxy would send another client's request on a connection that is about to be closed.
      isClosing =
        isClosing || ends || !head.isKeepAlive || !connections.hasPlace(context.channel)
      if isClosing { head.headers.replaceOrAdd(name: "connection", value: "close") }
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    case .end:
      context.write(data, promise: promise)
      if !exchanges.isEmpty { exchanges.removeFirst() }
      if isClosing {
        closeOutput(context)
      } else if exchanges.isEmpty {
        connections.setIdle(
          context.channel, isFromProxy: options.isFromProxy(context.channel.remoteAddress))
      }
    case .head, .body: context.write(data, promise: promise)
    }
  }

  /// Closes the output after the last answer.
  private func closeOutput(_ context: ChannelHandlerContext) {
    context.flush()
    let isSent = context.eventLoop.makePromise(of: Void.self)
    isSent.futureResult.assumeIsolated().whenComplete { [self] _ in closeSoon(context) }
    context.close(mode: .output, promise: isSent)
    isAnswered = true
    // Nobody else reads any more. The end of what the client sends comes after the rest of it, and ends the connection.
    context.read()
  }

  /// Closes the connection once the client has had time to read. A client that is still sending could otherwise lose
  /// the end of the answer (RFC 9112, 9.6).
  private func closeSoon(_ context: ChannelHandlerContext) {
    guard closingTimer == nil else { return }
    closingTimer = schedule(limits.closing, context) { context.close(promise: nil) }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable {
      answerTimer?.cancel()
      answerTimer = nil
    } else if answerTimer == nil {
      answerTimer = schedule(limits.stalledAnswer, context) { context.close(promise: nil) }
    }
    context.fireChannelWritabilityChanged()
  }
}

/// Counts the bytes of a connection before they are decoded.
final class ByteCounter: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private let connection: ConnectionGuard

  init(_ connection: ConnectionGuard) { self.connection = connection }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // Bytes that arrive once the connection is closing are dropped.
    guard !connection.isClosing else { return }
    connection.count(unwrapInboundIn(data).readableBytes)
    context.fireChannelRead(data)
    connection.checkProgress(context)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    context.fireChannelReadComplete()
    if connection.isAnswered { context.read() }
  }
}

/// The rate at which a request's body arrives, measured only while the server waits for it: a disk that is slow to take
/// it is not the client's fault.
package struct BodyRate {
  package typealias Instant = ContinuousClock.Instant

  private let limits: ServerLimits
  private var byteCount = 0
  /// The time spent waiting, not counting the wait in progress.
  private var waited = Duration.zero
  private var waitingSince: Instant?

  package init(_ limits: ServerLimits) { self.limits = limits }

  private func wholeWait(_ now: Instant) -> Duration {
    waitingSince.map { waited + (now - $0) } ?? waited
  }

  /// The time until the rate can be judged, if the server waits throughout.
  package func rest(at now: Instant = .now) -> Duration {
    max(.milliseconds(1), limits.bodySpan - wholeWait(now))
  }

  package mutating func wait(at now: Instant = .now) {
    if waitingSince == nil { waitingSince = now }
  }

  package mutating func stopWaiting(at now: Instant = .now) {
    waited = wholeWait(now)
    waitingSince = nil
  }

  package mutating func receive(_ count: Int) { byteCount += count }

  /// Ends a span, if the server waited that long, and begins the next one.
  ///
  /// - Returns: whether too little arrived in it.
  package mutating func endSpan(at now: Instant = .now) -> Bool {
    let wait = wholeWait(now)
    guard wait >= limits.bodySpan else { return false }
    let expected = wait / .seconds(1) * Double(limits.bodyBytesPerSecond)
    let isTooSlow = Double(byteCount) < expected
    (byteCount, waited) = (0, .zero)
    if waitingSince != nil { waitingSince = now }
    return isTooSlow
  }
}

/// Limits on what a client can occupy of the server, and for how long.
package struct ServerLimits: Sendable {
  /// Connections at once. Beyond it, one of the client with the most is closed that has done nothing for the longest.
  package var connectionCount = 1000
  /// Of these, connections without a token so far, where one is needed: a quarter, so that three quarters remain for the
  /// others.
  package var unauthenticatedCount = 256
  /// Connections without a token so far from one address: ten browsers behind one address open six each, until each has
  /// signed in.
  package var unauthenticatedPerAddress = 64
  /// Bytes of the bodies that are in memory at once: 32 of the largest, which are notes of a million characters.
  package var bodiesByteCount = 32 << 20
  /// Those of one client: eight of the largest, more than a browser sends at once.
  package var bodiesByteCountPerClient = 8 << 20
  /// The shortest time until a surplus connection is closed; the longest is three times that.
  package var lingering = Duration.seconds(1)
  /// The shortest time until a request that is one too many is refused, so that a client which sends it again at once
  /// has to wait; the longest is twice that.
  package var refusal = Duration.seconds(1)
  /// How often an answer that takes long looks whether its token is still valid.
  package var tokenCheck = Duration.seconds(1)
  /// The time from the head of a request to the end of its body, before its token is known to be valid or without one.
  package var unauthenticatedBody = Duration.seconds(2)
  /// Answers on one connection.
  package var requestsPerConnection = 10_000
  /// The head of a request, in bytes: its path and its fields.
  package var headByteCount = 16_384
  /// Fields of a request.
  package var fieldCount = 100
  /// Bytes that may arrive without becoming part of a request.
  var unusedByteCount: Int { 8 * headByteCount }
  /// The time from the start of a connection until its TLS handshake is complete.
  package var handshake = Duration.seconds(10)
  /// The time from the first byte of a head to its last.
  package var head = Duration.seconds(20)
  /// The time a connection stays open between requests.
  package var idle = Duration.seconds(60)
  /// The spans over which the rate of a body is measured.
  package var bodySpan = Duration.seconds(30)
  /// The minimum bytes per second of a body while the server waits for it.
  package var bodyBytesPerSecond = 1024
  /// The time a client may go without reading any of an answer.
  package var stalledAnswer = Duration.seconds(60)
  /// The time a client has to read the last answer before its connection is closed.
  package var closing = Duration.seconds(5)

  package init() {}
}
