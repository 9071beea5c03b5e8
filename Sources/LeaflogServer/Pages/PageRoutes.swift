internal import Hummingbird
internal import Leaflog
internal import NIOCore
internal import Pages

/// The web pages, and everything that belongs to them.
struct PageRoutes: Sendable {
  let access: LibraryAccess
  let authenticator: Authenticator
  let jobs: JobQueue

  func add(to router: Router<LeaflogRequestContext>) {
    let serving = PageServing(access: access, router: router)
    AssetRoutes.add(to: router)
    addFrame(to: router)
    TodayPages.add(to: serving)
    TimelinePages.add(to: serving)
    PhotoPages.add(to: serving)
    AddPages(access: access).add(to: serving)
    WelcomePages.add(to: serving)
    SignInPages(authenticator: authenticator).add(to: router)
    ActivityPages.add(to: serving)
    FactorPages.add(to: serving)
    SymptomPages.add(to: serving)
    PlantPages.add(to: serving)
    ComparePages.add(to: serving)
    EpisodePages.add(to: serving)
    DiaryPages(access: access).add(to: serving)
    SettingPages.add(to: serving)
    DevicePages(authenticator: authenticator).add(to: serving)
    JobPages(jobs: jobs).add(to: serving)
    let exports = ExportPages(jobs: jobs, authenticator: authenticator)
    exports.add(to: serving)
    exports.addCalendars(to: router, access)
    MePages.add(to: serving)
  }

  /// Pages that need no library: what browsers install, and what they show without a network.
  private func addFrame(to router: Router<LeaflogRequestContext>) {
    router.get("manifest.webmanifest") { request, _ in
      let reader = PlainReader(request)
      let text = PageRenderer.html(Manifest(reader), reader.words)
      return Response(
        status: .ok,
        headers: [
          .contentType: "application/manifest+json", .cacheControl: "no-cache",
          .vary: "Accept-Language",
        ], body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
    router.get("offline") { request, _ in
      let reader = PlainReader(request)
      return Response(html: PageRenderer.html(OfflinePage(reader), reader.words))
    }
  }
}
