internal import NIOCore

/// How much of the server a client can hold, and for how long.
package struct ServerLimits: Sendable {
  /// Connections at once. Of more, the one that nobody has used for the longest time is closed.
  package var connectionCount = 1000
  /// Answers on one connection.
  package var requestsPerConnection = 10_000
  /// The head of a request, in bytes: its path and its fields.
  package var headByteCount = 16_384
  /// Fields of a request.
  package var fieldCount = 100
  /// Bytes that can come without becoming a part of a request.
  var unusedByteCount: Int { 8 * headByteCount }
  /// The time from the beginning of a connection until TLS has begun on it.
  package var handshake = Duration.seconds(10)
  /// The time from the first byte of a head to its last.
  package var head = Duration.seconds(20)
  /// The time that a connection stays open between requests.
  package var idle = Duration.seconds(60)
  /// The spans over which the rate of a body is measured.
  package var bodySpan = Duration.seconds(30)
  /// The bytes a second that a body has to bring at least while the server waits for it.
  package var bodyBytesPerSecond = 1024
  /// The time that a client may take nothing of an answer.
  package var stalledAnswer = Duration.seconds(60)
  /// The time that a client has to read the last answer before its connection is closed.
  package var closing = Duration.seconds(5)

  package init() {}
}
