internal import Hummingbird
internal import NIOCore
internal import Pages

/// Stylesheets, scripts and icons of the pages, compressed once.
enum AssetRoutes {
  /// An asset as it is sent.
  private struct Sent {
    let mediaType: String
    let plain: ByteBuffer
    /// Nil where compression would not make it smaller, as with pictures.
    let gzipped: ByteBuffer?

    init(_ asset: Asset) {
      (mediaType, plain) = (asset.mediaType, ByteBuffer(bytes: asset.bytes))
      let smaller = asset.mediaType == "image/png" ? nil : Gzip.compressed(plain.readableBytesView)
      gzipped = smaller.flatMap { $0.readableBytes < asset.bytes.count ? $0 : nil }
    }
  }

  private static let all = Dictionary(
    uniqueKeysWithValues: Asset.names.compactMap { name in
      Asset.named(name).map { (name, Sent($0)) }
    })

  static func add(to routes: ServiceRoutes) {
    // The version in the path is only for caches: an old page gets the current files.
    routes.on(.get, "assets/:version/:name", .open) { request, context in
      let isCurrent = request.uri.path.hasPrefix(PageRenderer.assets + "/")
      return try response(
        to: request, try context.text("name"),
        caching: isCurrent ? "public, max-age=31536000, immutable" : "no-cache")
    }
    routes.on(.get, "service-worker.js", .open) { request, _ in
      try response(to: request, "service-worker.js", caching: "no-cache")
    }
  }

  private static func response(
    to request: Request, _ name: String, caching: String
  ) throws -> Response {
    guard let asset = all[name] else { throw Problem(.notFound, "There is no such file.") }
    var headers: HTTPFields = [.contentType: asset.mediaType, .cacheControl: caching]
    var bytes = asset.plain
    if let gzipped = asset.gzipped {
      headers[.vary] = "Accept-Encoding"
      if AcceptedEncodings(request.headers[.acceptEncoding] ?? "").allowGzip {
        headers[.contentEncoding] = "gzip"
        bytes = gzipped
      }
    }
    return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: bytes))
  }
}
