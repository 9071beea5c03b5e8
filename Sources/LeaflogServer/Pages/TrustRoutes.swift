internal import HTTPTypes
internal import Hummingbird
internal import Leaflog
internal import Pages

/// The authority that vouches for the service's own certificate, and a page on how to trust it.
///
/// The port speaks only TLS: a browser shows its warning once, and then this page. A man in the middle could show
/// another authority; comparing the fingerprint detects that.
struct TrustRoutes: Sendable {
  /// Nil where the certificate is not the library's own.
  let certificate: OwnCertificate?
  let access: LibraryAccess

  func add(to routes: ServiceRoutes) {
    routes.on(.get, "trust", .open) { request, _ in
      _ = try QueryReader(request)
      let (authority, reader) = (try await authority(), PlainReader(request))
      return Response(
        screen: TrustPage(
          reader, fingerprint: authority.fingerprintLines, isOutdated: authority.isOutdated),
        reader.words)
    }
    routes.on(.get, "trust/ca.crt", .open) { request, _ in
      _ = try QueryReader(request)
      return Response(
        status: .ok,
        headers: [.contentType: "application/x-x509-ca-cert", .cacheControl: "no-store"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: try await authority().certificate)))
    }
  }

  private func authority() async throws -> OwnCertificate.Authority {
    guard let certificate else {
      throw Problem(.notFound, "This server has no certificate authority of its own.")
    }
    return try await access.read { _ in try certificate.authority() }
  }
}
