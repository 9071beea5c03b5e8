internal import Foundation
internal import Hummingbird
internal import Leaflog
internal import Pages

/// The tokens of devices, for clients that are signed in with one.
struct DevicePages: Sendable {
  let authenticator: Authenticator

  func add(to serving: PageServing) {
    serving.answer(.get, "me/devices", .administer) { _, context, visit in
      let holder = context.holder
      let tokens = try await authenticator.call { try $0.all() }
      return try await context.access.read { library in
        let page = try visit(library)
        return Response(
          html: PageRenderer.html(
            try DevicesPage(page, tokens, holder: holder), page.reader.words))
      }
    }
    serving.answer(.post, "me/devices", .administer) { request, context, visit in
      guard let holder = context.holder else { throw Problem.noSecret }
      let form = try await request.form(context.bodies)
      let origin = authenticator.options.site(of: request, context)
      let made: DevicesPage.Made?
      let fault: (any Error)?
      do { (made, fault) = (try await make(form, origin, by: holder), nil) } catch {
        (made, fault) = (nil, error)
      }
      return try await answer(context, holder, made, (fault, form), visit)
    }
    serving.answer(.post, "me/devices/:id/pair", .administer) { request, context, visit in
      guard let holder = context.holder else { throw Problem.noSecret }
      let (id, site) = (try context.text("id"), authenticator.options.site(of: request, context))
      let (name, secret) = try await authenticator.call { tokens -> (String, String) in
        let token = try tokens.find(matching: id)
        return (token.name, try tokens.beginPairing(with: token.id, by: holder).secret)
      }
      let made = try pairing(name, at: site, secret)
      return try await answer(context, holder, made, nil, visit)
    }
    serving.answer(.post, "me/devices/:id/revoke", .administer) { request, context, _ in
      guard context.holder != nil else { throw Problem.noSecret }
      let id = try context.text("id")
      let form = try await request.form(context.bodies)
      let token = try await authenticator.call { try $0.revoke(matching: id) }
      if form["undo"] == "true" {
        _ = try await context.access.deleteSent(by: token, origin: "POST /me/devices")
      }
      return Response(
        status: .seeOther, headers: [.location: "/me/devices", .cacheControl: "no-store"])
    }
  }

  /// The page with what was just made, which is shown only once, or with what is wrong in the form.
  private func answer(
    _ context: LeaflogRequestContext, _ holder: AccessToken, _ made: DevicesPage.Made?,
    _ refused: (fault: (any Error)?, form: TypedForm)?,
    _ visit: @escaping @Sendable (Library) throws -> PageContext
  ) async throws -> Response {
    let tokens = try await authenticator.call { try $0.all() }
    let (fault, form) = (refused?.fault, refused?.form)
    return try await context.access.read { library in
      let page = try visit(library)
      let refusal = fault.flatMap { fault in
        form.flatMap { Refusal(fault, $0, page.reader.words) }
      }
      if let fault, refusal == nil { throw fault }
      let screen = try DevicesPage(page, tokens, holder: holder, made: made, refusal: refusal)
      var response = Response(
        html: PageRenderer.html(screen, page.reader.words), refusal?.status ?? .ok)
      // The secret must not end up in a cache.
      response.headers[.cacheControl] = "no-store"
      return response
    }
  }

  private func pairing(
    _ name: String, at site: String, _ secret: String
  ) throws -> DevicesPage.Made {
    let link = "\(site)/pair?code=\(secret)"
    let code = try QRCode(link)
    return .pairing(name: name, link: link, path: code.path, width: code.width)
  }

  /// Makes a token, or a link that gives one to the device that opens it first.
  ///
  /// - Parameter origin: the scheme and host by which the reader reaches the service.
  private func make(
    _ form: TypedForm, _ origin: String, by holder: AccessToken
  ) async throws -> DevicesPage.Made {
    let name = form["name"]?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    guard !name.isEmpty else { throw FormFault("name", "error.nameMissing") }
    let (calendar, grant) = try Self.grant(form)
    guard form["pair"] == "true" else {
      let added = try await authenticator.call {
        try $0.add(name, calendar: calendar, grant: grant, by: holder)
      }
      return calendar == nil
        ? .token(name: added.token.name, secret: added.secret)
        : .calendar(
          name: added.token.name, address: "\(origin)/calendar/\(added.secret).ics")
    }
    guard calendar == nil else { throw FormFault("use", "error.calendarPaired") }
    let secret = try await authenticator.call {
      try $0.beginPairing(name, grant: grant, by: holder).secret
    }
    return try pairing(name, at: origin, secret)
  }

  /// The use and the last day of a new token, as the form says them.
  private static func grant(_ form: TypedForm) throws -> (CalendarContents?, AccessGrant) {
    let typed = form["until"].flatMap { $0.isEmpty ? nil : $0 }
    let until = typed.flatMap { LocalDay($0) }
    guard typed == nil || until != nil else { throw FormFault("until", "error.noDay") }
    let use = form["use"] ?? ""
    if let calendar = CalendarContents(rawValue: use) {
      return (calendar, AccessGrant(.everything, until: until))
    }
    guard let extent = AccessScope.Extent(rawValue: use) else {
      throw Problem(.badRequest, "Say what the token is for.")
    }
    return (nil, AccessGrant(AccessScope(extent), until: until))
  }
}
