import DiaryModel
import Foundation
import HTTPTransfer
import Hashing
import Leaflog
import LeaflogServer
import Synchronization
import TestSupport
import Testing

/// When the reminder is sent to devices, and to which.
@Suite struct PushReminderTests {
  /// A library with a device, at a time of day, and the requests that its push service gets.
  private final class Fixture {
    let folder: TemporaryFolder
    let library: Library
    let clock: TestClock
    let reminders: PushReminders
    let service = PushServiceDouble()
    let token: AccessToken

    init(
      at time: String, in zone: String = "Europe/Berlin",
      prepare: (Library) throws -> Void = { _ in }
    ) throws {
      folder = try TemporaryFolder()
      let zone = try #require(TimeZone(identifier: zone))
      let start = try #require(RecordedTime("2026-07-10T\(time)"))
      clock = TestClock(at: EntryTime(start, in: zone).instant)
      _ = try Library.create(
        at: folder.file("library"), .init(policy: .exact, timeZone: zone), clock: clock.wallClock)
      library = try Library.open(at: folder.file("library"), for: .writing, clock: clock.wallClock)
      token = try library.tokens.add("phone").token
      try library.settings.set(.pushContact, to: "mailto:me@plants.example")
      try prepare(library)
      reminders = try PushReminders(library, PushSender(own: nil, service.answer))
      try add("https://push.example/1")
    }

    func add(_ address: String, of other: AccessToken? = nil, session: String? = nil) throws {
      _ = try library.tokens.pushKey(orKeep: P256Key().privateKey)
      try library.tokens.add(
        PushDevice(
          address: address, publicKey: Base64URL.text(P256Key().publicKey),
          secret: Base64URL.text([UInt8](repeating: 1, count: 16)),
          site: "https://plants.example/", languages: ["en"]),
        of: (other ?? token).id, sessions: session.map { [$0] } ?? [])
    }

    /// Moves the clock on, and looks at it.
    func check(after minutes: Int = 0) async {
      clock.pass(seconds: Int64(minutes) * 60)
      await reminders.check()
    }

    var sent: [String] { service.sent.withLock { $0.map(\.url) } }
  }

  /// A push service that answers as it is told.
  private final class PushServiceDouble: Sendable {
    let sent = Mutex<[HTTPRequest]>([])
    let status = Mutex<Int?>(201)

    @Sendable func answer(_ request: HTTPRequest, _: PushAddress) -> PushSender.Answer {
      sent.withLock { $0.append(request) }
      return status.withLock { $0 }.map { .status($0) } ?? .failure("too slow")
    }
  }

  @Test func `it is sent at its time, once`() async throws {
    let fixture = try Fixture(at: "19:50")
    await fixture.check()
    await fixture.check(after: 9)
    #expect(fixture.sent.isEmpty)
    await fixture.check(after: 1)
    #expect(fixture.sent == ["https://push.example/1"])
    let request = try #require(fixture.service.sent.withLock { $0.first })
    let headers = Dictionary(uniqueKeysWithValues: request.headers.map { ($0.name, $0.value) })
    #expect(headers["TTL"] == "\(4 * 3600)" && headers["Topic"] == "reminder-2026-07-10")
    #expect(request.body?.byteCount == 86 + 2048 + 17)
    await fixture.check(after: 1)
    // Another service of the library, or the same one after a restart.
    let other = try PushReminders(fixture.library, PushSender(own: nil, fixture.service.answer))
    await other.check()
    #expect(fixture.sent.count == 1)
    // The next day.
    await fixture.check(after: 24 * 60)
    #expect(fixture.sent.count == 2)
  }

  @Test(arguments: [("21:59", 1), ("22:01", 0), ("00:30", 0)])
  func `a service that did not run sends it up to two hours late`(
    time: String, count: Int
  ) async throws {
    let fixture = try Fixture(at: time)
    await fixture.check()
    #expect(fixture.sent.count == count)
  }

  @Test func `hours before the end of the day are those of the day before`() async throws {
    let fixture = try Fixture(at: "00:20") { library in
      try library.settings.set([.reminderTime: "00:30", .dayEnd: "3"])
    }
    await fixture.check()
    #expect(fixture.sent.isEmpty)
    await fixture.check(after: 20)
    let request = try #require(fixture.service.sent.withLock { $0.first })
    #expect(request.headers.contains { $0.name == "Topic" && $0.value == "reminder-2026-07-09" })
  }

  @Test func `nothing is sent when nothing is left`() async throws {
    let fixture = try Fixture(at: "20:00")
    _ = try fixture.library.diary.setMood(.happy, on: fixture.library.today)
    try fixture.library.settings.set(.reminderParts, to: "mood")
    await fixture.check()
    #expect(fixture.sent.isEmpty)
  }

  @Test func `nothing is sent while it is off or has no contact`() async throws {
    let fixture = try Fixture(at: "20:00")
    try fixture.library.settings.set(.reminder, to: "off")
    await fixture.check()
    try fixture.library.settings.set([.reminder: "on", .pushContact: ""])
    await fixture.check()
    #expect(fixture.sent.isEmpty)
    try fixture.library.settings.set(.pushContact, to: "https://plants.example")
    await fixture.check()
    #expect(fixture.sent.count == 1)
  }

  @Test func `a device ends with its token and its session`() async throws {
    let fixture = try Fixture(at: "20:00")
    let tokens = fixture.library.tokens
    let other = try tokens.add("tablet").token
    let secret = try tokens.beginSession(other.id)
    try fixture.add("https://push.example/2", of: other, session: secret)
    try fixture.add("https://push.example/3", of: other)
    #expect(try tokens.pushDevices(of: other.id).count == 2)
    try tokens.endSession(secret)
    #expect(try tokens.pushDevices(of: other.id).map(\.address) == ["https://push.example/3"])
    try tokens.revoke(other.id)
    #expect(try tokens.pushDevices().map(\.address) == ["https://push.example/1"])
    try tokens.revoke(fixture.token.id)
    await fixture.check()
    #expect(fixture.sent.isEmpty)
  }

  @Test func `only tokens that read the diary have devices, and each has ten`() async throws {
    let fixture = try Fixture(at: "20:00")
    let tokens = fixture.library.tokens
    let plants = try tokens.add("greenhouse", grant: AccessGrant(AccessScope(.photos))).token
    try fixture.add("https://push.example/greenhouse", of: plants)
    for number in 2...12 { try fixture.add("https://push.example/\(number)") }
    let addresses = try tokens.pushDevices().map(\.address)
    #expect(addresses == (3...12).map { "https://push.example/\($0)" })
    // A device that says the same again stays where it is.
    let device = try #require(try tokens.pushDevices().first)
    try tokens.add(device, of: fixture.token.id, sessions: [])
    #expect(try tokens.pushDevices().map(\.address) == addresses)
  }

  @Test func `one that its push service does not know any more is removed`() async throws {
    let fixture = try Fixture(at: "20:00")
    for (day, status) in [404, 410].enumerated() {
      try fixture.add("https://push.example/\(status)")
      fixture.service.status.withLock { $0 = status }
      await fixture.check(after: day * 24 * 60)
      #expect(try fixture.library.tokens.pushDevices().isEmpty, "\(status)")
    }
  }

  @Test func `a refusal is noted until a message is taken`() async throws {
    let fixture = try Fixture(at: "20:00")
    fixture.service.status.withLock { $0 = 403 }
    await fixture.check()
    await fixture.check(after: 30)
    #expect(fixture.sent.count == 1)
    #expect(try fixture.library.tokens.pushDevices().map(\.refusal) == [403])
    fixture.service.status.withLock { $0 = 201 }
    await fixture.check(after: 23 * 60 + 30)
    #expect(try fixture.library.tokens.pushDevices().map(\.refusal) == [nil])
  }

  @Test(arguments: [nil, 429, 500, 503])
  func `what is not taken is tried three times within the hour`(status: Int?) async throws {
    let fixture = try Fixture(at: "20:00")
    fixture.service.status.withLock { $0 = status }
    var counts: [Int] = []
    for minutes in [0, 4, 1, 24, 1, 5, 30, 60] {
      await fixture.check(after: minutes)
      counts.append(fixture.sent.count)
    }
    #expect(counts == [1, 1, 2, 2, 3, 3, 3, 3])
    #expect(try fixture.library.tokens.pushDevices().count == 1)
  }

  @Test func `a message says what is left only if that is wanted`() throws {
    let fixture = try Fixture(at: "20:00")
    _ = try fixture.library.activities.add(
      ActivityDetails(
        name: "Water the basil", startFrom: fixture.library.today.advanced(by: -1), everyDays: 1))
    for (isOn, isNamed) in [("off", false), ("on", true)] {
      try fixture.library.settings.set(.reminderNames, to: isOn)
      let device = try #require(try fixture.library.tokens.pushDevices().first)
      let text = try PushText.reminder(
        PushText.Left(fixture.library.today, in: fixture.library), to: device, "tag",
        in: fixture.library)
      let shown = String(decoding: text, as: UTF8.self)
      #expect(shown.contains("3 things are left for today"))
      #expect(shown.contains("Water the basil") == isNamed && shown.contains("mood") == isNamed)
    }
  }

  @Test func `two activities have a button, for a token that writes the diary`() throws {
    let fixture = try Fixture(at: "20:00")
    let ids = try (1...3).map { number in
      try fixture.library.activities.add(
        ActivityDetails(
          name: "Care \(number)", startFrom: fixture.library.today.advanced(by: -1), everyDays: 1)
      ).id.description
    }
    try fixture.library.settings.set(.reminderNames, to: "on")
    let reader = try fixture.library.tokens.add("reader", grant: AccessGrant(AccessScope(.read)))
    try fixture.add("https://push.example/reader", of: reader.token)
    let left = try PushText.Left(fixture.library.today, in: fixture.library)
    for device in try fixture.library.tokens.pushDevices() {
      let text = try PushText.reminder(left, to: device, "tag", in: fixture.library)
      let json = try JSONSerialization.jsonObject(with: Data(text)) as? [String: Any]
      let shown = try #require(json?["notification"] as? [String: Any])
      let actions = (shown["actions"] as? [[String: String]])?.compactMap { $0["action"] }
      let isReader = device.token == reader.token.id.description
      #expect(actions == (isReader ? nil : Array(ids.prefix(2))))
      #expect(
        shown["data"] as? [String: String]
          == (isReader ? nil : ["day": "2026-07-10", "token": fixture.token.id.description]))
    }
  }

  @Test func `many things with long names are named as far as there is room`() throws {
    let fixture = try Fixture(at: "20:00")
    for number in 0..<60 {
      _ = try fixture.library.activities.add(
        ActivityDetails(
          name: "\(number) " + String(repeating: "\"🌱", count: 30),
          startFrom: fixture.library.today.advanced(by: -1), everyDays: 1))
    }
    try fixture.library.settings.set(.reminderNames, to: "on")
    let device = try #require(try fixture.library.tokens.pushDevices().first)
    let left = try PushText.Left(fixture.library.today, in: fixture.library)
    let text = try PushText.reminder(left, to: device, "tag", in: fixture.library)
    #expect(text.count < 2048 && text.count > 1500)
    #expect(String(decoding: text, as: UTF8.self).contains(" …"))
  }
}
