internal import HTTPTypes
internal import Hummingbird
internal import Leaflog

/// The authority that vouches for the service's own certificate, and a page on how to trust it.
///
/// The port speaks TLS only: a browser shows its warning once, and the page behind it. Whoever stands between the two
/// could show another authority; that is what the fingerprint is compared for.
struct TrustRoutes: Sendable {
  /// Nil where the certificate is somebody else's.
  let certificate: OwnCertificate?
  let access: LibraryAccess

  func add(to router: Router<LeaflogRequestContext>) {
    router.get("trust") { request, _ in
      try QueryReader(request).finish()
      return page(try await authority()).response()
    }
    router.get("trust/ca.crt") { request, _ in
      try QueryReader(request).finish()
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

  private func page(_ authority: OwnCertificate.Authority) -> HTMLPage {
    HTMLPage(
      title: "Trust this server",
      body: """
        <p>This server has a certificate of its own. Trust the authority that made it, and your device warns no
        more. The authority can vouch for this machine, and for no other name on the internet.</p>
        <p><a href="/trust/ca.crt">Download the authority</a>, but first compare its SHA-256 with the one that
        <code>leaflog serve</code> has printed:</p>
        <p><code>\(authority.fingerprint.replacing(":", with: ":<wbr>"))</code></p>
        <dl>
        <dt>Android</dt>
        <dd>Settings, Security &amp; privacy, More security settings, Encryption &amp; credentials, Install a
        certificate, CA certificate: choose the file <code>ca.crt</code>.</dd>
        <dt>iPhone, iPad</dt>
        <dd>Open the download in Safari and allow the profile. Then Settings, General, VPN &amp; Device
        Management: install it; and Settings, General, About, Certificate Trust Settings: turn it on.</dd>
        <dt>macOS</dt>
        <dd>Open the file in Keychain Access, double-click the certificate, and set Trust to Always Trust.</dd>
        <dt>Windows</dt>
        <dd>Open the file, Install Certificate, Current User, and place it in Trusted Root Certification
        Authorities.</dd>
        <dt>Linux</dt>
        <dd>Debian and Ubuntu: <code>sudo cp ca.crt /usr/local/share/ca-certificates/leaflog.crt &amp;&amp; sudo
        update-ca-certificates</code>. Fedora: <code>sudo trust anchor ca.crt</code>. Chromium has it in
        Settings, Privacy and security, Security, Manage certificates.</dd>
        <dt>Firefox, on any of them</dt>
        <dd>Settings, Privacy &amp; Security, View Certificates, Authorities, Import: trust it for websites.</dd>
        </dl>
        """)
  }
}
