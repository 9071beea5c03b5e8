internal import NIOCore

/// Limits on what a client can occupy of the server, and for how long.
package struct ServerLimits: Sendable {
  /// Connections at once. Beyond it, the one that has been idle the longest is closed.
  package var connectionCount = 1000
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
