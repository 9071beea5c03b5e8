internal import Hummingbird
package import Leaflog
package import Logging
internal import NIOCore
internal import ServiceLifecycle

/// The service: a library over HTTP, for this machine alone.
package struct LeaflogServer: Sendable {
  /// The time that requests under way have to end when the server stops.
  private static let grace = Duration.seconds(10)

  private let library: Library
  private let port: Int

  /// - Parameters:
  ///   - library: open for reading or writing; what others change in it is seen at once.
  ///   - port: of the loopback address 127.0.0.1; 0 takes one that is free.
  package init(_ library: Library, port: Int) {
    (self.library, self.port) = (library, port)
  }

  /// Serves until the process is told to stop (SIGINT, SIGTERM) or the task is cancelled.
  ///
  /// - Parameters:
  ///   - logger: gets a line for each failure, without words of the diary.
  ///   - started: is told the port once requests are taken.
  package func run(
    logger: Logger, stopsAtSignals: Bool = true, started: @escaping @Sendable (Int) -> Void
  ) async throws {
    try library.uploads.sweep()
    let access = LibraryAccess(library)
    let application = Application(
      router: router(access),
      server: .http1(configuration: .init(idleTimeout: .seconds(60))),
      configuration: .init(address: .hostname("127.0.0.1", port: port)),
      onServerRunning: { channel in
        if let port = channel.localAddress?.port { started(port) }
      }, logger: logger)
    var configuration = ServiceGroupConfiguration(
      services: [application], gracefulShutdownSignals: stopsAtSignals ? [.sigterm, .sigint] : [],
      logger: logger)
    configuration.maximumGracefulShutdownDuration = Self.grace
    try await ServiceGroup(configuration: configuration).run()
    try await access.stop()
  }

  /// The routes, each as `GET /api/v1/plants/{name}`; those that answer to HEAD as well have one line.
  package func routes() async throws -> [String] {
    let access = LibraryAccess(library)
    let routes = router(access).routes.filter { $0.method != .head }
    try await access.stop()
    return routes.map { route in
      let parts = route.path.description.split(separator: "/").map { part in
        part.hasPrefix(":") ? "{\(part.dropFirst())}" : String(part)
      }
      return "\(route.method.rawValue) /\(parts.joined(separator: "/"))"
    }
  }

  private func router(_ access: LibraryAccess) -> Router<BasicRequestContext> {
    let router = Router(options: .autoGenerateHeadEndpoints)
    router.addMiddleware {
      ProtectiveHeaders()
      ErrorAnswers()
      HostCheck(names: ["localhost", "127.0.0.1", "[::1]"])
    }
    router.get("healthz") { _, _ in
      try await Response.json(access) { library in
        _ = try library.settings.value(of: .policy)
        return ["status": "ok"]
      }
    }
    let group = router.group("api/v1")
    let writing = Writing(access: access)
    ReadingRoutes(access: access).add(to: group)
    EntryRoutes(writing: writing).add(to: group)
    DiaryRoutes(access: access, writing: writing).add(to: group)
    PlantRoutes(access: access, writing: writing).add(to: group)
    ActivityRoutes(access: access, writing: writing).add(to: group)
    QuoteRoutes(access: access, writing: writing).add(to: group)
    PhotoRoutes(access: access, writing: writing).add(to: group)
    UploadRoutes(access: access).add(to: group)
    LibraryRoutes(access: access, writing: writing).add(to: group)
    return router
  }
}
