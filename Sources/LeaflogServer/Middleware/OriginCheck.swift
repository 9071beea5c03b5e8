internal import HTTPTypes
internal import Hummingbird

/// Refuses writes from pages of other sites, which a browser would send with its user's cookie. Browsers state with
/// each write where the page comes from; a request that does not state it comes from a program.
struct OriginCheck: RequestCheck {
  let names: ServiceNames

  func check(_ request: Request, _ context: LeaflogRequestContext) throws {
    let isReading = request.method == .get || request.method == .head
    guard isReading || isOwn(request, context) else {
      throw Problem(
        .forbidden, "Pages from other sites may not make changes here.", code: .foreignOrigin,
        remedy: names.remedy(forOriginOf: request, context))
    }
  }

  private func isOwn(_ request: Request, _ context: LeaflogRequestContext) -> Bool {
    let site = request.headers[HTTPField.Name("Sec-Fetch-Site")!]
    if let site, !["same-origin", "none"].contains(site) { return false }
    guard let origin = request.headers[.origin] else { return true }
    return names.isOwn(origin: origin, of: request, context)
  }
}
