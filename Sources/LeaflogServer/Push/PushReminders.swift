internal import Foundation
internal import Language
package import Leaflog
internal import Logging
internal import NIOPosix
internal import Pages
internal import ServiceLifecycle
internal import Synchronization

/// Sends the reminder of the day to the devices that want it, while the service runs.
///
/// The day is recorded first: a service that is killed meanwhile may send too little, never anything twice.
package final class PushReminders: Service {
  /// How often the clock is looked at.
  private static let interval = Duration.seconds(20)
  /// The waits before the second and the third try, in milliseconds.
  private static let waits: [Int64] = [5 * 60_000, 25 * 60_000]
  /// A message is tried within an hour.
  private static let patience: Int64 = 3_600_000

  /// A message that was not taken yet.
  private struct Waiting {
    let message: PushMessageToDevice
    let since: Timestamp
    var tries = 0
    var next: Timestamp
  }

  private let access: LibraryAccess
  private let authenticator: Authenticator
  private let sender: PushSender
  private let clock: WallClock
  private let logger: Logger
  private let waiting = Mutex<[Waiting]>([])

  init(
    _ access: LibraryAccess, _ authenticator: Authenticator, _ sender: PushSender,
    clock: WallClock, logger: Logger
  ) {
    (self.access, self.authenticator, self.sender) = (access, authenticator, sender)
    (self.clock, self.logger) = (clock, logger)
  }

  /// For a library that no service has, for a test.
  package convenience init(_ library: Library, _ sender: PushSender) throws {
    let access = try LibraryAccess(library)
    self.init(
      access, Authenticator(ServerOptions(), library, access), sender, clock: library.clock,
      logger: Logger(label: "leaflog.push"))
  }

  package func run() async throws {
    try? await cancelWhenGracefulShutdown {
      while true {
        await self.check()
        try await Task.sleep(for: Self.interval)
      }
    }
  }

  /// Sends the reminder if it is due, and what was not taken before.
  package func check() async {
    do {
      if let (day, messages) = try await access.read({ try Self.due(in: $0) }),
        try await authenticator.call({ try $0.recordReminder(of: day) })
      {
        let now = clock.now
        waiting.withLock { $0 += messages.map { Waiting(message: $0, since: now, next: now) } }
      }
      try await sendWaiting()
    } catch is CancellationError {
    } catch { report(error) }
  }

  /// The day whose reminder is due, with what to send; nil if nobody wants it, or it was sent.
  private static func due(in library: Library) throws -> (LocalDay, [PushMessageToDevice])? {
    // The devices are in memory; without any, nothing else is looked at.
    let devices = try library.tokens.pushDevices()
    guard !devices.isEmpty, let due = try library.diary.dueReminder(),
      try library.tokens.isReminderOpen(of: due.day),
      try !library.settings.value(of: .pushContact).isEmpty
    else { return nil }
    let left = try PushText.Left(due.day, in: library)
    guard left.count > 0 else { return (due.day, []) }
    let topic = "reminder-\(due.day)"
    return (
      due.day,
      try devices.map { device in
        PushMessageToDevice(
          device: device, text: try PushText.reminder(left, to: device, topic, in: library),
          topic: topic, expiresAt: due.dayEnd)
      }
    )
  }

  private func sendWaiting() async throws {
    let now = clock.now
    let due = waiting.withLock { waiting in
      let due = waiting.filter { $0.next <= now }
      waiting.removeAll { $0.next <= now }
      return due
    }
    for one in due where one.message.expiresAt > now {
      try Task.checkCancellation()
      do { try await trySending(one, at: now) } catch { report(error) }
    }
  }

  /// Sends a message; one that was not taken waits for another try.
  private func trySending(_ one: Waiting, at now: Timestamp) async throws {
    guard case .failed(let reason, let seconds) = try await send(one.message) else { return }
    logger.info("reminder not taken", metadata: ["reason": "\(reason)"])
    guard one.tries < Self.waits.count else { return }
    var next = one
    next.tries += 1
    next.next = now.advanced(
      byMilliseconds: max(Self.waits[one.tries], Int64(clamping: seconds).clampedSeconds))
    guard next.next < one.since.advanced(byMilliseconds: Self.patience) else { return }
    waiting.withLock { [next] in $0.append(next) }
  }

  private func report(_ error: any Error) {
    let reason = (error as? LeaflogError)?.message ?? "\(type(of: error))"
    logger.error("reminder not sent", metadata: ["reason": "\(reason)"])
  }

  /// Sends a message, and notes what became of it.
  ///
  /// - Throws: `LeaflogError` with code `conflict` when the library has no contact for push services.
  func send(_ message: PushMessageToDevice) async throws -> PushSender.Outcome {
    let subject = try await access.read { try $0.settings.value(of: .pushContact) }
    guard !subject.isEmpty else {
      throw LeaflogError(
        .conflict,
        "Push services ask for an address of whoever runs the service: the setting push.contact.")
    }
    let key = try await authenticator.call { try $0.pushKey() }
    guard let key = key.flatMap({ P256Key(privateKey: $0) }) else { return .gone }
    let outcome = try await sendingThread.runIfActive { [sender, now = clock.now] in
      try sender.send(message, key, subject: subject, at: now)
    }
    let address = message.device.address
    try await authenticator.call { tokens in
      switch outcome {
      case .taken: try tokens.note(refusal: nil, ofDeviceAt: address)
      case .refused(let status): try tokens.note(refusal: status, ofDeviceAt: address)
      case .gone: try tokens.removePushDevice(at: address)
      case .failed: break
      }
    }
    return outcome
  }
}

extension Int64 {
  /// Seconds in milliseconds, at most a day.
  fileprivate var clampedSeconds: Int64 { Swift.min(Swift.max(self, 0), 86_400) * 1000 }
}

/// One thread, as push services may be slow to answer.
private let sendingThread = {
  let pool = NIOThreadPool(numberOfThreads: 1)
  pool.start()
  return pool
}()

/// The texts of messages, in the form that Safari shows by itself (Declarative Web Push), and Leaflog's service worker, too.
package enum PushText {
  private struct Document: Encodable {
    struct Notification: Encodable {
      let title: String
      let body: String
      let lang: String
      let dir = "ltr"
      let tag: String
      let navigate: String
      var actions: [Action]?
      var data: Purpose?
    }

    /// A button of the message, where the system shows any.
    struct Action: Encodable {
      /// The id of the activity that it ticks.
      let action: String
      let title: String
      let navigate: String
    }

    /// What a button is for: the day, and the token in whose name it ticks.
    struct Purpose: Encodable {
      let day: String
      let token: String
    }

    /// 8030, by which the form is known.
    let web_push = 8030
    let notification: Notification
  }

  /// What is left for a day.
  package struct Left {
    let day: LocalDay
    let parts: [ReminderPart]
    let activities: [Activity]

    package init(_ day: LocalDay, in library: Library) throws {
      self.day = day
      let today = try library.diary.today(day, isBrief: true)
      let missing = today.missingParts(of: try library.diary.reminder().parts)
      parts = missing.filter { $0 != .activities }
      activities = missing.contains(.activities) ? today.dueActivities : []
    }

    var count: Int { parts.count + activities.count }

    /// An activity as a message names it.
    fileprivate static func name(_ activity: Activity) -> String {
      "\(activity.details.emoji) \(String(activity.name.prefix(40)))"
    }

    func names(_ words: Words) -> [String] {
      activities.map(Self.name)
        + parts.map { words["reminderPart.\($0.rawValue)"] }
    }
  }

  /// At most two activities have a button. Systems show no more, and some none.
  private static let maxActionCount = 2

  /// The reminder of a day. It names nothing of the diary unless the setting `reminder.names` says so.
  package static func reminder(
    _ left: Left, to device: PushDevice, _ tag: String, in library: Library
  ) throws -> [UInt8] {
    let words = words(of: device, in: library)
    guard try library.settings.value(of: .reminderNames) == "on" else {
      return try text(words.plural("leftForToday", left.count), [], words, tag, device)
    }
    let holder = try library.tokens.all().first { $0.id.description == device.token }
    let ticks = holder?.scope.includes(.writeDiary) == true
    return try text(
      words.plural("leftForToday", left.count), left.names(words), words, tag, device,
      ticking: ticks ? Array(left.activities.prefix(maxActionCount)) : [], on: left.day)
  }

  /// A message by which a device is tried.
  static func trial(to device: PushDevice, _ tag: String, in library: Library) throws -> [UInt8] {
    let words = words(of: device, in: library)
    return try text(words["pushTrialText"], [], words, tag, device)
  }

  private static func words(of device: PushDevice, in library: Library) -> Words {
    Words.best(of: PageContext.languages(device.languages, in: library))?.words ?? .standard
  }

  /// - Parameter names: named as far as there is room.
  private static func text(
    _ title: String, _ names: [String], _ words: Words, _ tag: String, _ device: PushDevice,
    ticking activities: [Activity] = [], on day: LocalDay? = nil
  ) throws -> [UInt8] {
    let actions = activities.map { activity in
      Document.Action(
        action: activity.id.description, title: Left.name(activity), navigate: device.site)
    }
    let purpose = day.map { Document.Purpose(day: $0.description, token: device.token) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    for count in (0...names.count).reversed() {
      let body = names.prefix(count).joined(separator: " · ")
      let document = Document(
        notification: .init(
          title: title, body: count < names.count && count > 0 ? body + " …" : body,
          lang: words.language, tag: tag, navigate: device.site,
          actions: actions.isEmpty ? nil : actions, data: actions.isEmpty ? nil : purpose))
      let bytes = Array(try encoder.encode(document))
      if bytes.count < PushSender.paddedByteCount { return bytes }
    }
    throw LeaflogError(.invalidRequest, "The address of the service is too long for a message.")
  }
}
