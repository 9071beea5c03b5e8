internal import CoreMetrics
internal import Dispatch
internal import Glibc
internal import Leaflog
internal import NIOCore
internal import Synchronization

/// The open connections of a server, up to a limit, those of unauthenticated clients and of clients with a token counted
/// apart.
///
/// Hummingbird stops accepting at a limit of its own, so a client that opens that many and sends nothing would lock
/// everybody else out. Here the newest is accepted. Beyond a limit, the client with the most connections loses the one
/// that it has kept waiting the longest.
///
/// A connection is unauthenticated until its first request with a valid token or session. One from a proxy belongs to the
/// client of each request until that is answered, and to the proxy in between.
final class OpenConnections: Sendable {
  /// A network of addresses; empty for a proxy, and for what has no address.
  typealias Client = [UInt8]

  private struct Connection {
    let channel: any Channel
    var client: Client
    var isKnown: Bool
    /// Whether the server has a whole request to answer, rather than waits for the client.
    var isAnswering = false
    /// Larger than those of connections that have done nothing for longer.
    var since: UInt64
  }

  /// The connections of one kind of clients.
  private struct Places {
    let limit: Int
    let limitPerClient: Int
    private(set) var clients: [Client: Set<ObjectIdentifier>] = [:]
    private var count = 0

    init(limit: Int, perClient: Int) { (self.limit, limitPerClient) = (limit, perClient) }

    mutating func insert(_ id: ObjectIdentifier, of client: Client) {
      clients[client, default: []].insert(id)
      count += 1
    }

    mutating func remove(_ id: ObjectIdentifier, of client: Client) {
      guard clients[client]?.remove(id) != nil else { return }
      if clients[client]?.isEmpty == true { clients[client] = nil }
      count -= 1
    }

    /// The connections of which one has to go after one of this client has come; none within the limits.
    func surplus(after client: Client) -> [ObjectIdentifier] {
      if let own = clients[client], own.count > limitPerClient { return Array(own) }
      guard count > limit, let most = clients.values.map(\.count).max() else { return [] }
      return clients.values.filter { $0.count == most }.flatMap { $0 }
    }
  }

  private struct State {
    private var connections: [ObjectIdentifier: Connection] = [:]
    private var unauthenticated: Places
    private var known: Places
    private var last: UInt64 = 0

    init(unauthenticated: Places, known: Places) {
      (self.unauthenticated, self.known) = (unauthenticated, known)
    }

    private mutating func next() -> UInt64 {
      last += 1
      return last
    }

    func has(_ id: ObjectIdentifier) -> Bool { connections[id] != nil }

    func isKnown(_ id: ObjectIdentifier) -> Bool { connections[id]?.isKnown ?? false }

    mutating func add(
      _ channel: any Channel, _ client: Client, isKnown: Bool
    ) -> (any Channel)? {
      let id = ObjectIdentifier(channel)
      connections[id] = Connection(
        channel: channel, client: client, isKnown: isKnown, since: next())
      return place(id)
    }

    @discardableResult
    mutating func remove(_ id: ObjectIdentifier) -> (any Channel)? {
      guard let connection = connections.removeValue(forKey: id) else { return nil }
      takeOut(id, connection)
      return connection.channel
    }

    /// Moves a connection to another client, or among those who are known.
    ///
    /// - Returns: a connection to close.
    mutating func move(_ id: ObjectIdentifier, to client: Client?, isKnown: Bool) -> (any Channel)?
    {
      guard let connection = connections[id] else { return nil }
      let client = client ?? connection.client
      guard client != connection.client || isKnown != connection.isKnown else { return nil }
      takeOut(id, connection)
      connections[id]?.client = client
      connections[id]?.isKnown = isKnown
      return place(id)
    }

    mutating func note(_ id: ObjectIdentifier, isAnswering: Bool) {
      let since = next()
      connections[id]?.isAnswering = isAnswering
      connections[id]?.since = since
    }

    private mutating func takeOut(_ id: ObjectIdentifier, _ connection: Connection) {
      if connection.isKnown {
        known.remove(id, of: connection.client)
      } else {
        unauthenticated.remove(id, of: connection.client)
      }
    }

    private mutating func place(_ id: ObjectIdentifier) -> (any Channel)? {
      guard let connection = connections[id] else { return nil }
      let surplus: [ObjectIdentifier]
      if connection.isKnown {
        known.insert(id, of: connection.client)
        surplus = known.surplus(after: connection.client)
      } else {
        unauthenticated.insert(id, of: connection.client)
        surplus = unauthenticated.surplus(after: connection.client)
      }
      return surplus.min(by: goesBefore).flatMap { remove($0) }
    }

    /// Whether one connection is closed rather than another: first those that wait for their client.
    private func goesBefore(_ one: ObjectIdentifier, _ other: ObjectIdentifier) -> Bool {
      guard let one = connections[one], let other = connections[other] else { return false }
      if one.isAnswering != other.isAnswering { return other.isAnswering }
      return one.since < other.since
    }
  }

  private let requiresToken: Bool
  private let lingeringLimit: Int
  private let lingering: Duration
  private let lingeringCount = Atomic<Int>(0)
  private let state: Mutex<State>
  private let gauge: Meter
  private let freed = FreedMemory()

  /// - Parameter requiresToken: whether clients need a token.
  init(_ limits: ServerLimits, requiresToken: Bool, _ metrics: PrometheusRegistry) {
    self.requiresToken = requiresToken
    // Twice as many may linger.
    let count = OpenFiles.allow(connections: 3 * limits.connectionCount) / 3
    (lingeringLimit, lingering) = (2 * count, limits.lingering)
    let unauthenticatedCount = requiresToken ? min(limits.unauthenticatedCount, (count + 3) / 4) : 0
    state = Mutex(
      State(
        unauthenticated: Places(
          limit: unauthenticatedCount, perClient: limits.unauthenticatedPerAddress),
        known: Places(limit: count - unauthenticatedCount, perClient: .max)))
    gauge = Meter(label: "leaflog_http_connections", factory: metrics)
  }

  /// Adds a connection that has sent nothing yet.
  ///
  /// - Parameter client: the client; nil for a proxy.
  func add(_ channel: any Channel, from client: IPAddress?) {
    gauge.increment()
    channel.closeFuture.whenComplete { [self] _ in
      gauge.decrement()
      _ = state.withLock { $0.remove(ObjectIdentifier(channel)) }
      freed.noteConnection()
    }
    let isKnown = client == nil || !requiresToken
    close(state.withLock { $0.add(channel, client?.network ?? [], isKnown: isKnown) })
  }

  /// Notes that a request begins.
  ///
  /// - Parameter client: the client of a proxy's request; nil where the client is connected itself.
  /// - Returns: false for a connection that is about to be closed.
  func begin(_ channel: any Channel, for client: Client?) -> Bool {
    let id = ObjectIdentifier(channel)
    let (surplus, hasPlace) = state.withLock { state in
      state.note(id, isAnswering: false)
      guard requiresToken, let client else { return (nil as (any Channel)?, state.has(id)) }
      let surplus = state.move(id, to: client, isKnown: false)
      return (surplus, state.has(id))
    }
    close(surplus)
    return hasPlace
  }

  /// Notes that a whole request has been received.
  func setReceived(_ channel: any Channel) {
    state.withLock { $0.note(ObjectIdentifier(channel), isAnswering: true) }
  }

  /// Notes that the last request was answered.
  ///
  /// - Parameter isFromProxy: whether the next request may be another client's.
  func setIdle(_ channel: any Channel, isFromProxy: Bool) {
    let id = ObjectIdentifier(channel)
    let surplus = state.withLock { state in
      state.note(id, isAnswering: false)
      return isFromProxy ? state.move(id, to: [], isKnown: true) : nil
    }
    close(surplus)
  }

  /// Counts a connection among those who may use the library.
  func admit(_ channel: any Channel) {
    close(state.withLock { $0.move(ObjectIdentifier(channel), to: nil, isKnown: true) })
  }

  /// Whether a connection has a place; another one is about to be closed.
  func hasPlace(_ channel: any Channel) -> Bool {
    state.withLock { $0.has(ObjectIdentifier(channel)) }
  }

  /// Whether a connection is that of a client who may use the library.
  func isKnown(_ channel: any Channel) -> Bool {
    state.withLock { $0.isKnown(ObjectIdentifier(channel)) }
  }

  /// Closes a connection, unless too many wait for that, after a moment: a request in progress may still be answered,
  /// and an attacker who connects again has to wait.
  private func close(_ surplus: (any Channel)?) {
    guard let surplus else { return }
    let isLate = lingeringCount.wrappingAdd(1, ordering: .relaxed).newValue <= lingeringLimit
    // At different times: those that were closed together would come again together.
    let moment = isLate ? TimeAmount(lingering * Double.random(in: 1...3)) : .zero
    // It may not be registered with its event loop yet.
    surplus.eventLoop.scheduleTask(in: moment) { surplus.closeAtOnce() }
    surplus.closeFuture.whenComplete { [self] _ in
      lingeringCount.wrappingSubtract(1, ordering: .relaxed)
    }
  }
}

/// The memory of connections that have closed, which the allocator keeps: it is given back to the system a while after many
/// of them.
private final class FreedMemory: Sendable {
  private struct State {
    /// The number of connections since memory was given back.
    var count = 0
    var isWaiting = false
  }

  /// The number of connections whose memory is worth giving back: each has up to 100 KB.
  private static let leastCount = 64
  /// The time after which it is given back, which takes milliseconds.
  private static let delay = Duration.seconds(5)
  private let state = Mutex(State())

  func noteConnection() {
    let begins = state.withLock { state in
      state.count += 1
      guard !state.isWaiting, state.count >= Self.leastCount else { return false }
      state.isWaiting = true
      return true
    }
    guard begins else { return }
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.delay.seconds) {
      self.state.withLock { $0 = State() }
      ImportProcess.releaseFreeMemory()
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
