internal import HTTPTypes
internal import Hummingbird

/// Refuses requests meant for another host: a page elsewhere may have pointed its own name here (DNS rebinding), and
/// would read the diary through the browser of somebody with access.
struct HostCheck: RequestCheck {
  private static let hostName = HTTPField.Name("Host")!

  let names: ServiceNames

  func check(_ request: Request, _ context: LeaflogRequestContext) throws {
    // The first one is the authority; a second one stays among the fields (RFC 9112, 3.2).
    guard let text = request.head.authority, !request.headers.contains(Self.hostName)
    else { throw Problem(.badRequest, "A request must have exactly one Host.") }
    guard let authority = Authority(text), names.contains(authority.host, context) else {
      throw Problem(
        .misdirectedRequest, "This server does not serve that host.", code: .foreignHost)
    }
  }
}
