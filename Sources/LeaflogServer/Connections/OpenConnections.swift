internal import CoreMetrics
internal import Glibc
internal import NIOCore
internal import Synchronization

/// The open connections of a server, up to a limit.
///
/// Hummingbird stops accepting at a limit of its own, so a client that opens that many and sends nothing would lock
/// everybody else out. Here the newest is accepted, and the one that has been idle the longest is closed.
final class OpenConnections: Sendable {
  private struct Connection {
    let channel: any Channel
    /// Larger than those of connections that have been idle longer; nil while a request is in progress.
    var idleSince: UInt64?
  }

  private struct State {
    var connections: [ObjectIdentifier: Connection] = [:]
    private var last: UInt64 = 0

    mutating func next() -> UInt64 {
      last += 1
      return last
    }
  }

  private let limit: Int
  private let state = Mutex(State())

  private let gauge: Meter

  /// - Parameter limit: the number of connections at once.
  init(limit: Int, _ metrics: PrometheusRegistry) {
    self.limit = limit
    gauge = Meter(label: "leaflog_http_connections", factory: metrics)
  }

  /// Adds a connection that has sent nothing yet. Beyond the limit, the one that has been idle the longest is closed,
  /// or this one if all others have requests in progress.
  func add(_ channel: any Channel) {
    gauge.increment()
    channel.closeFuture.whenComplete { [self] _ in
      gauge.decrement()
      state.withLock { $0.connections[ObjectIdentifier(channel)] = nil }
    }
    let surplus = state.withLock { state -> (any Channel)? in
      state.connections[ObjectIdentifier(channel)] = Connection(
        channel: channel, idleSince: state.next())
      guard state.connections.count > limit else { return nil }
      let oldest = state.connections.min {
        ($0.value.idleSince ?? .max) < ($1.value.idleSince ?? .max)
      }
      return oldest.flatMap { state.connections.removeValue(forKey: $0.key) }?.channel
    }
    // It may not be registered with its event loop yet.
    if let surplus { surplus.eventLoop.execute { surplus.closeAtOnce() } }
  }

  /// Notes that a request began.
  func setBusy(_ channel: any Channel) {
    state.withLock { $0.connections[ObjectIdentifier(channel)]?.idleSince = nil }
  }

  /// Notes that the last request was answered.
  func setIdle(_ channel: any Channel) {
    state.withLock { state in
      let now = state.next()
      state.connections[ObjectIdentifier(channel)]?.idleSince = now
    }
  }
}

/// The files and connections that a process may have open.
enum OpenFiles {
  /// Files other than connections: the catalog's, blobs being sent, the log.
  private static let otherCount = 512

  /// Raises the limit on open files for this many connections, as far as the system allows.
  ///
  /// - Returns: the number of connections that fit.
  static func allow(connections count: Int) -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return count }
    let wanted = rlim_t(count + otherCount)
    if limit.rlim_cur < wanted {
      limit.rlim_cur = min(wanted, limit.rlim_max)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
    let available = Int(clamping: limit.rlim_cur)
    return available >= count + otherCount ? count : max(1, available / 2)
  }
}
