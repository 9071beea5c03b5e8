internal import HTTPTypes
internal import Hummingbird
internal import Leaflog
internal import NIOCore

/// The link that `leaflog serve pair` has drawn: a page with a button, and what the button sends.
///
/// A look at the page changes nothing, so that whatever looks at links beforehand uses none up. Whether the secret is
/// right is told to those who send it, and counted.
struct PairRoutes: Sendable {
  private struct Form: Decodable { let code: String }

  let authenticator: Authenticator

  func add(to router: Router<LeaflogRequestContext>) {
    router.get("pair") { request, _ in
      var query = QueryReader(request)
      let code = try query.text("code") ?? ""
      try query.finish()
      return page(code).response()
    }
    router.post("pair") { request, context in try await pair(request, context) }
  }

  private func page(_ code: String) -> HTMLPage {
    HTMLPage(
      title: "Use the diary on this device",
      body: """
        <p>The link works once, and for ten minutes. It is meant for you alone.</p>
        <form method="post" action="/pair">
        <input type="hidden" name="code" value="\(HTMLPage.escaped(code))">
        <button type="submit">Use the diary here</button>
        </form>
        """)
  }

  private func pair(
    _ request: Request, _ context: LeaflogRequestContext
  ) async throws -> Response {
    try QueryReader(request).finish()
    let code = try await code(of: request)
    guard let (token, session) = try await authenticator.call({ try $0.pair(code) }) else {
      return refusal(authenticator.countFailure(request, context))
    }
    var response = HTMLPage(
      title: "Welcome",
      body: """
        <p>This device may use the diary now, as “\(HTMLPage.escaped(token.name))”. <code>leaflog token revoke</code>
        ends that.</p>
        <p><a href="/">To the diary</a></p>
        """
    ).response()
    response.setCookie(
      SessionCookie.make(session, isSecure: authenticator.isConnectionSecure(request, context)))
    return response
  }

  private func code(of request: Request) async throws -> String {
    let type = request.headers[.contentType]?.prefix { $0 != ";" }.lowercased()
    guard type == "application/x-www-form-urlencoded" else {
      throw Problem(.unsupportedMediaType, "The body has to be the form of the page.")
    }
    let buffer: ByteBuffer
    do { buffer = try await request.body.collect(upTo: 4096) } catch is NIOTooManyBytesError {
      throw Problem(.contentTooLarge, "The body has more than 4096 bytes.")
    }
    let text = String(decoding: buffer.readableBytesView, as: UTF8.self)
    guard let form = try? URLEncodedFormDecoder().decode(Form.self, from: text) else {
      throw Problem(.badRequest, "The body has to be the form of the page.")
    }
    return form.code
  }

  /// As a page: nobody but a browser comes here.
  private func refusal(_ secondsToWait: Int?) -> Response {
    let title = "The link does not work"
    guard let secondsToWait else {
      let body =
        "<p>It was used, or is older than ten minutes. <code>leaflog serve pair</code> makes another.</p>"
      return HTMLPage(title: title, body: body).response(.forbidden)
    }
    let body = "<p>Too many wrong links came from your address. Wait a minute.</p>"
    var response = HTMLPage(title: title, body: body).response(.tooManyRequests)
    response.headers[.retryAfter] = "\(secondsToWait)"
    return response
  }
}
