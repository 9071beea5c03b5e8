internal import Fields
internal import Hummingbird
internal import Leaflog
internal import Pages

/// The routes by which a browser gets the reminder as a message (Web Push: RFC 8030, W3C Push API).
struct PushRoutes: Sendable {
  let authenticator: Authenticator
  let reminders: PushReminders
  let sender: PushSender

  func add(to api: API) {
    api.get(
      "push", "push", .readDiary, "The browsers that get the reminder as a message with this token",
      answers: [.json(.answer(PushDocument.self))]
    ) { asked in
      let (key, count) = try await authenticator.call { [holder = asked.context.holder] tokens in
        (try tokens.pushKey(), try holder.map { try tokens.pushDevices(of: $0.id).count } ?? 0)
      }
      return answer(key, count)
    }
    api.on(
      .post, "push/key", "makePushKey", .readDiary,
      "The key with which a browser subscribes, which is made for the first one; requires a token",
      key: .needless(note: "A repetition gets the same key."),
      answers: [.json(.answer(PushDocument.self))]
    ) { asked in
      let holder = try requireHolder(asked.context)
      let new = try P256Key()
      let (key, count) = try await authenticator.call { tokens in
        (
          try tokens.pushKey(orKeep: new.privateKey), try tokens.pushDevices(of: holder.id).count
        )
      }
      return answer(key, count)
    }
    api.on(
      .put, "push", "subscribe", .readDiary,
      "Send the reminder to a browser, or renew what it has said; requires a token",
      key: .needless(note: "A repetition changes nothing."),
      body: .json(Body([Self.address, Self.publicKey, Self.secret])),
      answers: [.empty(.noContent, "It gets the reminder")], subscribe)
    api.on(
      .delete, "push", "unsubscribe", .readDiary, "Send the reminder to a browser no longer",
      key: .needless(note: "A repetition finds no device any more."),
      body: .json(Body([Self.address])), answers: [.empty(.noContent, "Gone")]
    ) { asked in
      let holder = try requireHolder(asked.context)
      let address = try await asked.body().known(Self.address)
      try await authenticator.call { try $0.removePushDevice(at: address, of: holder.id) }
      return Response(status: .noContent)
    }
    api.on(
      .post, "push/trial", "tryPush", .readDiary,
      "Send a trial to a browser that gets the reminder",
      key: .needless(note: "A repetition's message takes the place of the first."),
      body: .json(Body([Self.address])),
      answers: [.json(.answer(PushTrialDocument.self))], sendTrial)
  }

  private static let address = Parameter<String>(
    "address", .line(.max), isRequired: true,
    "The subscription's endpoint: an https address at the browser's push service.")
  private static let publicKey = Parameter<String>(
    "publicKey", .line(.max), isRequired: true,
    "The subscription's key `p256dh`: 65 bytes in base64url (RFC 8291, 3.2).")
  private static let secret = Parameter<String>(
    "secret", .line(.max), isRequired: true,
    "The subscription's key `auth`: 16 bytes in base64url (RFC 8291, 3.2).")

  private struct PushDocument: Shown {
    let key: String?
    let deviceCount: Int

    static let shown = Fields<PushDocument>([
      // The public key for `applicationServerKey`, in base64url; null before the first browser.
      Field(adding: "key", .text) { $0.key }.orNull(),
      // How many devices get messages by this token.
      Field(adding: "deviceCount", .whole(0 ... .max)) { $0.deviceCount },
    ]).named("Push")
  }

  private struct PushTrialDocument: Shown {
    let outcome: TrialOutcome
    let status: Int?

    static let shown = Fields<PushTrialDocument>([
      Field(adding: "outcome", .choice) { $0.outcome },
      // The status with which the push service refused it.
      Field(adding: "status", .whole(100...599)) { $0.status },
    ]).named("PushTrial")

    init(_ outcome: PushSender.Outcome) {
      switch outcome {
      case .taken: (self.outcome, status) = (.taken, nil)
      case .gone: (self.outcome, status) = (.gone, nil)
      case .refused(let status): (self.outcome, self.status) = (.refused, status)
      case .failed: (self.outcome, status) = (.failed, nil)
      }
    }
  }

  /// What became of a trial.
  private enum TrialOutcome: String, CaseIterable, FieldValue {
    case taken, gone, refused, failed
  }

  private func answer(_ key: [UInt8]?, _ count: Int) -> Response {
    let key = key.flatMap { P256Key(privateKey: $0) }
    return Response(status: .ok, json: PushDocument(key: key?.publicText, deviceCount: count))
  }

  private func subscribe(_ asked: Asked) async throws -> Response {
    let holder = try requireHolder(asked.context)
    let body = try await asked.body()
    let address = try body.known(Self.address)
    let (publicKey, secret) = (try body.known(Self.publicKey), try body.known(Self.secret))
    guard PushAddress(address, own: sender.own) != nil else {
      throw InvalidValue(
        "address", takes: "an https address at port 443, of at most 1,000 letters", given: address)
    }
    guard PushReceiver(publicKey: publicKey, secret: secret) != nil else {
      throw InvalidValue(
        "publicKey", takes: "the two keys of a subscription in base64url", given: publicKey)
    }
    let languages = asked.request.headers[.acceptLanguage].map(AcceptList.ranked) ?? []
    let device = PushDevice(
      address: address, publicKey: publicKey, secret: secret,
      site: authenticator.options.site(of: asked.request, asked.context) + "/",
      languages: languages.prefix(5).map { String($0.prefix(35)) })
    let sessions = SessionCookie.secrets(in: asked.request)
    try await authenticator.call { try $0.add(device, of: holder.id, sessions: sessions) }
    return Response(status: .noContent)
  }

  private func sendTrial(_ asked: Asked) async throws -> Response {
    let holder = try requireHolder(asked.context)
    let address = try await asked.body().known(Self.address)
    let devices = try await authenticator.call { try $0.pushDevices(of: holder.id) }
    guard let device = devices.first(where: { $0.address == address }) else {
      throw LeaflogError(.notFound, "No device of this token has that address.")
    }
    let now = authenticator.now
    let message = try await asked.access.read { library in
      PushMessageToDevice(
        device: device, text: try PushText.trial(to: device, "trial", in: library),
        topic: "trial", expiresAt: now.advanced(byMilliseconds: 600_000))
    }
    return Response(status: .ok, json: PushTrialDocument(try await reminders.send(message)))
  }

  private func requireHolder(_ context: LeaflogRequestContext) throws -> AccessToken {
    guard let holder = context.holder else { throw Problem.noSecret }
    return holder
  }
}
