internal import Hummingbird
internal import Leaflog
internal import NIOCore
internal import Pages

/// The pages for people, and what belongs to them.
struct PageRoutes: Sendable {
  let access: LibraryAccess
  let authenticator: Authenticator
  let jobs: JobQueue

  func add(to router: Router<LeaflogRequestContext>) {
    let serving = PageServing(access: access, router: router)
    addAssets(to: router)
    TodayPages.add(to: serving)
    TimelinePages.add(to: serving)
    PhotoPages.add(to: serving)
    AddPages(access: access).add(to: serving)
    WelcomePages.add(to: serving)
    SignInPages(authenticator: authenticator).add(to: router)
    ActivityPages.add(to: serving)
    SymptomPages.add(to: serving)
    PlantPages.add(to: serving)
    ComparePages.add(to: serving)
    EpisodePages.add(to: serving)
    DiaryPages(access: access).add(to: serving)
    SettingPages.add(to: serving)
    DevicePages(authenticator: authenticator).add(to: serving)
    JobPages(jobs: jobs).add(to: serving)
    ExportPages(jobs: jobs).add(to: serving)
    MePages.add(to: serving)
  }

  private func addAssets(to router: Router<LeaflogRequestContext>) {
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
    // The version is a part of the path for caches alone: an old page gets today's files.
    router.get("assets/:version/:name") { request, context in
      guard let asset = Asset.named(try context.text("name")) else {
        throw Problem(.notFound, "There is no such file.")
      }
      let isCurrent = request.uri.path.hasPrefix(PageRenderer.assets + "/")
      return Response(
        asset, caching: isCurrent ? "public, max-age=31536000, immutable" : "no-cache")
    }
    router.get("service-worker.js") { _, _ in
      guard let asset = Asset.named("service-worker.js") else {
        throw Problem(.notFound, "There is no such file.")
      }
      return Response(asset, caching: "no-cache")
    }
  }
}

extension Response {
  fileprivate init(_ asset: Asset, caching: String) {
    self.init(
      status: .ok, headers: [.contentType: asset.mediaType, .cacheControl: caching],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: asset.bytes)))
  }
}
