internal import Hummingbird
internal import Leaflog
internal import NIOCore
internal import Pages

/// The web pages, and everything that belongs to them.
struct PageRoutes: Sendable {
  let access: LibraryAccess
  let authenticator: Authenticator
  let jobs: JobQueue
  let base: BasePath

  func add(to routes: ServiceRoutes) {
    let serving = PageServing(routes: routes, base: base)
    AssetRoutes.add(to: routes)
    addFrame(to: routes)
    TodayPages.add(to: serving)
    TimelinePages.add(to: serving)
    PhotoPages.add(to: serving)
    AddPages.add(to: serving)
    WelcomePages.add(to: serving)
    SignInPages(authenticator: authenticator).add(to: routes)
    ActivityPages.add(to: serving)
    FactorPages.add(to: serving)
    SymptomPages.add(to: serving)
    PlantPages.add(to: serving)
    ComparePages.add(to: serving)
    EpisodePages.add(to: serving)
    DiaryPages.add(to: serving)
    SettingPages.add(to: serving)
    DevicePages(authenticator: authenticator).add(to: serving)
    JobPages(jobs: jobs).add(to: serving)
    let exports = ExportPages(jobs: jobs, authenticator: authenticator)
    exports.add(to: serving)
    exports.addCalendars(to: routes, access)
    MePages.add(to: serving)
  }

  /// Pages that need no library: what browsers install, and what they show without a network.
  private func addFrame(to routes: ServiceRoutes) {
    routes.on(.get, "manifest.webmanifest", .open) { request, _ in
      let reader = PlainReader(request)
      let text = PageRenderer.html(Manifest(reader), reader.words)
      return Response(
        status: .ok,
        headers: [
          .contentType: "application/manifest+json", .cacheControl: "no-cache",
          .vary: "Accept-Language",
        ], body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
    routes.on(.get, "offline", .open) { request, _ in
      let reader = PlainReader(request)
      return Response(html: PageRenderer.html(OfflinePage(reader), reader.words))
    }
  }
}
