internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Language
internal import Leaflog
internal import NIOCore
internal import Pages

/// Serves all pages. A GET shows a screen; a posted form makes a change and redirects to a page that reports it; a
/// rejected form is shown again with what was typed.
struct PageServing {
  let routes: ServiceRoutes
  /// The path below which kept pages are offered.
  let base: BasePath

  /// The parameters of a page's address: those of its path, and those of its query.
  struct Address: Sendable {
    let names: [String: String]
    let query: [String: [String]]

    init(_ request: Request, _ context: LeaflogRequestContext) throws {
      var query: [String: [String]] = [:]
      for (name, value) in try encodedFields(request.uri.query ?? "") {
        query[name, default: []].append(value)
      }
      (names, self.query) = (try context.decodedParameters(), query)
    }

    func name(_ name: String) -> String { names[name] ?? "" }

    /// A parameter of the query; nil where it is absent or empty, as browsers send empty fields too.
    subscript(name: String) -> String? { query[name]?.first.flatMap { $0.isEmpty ? nil : $0 } }

    /// A whole number from 1 on; nil for anything else, as anybody can type an address. It leaves room to count on.
    func number(_ name: String) -> Int? {
      self[name].flatMap { Int($0) }.flatMap { (1...(1 << 53)).contains($0) ? $0 : nil }
    }

    func day(_ name: String) -> LocalDay? { self[name].flatMap { LocalDay($0) } }
  }

  typealias Make = @Sendable (PageContext, Address) throws -> any Screen

  /// Adds a page.
  ///
  /// - Parameters:
  ///   - isFirst: whether it is shown to those who have not seen the welcome page yet.
  ///   - isKept: whether it depends on nothing but the catalog and what `Visit.key(at:)` names: no file of the library, no
  ///     job, no token, no time of the day. It is kept in memory until the next commit, and has a validator.
  ///   - isLong: whether much of the library is read for it.
  func show(
    _ path: String, _ need: RouteNeed, isFirst: Bool = false, isKept: Bool = false,
    isLong: Bool = false, _ make: @escaping Make
  ) {
    routes.on(.get, path, need, isKept: isKept) { [base] request, context in
      let visit = try Visit(request, context)
      let access = try context.access
      if isKept, !visit.hasResult, let key = visit.key(at: try await access.present()) {
        if request.headers[.ifNoneMatch]?.contains(key.tag.description) ?? false,
          let unchanged = try KeptPage.unchanged(key.tag, for: request)
        {
          return unchanged
        }
        let page = try await (isLong ? access.long : access).page(key) { present in
          try Self.page(visit, key, at: present, base, make)
        }
        return try await page?.response(to: request) ?? .welcome
      }
      return try await (isLong ? access.long : access).read { library in
        guard try isFirst || visit.isAcknowledged(in: library) else { return .welcome }
        let context = try visit.context(library)
        let page = try make(context, visit.address)
        return Response(html: PageRenderer.html(page, context.reader.words))
      }
    }
  }

  /// A page to keep, and whether its key is still the one that it was asked for by; the page is nil where the welcome page
  /// comes first.
  private static func page(
    _ visit: Visit, _ key: PageKey, at present: PresentLibrary, _ base: BasePath, _ make: Make
  ) throws -> (page: KeptPage?, isSame: Bool) {
    guard try visit.isAcknowledged(in: present.library) else { return (nil, isSame: true) }
    let context = try visit.context(present.library)
    let html = Array(
      PageRenderer.html(try make(context, visit.address), context.reader.words).utf8)
    // The tag of the last commit before it was made. A later one than that of the key is not the client's.
    let made = visit.key(at: present)
    let isSame =
      made?.text == key.text && present.library.isOnReadOnlyDisk == present.isOnReadOnlyDisk
    let page = KeptPage(
      html: base == .none ? html : BasedText.adding(base.text, to: html, .html),
      formKey: context.formKey, tag: isSame ? made?.tag : nil)
    return (page, isSame)
  }

  /// Adds data for a page's scripts.
  func data<Document: Shown>(
    _ path: String, _ need: RouteNeed,
    _ make: @escaping @Sendable (PageContext, Address) throws -> Document
  ) {
    routes.on(.get, path, need) { request, context in
      let visit = try Visit(request, context)
      return try await Response.json(context.access) { try make(visit.context($0), visit.address) }
    }
  }

  /// Adds a form. One that carries a key is saved once, however often it is sent.
  ///
  /// - Parameters:
  ///   - action: makes the change, and returns where to go when the form does not say.
  ///   - again: the page with the form, to show a rejected one again. Nil where there is nothing to type.
  func take(
    _ path: String, _ need: RouteNeed, _ action: @escaping @Sendable (FormCall) throws -> String,
    again: (@Sendable (PageContext, Address, Refusal) throws -> any Screen)? = nil
  ) {
    routes.on(.post, path, need) { request, context in
      let visit = try Visit(request, context)
      let form = try await request.form(context.bodies)
      let key = try form.key(visit.origin, of: context.holder)
      return try await context.access.write { library in
        let call = FormCall(
          form, visit.address, Call(visit, form, key, library),
          JobClient(visit.scope, context.holder))
        func refused(_ refusal: Refusal) throws -> Response? {
          let context = try visit.context(library, of: form)
          return try again.map {
            Response(
              html: PageRenderer.html(
                try $0(context, visit.address, refusal), context.reader.words), refusal.status)
          }
        }
        return try library.once(key) { known in
          let saved = try SavedForm(known)
          if known.isSame {
            return try visit.answer(library, saved.place, FormResult(change: saved.change))
          }
          guard let answer = try refused(saved.refusal(of: form)) else {
            throw Problem(.conflict, "The form was already saved with other words.")
          }
          return answer
        } _: {
          do {
            let standard = try action(call)
            let place = form.back ?? standard
            if let key, call.change != nil {
              try library.requests.keep(
                answer: SavedForm(call, leadingTo: place).encoded, to: key)
            }
            return try visit.answer(library, place, call.result)
          } catch {
            guard let refusal = Refusal(error, form, visit.words),
              let answer = try refused(refusal)
            else { throw error }
            return answer
          }
        }
      }
    }
  }

  /// Adds a form whose body is more than fields. The answer is a page.
  func receive(
    _ path: String, _ need: RouteNeed,
    _ take:
      @escaping @Sendable (
        Request, LeaflogRequestContext, @escaping @Sendable (Library) throws -> PageContext
      ) async throws -> any Screen
  ) {
    routes.on(.post, path, need) { request, context in
      let visit = try Visit(request, context)
      let page = try await take(request, context) { try visit.context($0) }
      let words = visit.words
      return Response(html: PageRenderer.html(page, words))
    }
  }

  /// Adds a page or a form that needs more than the library.
  func answer(
    _ method: HTTPRequest.Method, _ path: String, _ need: RouteNeed,
    _ make:
      @escaping @Sendable (
        Request, LeaflogRequestContext, @escaping @Sendable (Library) throws -> PageContext
      ) async throws -> Response
  ) {
    routes.on(method, path, need) { request, context in
      let visit = try Visit(request, context)
      return try await make(request, context) { try visit.context($0) }
    }
  }

  /// A request for a page.
  fileprivate struct Visit: Sendable {
    let address: Address
    /// Whether the page reports a change.
    let hasResult: Bool
    let method: HTTPRequest.Method
    private let path: String
    private let languages: [String]
    private let holder: AccessToken?
    let scope: AccessScope
    private let needs: ServiceRoutes.Table
    private let appearance: Appearance
    /// Whether a script asks, which has the page to go back to already.
    private let isForScript: Bool

    init(_ request: Request, _ context: LeaflogRequestContext) throws {
      address = try Address(request, context)
      hasResult = !FormResult.names.isDisjoint(with: address.query.keys)
      method = request.method
      (holder, scope) = (context.holder, context.scope)
      needs = context.needs
      appearance = Appearance(cookie: request.cookies[Appearance.cookieName]?.value)
      path = request.uri.path + request.uri.query.without(FormResult.names)
      languages = request.headers[.acceptLanguage].map(AcceptList.ranked) ?? []
      isForScript = request.headers[.accept] == "application/json"
    }

    /// The answer to a form that was saved.
    func answer(_ library: Library, _ place: String, _ result: FormResult) throws -> Response {
      let address = result.address(of: place)
      guard isForScript else { return Response(seeing: address) }
      let (text, note) = try context(library, after: result).saved(returningTo: place)
      let saved = SavedDocument(place: address, change: result.change, text: text, note: note)
      return Response(
        status: .ok,
        headers: [.contentType: "application/json", .cacheControl: "no-store"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: JSON.line(saved))))
    }

    /// The key of a page; nil where the commit is not known.
    func key(at present: PresentLibrary) -> PageKey? {
      guard let commit = present.commit else { return nil }
      let library = present.library
      let day = library.presentDay(after: present.latestChange)
      let language = Reader.known(of: PageContext.languages(languages, in: library))
      let parts = [
        path, scope.extent.rawValue, scope.plant?.description, holder == nil ? nil : "holder",
        appearance.cookie, language, library.access == .reading ? "reading" : nil,
        present.isOnReadOnlyDisk ? "disk" : nil, day.day.description,
        day.calendarDay.description, day.isBehind ? "behind" : nil,
      ]
      return PageKey(parts.map { $0 ?? "" }.joined(separator: "\n"), at: commit)
    }

    /// Whether the reader need not see the welcome page first. A library that can only be read cannot record that it has
    /// been seen, and only its owner has to see it.
    func isAcknowledged(in library: Library) throws -> Bool {
      try library.access == .reading || !scope.includes(.administer)
        || library.settings.isDisclaimerAcknowledged() || library.isOnReadOnlyDisk
    }

    var words: Words { PlainReader(languages: languages, path: path).words }

    var origin: String { "\(method.rawValue) \(path.prefix { $0 != "?" })" }

    /// - Parameters:
    ///   - form: the form that is shown again, on the page that it goes back to.
    ///   - result: that of a form that was just saved; nil for the one that the address has.
    func context(
      _ library: Library, of form: TypedForm? = nil, after result: FormResult? = nil
    ) throws -> PageContext {
      return try PageContext(
        library: library, languages: languages, path: form?.back ?? path,
        back: (form ?? TypedForm(values: address.query)).back,
        result: result ?? FormResult(address), holder: holder,
        appearance: appearance, scope: scope,
        allows: { [needs, scope] in needs.allows($0, for: scope) })
    }
  }
}

extension Call {
  fileprivate init(
    _ visit: PageServing.Visit, _ form: TypedForm, _ key: ClientRequest.Key?, _ library: Library
  ) {
    self.init(
      library: library, names: visit.address.names, body: BodyReader(),
      condition: VersionCondition(
        wanted: form["version"].flatMap { $0.isEmpty ? nil : "\"\($0)\"" }, unwanted: nil),
      key: key, origin: visit.origin)
  }
}

extension FormResult {
  fileprivate init(_ address: PageServing.Address) {
    self.init(
      change: address.number("changed").map(Int64.init), goneCount: address.number("gone") ?? 0,
      startedJob: address["started"].map { StartedJob($0) })
  }
}

extension String? {
  /// The query without some parameters, including its question mark; empty if nothing is left.
  fileprivate func without(_ names: Set<String>) -> String {
    let parts = (self ?? "").split(separator: "&").filter {
      !names.contains(String($0.prefix { $0 != "=" }))
    }
    return parts.isEmpty ? "" : "?" + parts.joined(separator: "&")
  }
}

extension Response {
  init(html: String, _ status: HTTPResponse.Status = .ok) {
    self.init(
      status: status, headers: .page, body: ResponseBody(byteBuffer: ByteBuffer(string: html)))
  }

  /// A page that is not cached.
  init(screen: some Screen, _ words: Words, _ status: HTTPResponse.Status = .ok) {
    self.init(html: PageRenderer.html(screen, words), status)
    headers[.cacheControl] = "no-store"
  }

  /// Redirects to the page that the owner sees first.
  fileprivate static let welcome = Response(seeing: "/welcome")

  /// Redirects to a page (RFC 9110, 15.4.4).
  init(seeing address: String) {
    self.init(status: .seeOther, headers: [.location: address, .cacheControl: "no-store"])
  }
}
