internal import Foundation
internal import Hummingbird
package import Leaflog
package import Logging
internal import NIOCore
internal import NIOPosix
internal import ServiceLifecycle

/// The service: a library over HTTP.
package struct LeaflogServer: Sendable {
  private let library: Library
  private let options: ServerOptions
  /// The kinds of jobs that it accepts.
  package var jobKinds = JobKinds.standard
  /// The time to wait for work in progress when it stops.
  package var patience = Patience()

  /// The limits on waiting for work in progress when the server stops.
  package struct Patience: Sendable {
    /// For requests and everything else.
    package var all = Duration.seconds(10)
    /// For a job; the rest of the time is for reporting its end.
    package var job = Duration.seconds(5)

    package init() {}
  }

  /// - Parameter library: open for reading or writing; changes by others are seen at once.
  package init(_ library: Library, _ options: ServerOptions = ServerOptions()) {
    (self.library, self.options) = (library, options)
  }

  /// Serves until the process is told to stop (SIGINT, SIGTERM, or SIGHUP unless it is ignored) or the task is cancelled.
  ///
  /// - Parameters:
  ///   - logger: receives a line for each failure, without words of the diary.
  ///   - started: called with the port once requests are accepted.
  /// - Throws: `LeaflogError` with code `notFound` when a token is needed and the library has none; with code `failed`
  ///   when the address or port is not available, or the certificate cannot be read.
  package func run(
    logger: Logger, stopsAtSignals: Bool = true, started: @escaping @Sendable (Int) -> Void
  ) async throws {
    if options.requiresToken, try !library.tokens.isAnyOfService(),
      try !library.tokens.isPairing()
    {
      throw LeaflogError(
        .notFound, "The service requires a token, but the library has none.",
        remedy: .addToken)
    }
    let certificate = try certificate(logger)
    if library.access.allowsWriting { try library.uploads.sweep() }
    let parts = try parts(logger)
    try checkBase(parts)
    let note = library.isOnReadOnlyDisk ? nil : AddressNote(library, logger: logger)
    let socket = options.socket.map { ProxySocket($0) }
    try await socket?.makeRoom()
    defer { socket?.remove() }
    let application = Application(
      responder: BasedRequests(base: options.base, next: router(parts).buildResponder()),
      server: .limited(options, parts.connections, certificate),
      configuration: .init(
        address: socket?.bindAddress ?? .hostname("\(options.address)", port: options.port),
        backlog: 4096),
      onServerRunning: { channel in
        if let socket {
          guard socket.take() else { return channel.close(promise: nil) }
          if !options.hostNames.isEmpty { note?.write(options.reachedAddress(port: 443)) }
          return started(options.port)
        }
        guard let port = channel.localAddress?.port else { return }
        note?.write(options.reachedAddress(port: port))
        started(port)
      }, logger: logger)
    var services: [any Service] = [application, parts.jobs]
    if let own = parts.ownCertificate {
      services.append(CertificateRenewal(certificate: own, logger: logger))
    }
    if library.store.address != nil, !library.store.isReplica {
      services.append(JournalSending(access: parts.access, logger: logger))
    }
    // The service that has the library's jobs also sends its messages.
    if library.access.allowsWriting, (try? parts.jobs.files.get()) != nil {
      services.append(parts.pushReminders)
    }
    var configuration = ServiceGroupConfiguration(
      services: services,
      gracefulShutdownSignals: stopsAtSignals
        ? [.sigterm, .sigint] + (ImportProcess.ignoresHangup ? [] : [.sighup]) : [],
      logger: logger)
    configuration.maximumGracefulShutdownDuration = patience.all
    defer { note?.remove() }
    do { try await ServiceGroup(configuration: configuration).run() } catch {
      if let failure = socket?.failure { throw failure }
      guard let error = error as? IOError else { throw error }
      throw options.failure(error)
    }
    try await parts.access.stop()
  }

  /// Creates or renews the library's own certificate and its authority, and returns their state; nil when the server
  /// does not use them.
  package func prepareOwnCertificate() throws(LeaflogError) -> OwnCertificate.State? {
    try ownCertificate?.renew()
  }

  private var ownCertificate: OwnCertificate? {
    options.tls == .own
      ? OwnCertificate(of: library) { [options] in options.machineNames } : nil
  }

  private func certificate(_ logger: Logger) throws(LeaflogError) -> ServedCertificate? {
    switch options.tls {
    case nil: return nil
    case .files(let files): return try ServedCertificate(files, logger: logger)
    case .own:
      guard let ownCertificate else { preconditionFailure("it is its own") }
      try ownCertificate.renew()
      return try ServedCertificate(ownCertificate.files, logger: logger)
    }
  }

  /// - Throws: `LeaflogError` with code `invalidRequest` where a page has the name of the base. Whether a request has the
  ///   base in front of its path could not be known.
  private func checkBase(_ parts: Parts) throws(LeaflogError) {
    let first = options.base.first
    guard
      !routed(parts).all.contains(where: {
        $0.path.split(separator: "/").first.map(String.init) == first
      })
    else {
      throw LeaflogError(
        .invalidRequest, "“\(options.base.text)” cannot be the base: it is the address of a page.")
    }
  }

  /// All routes, by path.
  package func routes() async throws -> [ServedRoute] {
    let parts = try parts(Logger(label: "leaflog.routes"))
    let routes = routed(parts).all
    try await parts.access.stop()
    return routes
  }

  /// The description of the service (OpenAPI 3.1) as it holds today: answers have the fields and values that it names and
  /// no others. The one that clients get leaves room for more.
  package func strictDescription() async throws -> String {
    let parts = try parts(Logger(label: "leaflog.routes"))
    let routes = addAPI(to: ServiceRoutes(Router(context: LeaflogRequestContext.self)), parts)
    try await parts.access.stop()
    return OpenAPI.text(of: routes, at: apiAddress, isStrict: true)
  }

  /// The parts shared by routes and middleware.
  private struct Parts {
    let access: LibraryAccess
    let authenticator: Authenticator
    let jobs: JobQueue
    let ownCertificate: OwnCertificate?
    let pushSender: PushSender
    let pushReminders: PushReminders
    let metrics: PrometheusRegistry
    let connections: OpenConnections
  }

  private func parts(_ logger: Logger) throws(LeaflogError) -> Parts {
    let access = try LibraryAccess(library)
    let metrics = PrometheusRegistry()
    let authenticator = Authenticator(options, library, access)
    let pushSender = PushSender(options)
    return Parts(
      access: access, authenticator: authenticator,
      jobs: JobQueue(library, kinds: jobKinds, patience: patience.job, logger: logger),
      ownCertificate: ownCertificate, pushSender: pushSender,
      pushReminders: PushReminders(
        access, authenticator, pushSender, clock: library.clock, logger: logger),
      metrics: metrics,
      connections: OpenConnections(
        options.limits, requiresToken: options.requiresToken, metrics))
  }

  private func router(_ parts: Parts) -> Router<LeaflogRequestContext> {
    let names = ServiceNames(options)
    let router = Router(context: LeaflogRequestContext.self, options: .autoGenerateHeadEndpoints)
    let routes = routed(parts)
    router.addMiddleware {
      RequestLog(metrics: RequestMetrics(parts.metrics), options: options)
      ProtectiveHeaders()
      AllowedOrigins(origins: options.allowedOrigins)
      Compression()
      BasedAnswers(base: options.base)
      ErrorAnswers(base: options.base, limits: options.limits)
      RequestChecks(
        HostCheck(names: names),
        OriginCheck(names: names, allowed: AllowedOrigins(origins: options.allowedOrigins)))
      AccessCheck(authenticator: parts.authenticator, access: parts.access, needs: routes.table)
      ClientLimits(
        authenticator: parts.authenticator, connections: parts.connections,
        bodies: BodyBudget(options.limits))
      RequestChecks(
        ReadingCheck(library: library), MethodCheck(routes.router), EncodingCheck())
      ContinueAnswers()
    }
    addRoutes(to: ServiceRoutes(router), parts)
    return router
  }

  /// All routes without any middleware, for inspection.
  private func routed(_ parts: Parts) -> ServiceRoutes {
    let routes = ServiceRoutes(Router(context: LeaflogRequestContext.self))
    addRoutes(to: routes, parts)
    return routes
  }

  private func addRoutes(to routes: ServiceRoutes, _ parts: Parts) {
    let access = parts.access
    HealthRoutes(
      access: access, hasTokens: options.requiresToken, jobs: parts.jobs, metrics: parts.metrics
    ).add(to: routes)
    PageRoutes(
      access: access, authenticator: parts.authenticator, jobs: parts.jobs, base: options.base
    ).add(to: routes)
    TrustRoutes(certificate: parts.ownCertificate, access: access).add(to: routes)
    PairRoutes(authenticator: parts.authenticator).add(to: routes)
    _ = addAPI(to: routes, parts)
  }

  /// - Returns: the description's routes.
  private func addAPI(to routes: ServiceRoutes, _ parts: Parts) -> [Route] {
    let api = API(routes, Writing())
    ReadingRoutes().add(to: api)
    EntryRoutes.add(to: api)
    DiaryRoutes().add(to: api)
    PlantRoutes().add(to: api)
    ActivityRoutes().add(to: api)
    FactorRoutes.add(to: api)
    QuoteRoutes().add(to: api)
    PhotoRoutes().add(to: api)
    UploadRoutes().add(to: api)
    LibraryRoutes().add(to: api)
    CommitRoutes(authenticator: parts.authenticator).add(to: api)
    AccessRoutes(authenticator: parts.authenticator).add(to: api)
    PushRoutes(
      authenticator: parts.authenticator, reminders: parts.pushReminders, sender: parts.pushSender
    ).add(to: api)
    JobRoutes(jobs: parts.jobs).add(to: api)
    OpenAPI.addRoute(to: api, at: apiAddress)
    return api.routes
  }

  private var apiAddress: String { options.base.address("/api/v1") }
}

/// Checks whether a service is running at an address.
package enum ServiceProbe {
  /// Whether something is listening there. The address of a service that was killed is still on file.
  ///
  /// - Parameter address: `http://127.0.0.1:8765/`
  package static func isListening(at address: String) async -> Bool {
    guard let url = URL(string: address), let host = url.host else { return false }
    let port = url.port ?? (url.scheme == "https" ? 443 : 80)
    do {
      let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .connectTimeout(.seconds(2)).connect(host: host, port: port).get()
      try await channel.close()
      return true
    } catch {
      return false
    }
  }
}

/// The facts about a request that it does not state itself.
struct LeaflogRequestContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel
  /// The token of the request or of its session; nil where none is required.
  var holder: AccessToken?
  /// The need of its route.
  var need = RouteNeed.anyToken
  /// The needs of all routes.
  var needs = ServiceRoutes.Table()
  /// The library as far as the request may see it; nil on routes that are open to everybody.
  var limitedAccess: LibraryAccess?
  /// The memory for the request's body; none before the client is known.
  var bodies = BodyShare.none

  /// The library as far as the request may see it.
  ///
  /// - Throws: on routes that are open to everybody.
  var access: LibraryAccess {
    get throws {
      guard let limitedAccess else { throw Problem.noSecret }
      return limitedAccess
    }
  }

  /// The scope of the request's token; everything where no token is required.
  var scope: AccessScope { holder?.scope ?? .everything }

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }

  /// The address that the client connected to.
  var localAddress: IPAddress? { channel.localAddress?.ip }
  var localPort: Int? { channel.localAddress?.port }
  /// The address of the other end: the client, or a proxy.
  var remoteAddress: IPAddress? { channel.remoteAddress?.ip }
}
