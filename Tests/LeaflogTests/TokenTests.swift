import Foundation
import Leaflog
import TestSupport
import Testing

/// Access tokens and sessions.
@Suite struct TokenTests {
  private let folder: TemporaryFolder
  private let library: Library
  private let clock = TestClock(at: .noonInJune)

  init() throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    library = try Library.create(
      at: folder.file("library"), .init(), clock: clock.wallClock)
  }

  private var path: String { folder.file("library/access.json") }

  private func text() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  // MARK: Tokens

  @Test func `a secret is told once, and known again`() throws {
    let tokens = library.tokens
    let added = try tokens.add("  my phone ")
    let (token, secret) = (added.token, added.secret)
    #expect(token.name == "my phone" && token.lastUsedAt == nil)
    #expect(secret.wholeMatch(of: /leaflog_[A-Za-z0-9_-]{43}/) != nil)
    #expect(try tokens.holder(of: secret)?.id == token.id)
    #expect(try !text().contains(secret.dropFirst(8)))
    let other = try tokens.add("camera").secret
    #expect(other != secret)
    #expect(try tokens.holder(of: other)?.name == "camera")
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test(arguments: ["", " ", "leaflog_", "x", String(repeating: "x", count: 100_000), "\0"])
  func `a text that is no secret lets nobody in`(secret: String) throws {
    #expect(try library.tokens.holder(of: secret) == nil)
    let right = try library.tokens.add("phone").secret
    for wrong in [secret, right + secret, String(right.dropLast()), right.uppercased()]
    where wrong != right {
      #expect(try library.tokens.holder(of: wrong) == nil, "\(wrong)")
      #expect(try library.tokens.session(of: wrong) == nil, "\(wrong)")
    }
  }

  @Test func `names are unique whatever their case, and one line`() throws {
    let tokens = library.tokens
    let first = try tokens.add("Büro").token
    #expect(throws: LeaflogError.self) { _ = try tokens.add("BÜRO") }
    for name in ["", " ", "two\nlines", String(repeating: "x", count: 201)] {
      let error = #expect(throws: LeaflogError.self) { _ = try tokens.add(name) }
      #expect(error?.code == .invalidRequest)
    }
    #expect(try tokens.all() == [first])
    _ = try tokens.add("attic")
    #expect(try tokens.all().map(\.name) == ["attic", "Büro"])
  }

  @Test func `a revoked token lets nobody in, in other processes too, and never comes back`() throws
  {
    let server = library.tokens  // as one keeps it
    let added = try server.add("phone")
    let (token, secret) = (added.token, added.secret)
    #expect(try server.holder(of: secret) != nil)
    let dump = try text()
    let other = try Library.open(at: library.path, for: .reading)
    #expect(try other.tokens.revoke(matching: "PHONE").id == token.id)
    #expect(try server.holder(of: secret) == nil)
    #expect(throws: LeaflogError.self) { try server.revoke(matching: "phone") }
    _ = try library.plants.add(PlantDetails(name: "basil"))
    try library.history.undo()
    #expect(try server.holder(of: secret) == nil)
    // As a control: with its file it is there again, so that no backup may have it.
    try dump.write(toFile: path, atomically: true, encoding: .utf8)
    #expect(try server.holder(of: secret) != nil)
    _ = try Backup(library).run(BackupRequest(path: folder.file("backup"))) { _ in }
    #expect(!folder.files(below: "backup").contains("access.json"))
  }

  @Test func `a token is named by the start of its id, unless that could be several`() throws {
    let tokens = library.tokens
    let ids = try (0..<17).map { try tokens.add("token \($0)").token.id.description }
    let shared = try #require(
      "0123456789abcdef".first { digit in
        ids.count { $0.first == digit } > 1
      })
    let error = #expect(throws: LeaflogError.self) { try tokens.revoke(matching: String(shared)) }
    #expect(error?.code == .ambiguous)
    #expect(try tokens.revoke(matching: String(ids[3].prefix(30))).name == "token 3")
    #expect(throws: LeaflogError.self) { try tokens.revoke(matching: "") }
    #expect(try tokens.all().count == 16)
  }

  @Test func `its last use is written down once an hour`() throws {
    let tokens = library.tokens
    let secret = try tokens.add("phone").secret
    _ = try tokens.holder(of: secret)
    let first = try #require(try tokens.all().first?.lastUsedAt)
    let written = try text()
    clock.pass(seconds: 3599)
    _ = try tokens.holder(of: secret)
    #expect(try text() == written)
    clock.pass(hours: 1)
    _ = try tokens.holder(of: secret)
    let second = try #require(try library.tokens.all().first?.lastUsedAt)
    #expect(second.milliseconds - first.milliseconds == 2 * 3_600_000 - 1000)
  }

  @Test func `whoever holds the library's lock keeps nobody out`() throws {
    let secret = try library.tokens.add("phone").secret
    let lock = open(folder.file("library/lock"), O_RDWR)
    defer { close(lock) }
    #expect(flock(lock, LOCK_EX) == 0)
    let tokens = library.tokens
    let written = try text()
    #expect(try tokens.holder(of: secret) != nil)
    #expect(try text() == written)
    #expect(flock(lock, LOCK_UN) == 0)
    clock.pass(hours: 1)
    #expect(try tokens.holder(of: secret) != nil)
    #expect(try text() != written)
  }

  // MARK: Sessions

  @Test func `a session that was used under a clock that was ahead lasts no longer than others`()
    throws
  {
    let tokens = library.tokens
    let token = try tokens.add("phone").token.id
    let future = try clock.at(#require(RecordedTime("2036-01-01T12:00Z"))) {
      try tokens.beginSession(token)
    }
    #expect(try tokens.session(of: future) != nil)
    clock.pass(hours: 24 * 90 + 1)
    #expect(try tokens.session(of: future) == nil)
  }

  @Test func `a clock that was ahead ends no session`() throws {
    let tokens = library.tokens
    let token = try tokens.add("phone").token.id
    let session = try tokens.beginSession(token)
    try clock.at(#require(RecordedTime("2036-01-01T12:00Z"))) {
      #expect(try tokens.session(of: session) == nil)
      // Signing in under it does not remove the others.
      _ = try tokens.beginSession(token)
    }
    #expect(try tokens.session(of: session) != nil)
    // Of too many, one that is over goes first, and a use in the future is one now.
    clock.pass(hours: 24 * 91)
    let kept = try tokens.beginSession(token)
    for _ in 0..<98 { _ = try tokens.beginSession(token) }
    #expect(try tokens.session(of: kept) != nil)
    #expect(try text().components(separatedBy: "beganAt").count == 101)
  }

  @Test func `a session lasts ninety days after it was last used`() throws {
    let tokens = library.tokens
    let token = try tokens.add("phone").token
    let secret = try tokens.beginSession(token.id)
    #expect(secret.hasPrefix("leaflog_session_"))
    for _ in 0..<3 {
      clock.pass(hours: 24 * 90)
      #expect(try tokens.session(of: secret)?.token.id == token.id)
    }
    #expect(try tokens.holder(of: secret) == nil)  // a session's secret is no token's
    clock.pass(hours: 24 * 90 + 1)
    #expect(try tokens.session(of: secret) == nil)
    let next = try tokens.beginSession(token.id)
    // The one that is over stays, as the clock may be ahead.
    #expect(try text().components(separatedBy: "beganAt").count == 3)
    try tokens.endSession("leaflog_session_x")
    #expect(try tokens.session(of: next) != nil)
    try tokens.endSession(next)
    #expect(try tokens.session(of: next) == nil)
  }

  @Test func `a session ends with its token`() throws {
    let tokens = library.tokens
    let (first, second) = try (tokens.add("phone").token, tokens.add("tablet").token)
    let sessions = try (tokens.beginSession(first.id), tokens.beginSession(second.id))
    try tokens.revoke(matching: "phone")
    #expect(try tokens.session(of: sessions.0) == nil)
    #expect(try tokens.session(of: sessions.1)?.token.name == "tablet")
    let error = #expect(throws: LeaflogError.self) { _ = try tokens.beginSession(first.id) }
    #expect(error?.code == .notFound)
  }

  @Test func `a token has so many sessions, and the one used least recently ends`() throws {
    let tokens = library.tokens
    let token = try tokens.add("phone").token
    let first = try tokens.beginSession(token.id)
    clock.pass(hours: 1)
    let second = try tokens.beginSession(token.id)
    clock.pass(hours: 1)
    #expect(try tokens.session(of: first) != nil)
    for _ in 0..<99 { _ = try tokens.beginSession(token.id) }
    #expect(try tokens.session(of: second) == nil)
    #expect(try tokens.session(of: first) != nil)
  }

  // MARK: The file

  @Test(arguments: [
    "", "{}", "null", "[]", #"{"format":1,"tokens":[{}],"sessions":[]}"#, "\u{0}",
    #"{"format":1,"tokens":[{"id":"a","name":"b","digest":"c","createdAt":1}],"sessions":[]}"#,
  ])
  func `a damaged file lets nobody in, and is not written over`(damaged: String) throws {
    let tokens = library.tokens
    let secret = try tokens.add("phone").secret
    try damaged.write(toFile: path, atomically: true, encoding: .utf8)
    for call in [
      { _ = try tokens.holder(of: secret) }, { _ = try tokens.session(of: secret) },
      { _ = try tokens.all() }, { _ = try tokens.add("tablet") },
    ] {
      let error = #expect(throws: LeaflogError.self) { try call() }
      #expect(error?.code == .damaged)
      #expect(error?.message.contains(folder.path) == false)
    }
    #expect(try text() == damaged)
    try FileManager.default.removeItem(atPath: path)
    #expect(try tokens.holder(of: secret) == nil)
  }

  @Test func `a file of an earlier version is written in the form of this one`() throws {
    let tokens = library.tokens
    _ = try tokens.add("phone")
    let older = try text().replacing(#""format":2"#, with: #""format":1"#)
      .replacing(/,"sha256":"[0-9a-f]*"/, with: "")
    try older.write(toFile: path, atomically: true, encoding: .utf8)
    _ = try tokens.add("camera", grant: AccessGrant(AccessScope(.send)))
    #expect(try text().contains(#""format":2"#))
    #expect(try tokens.all().map(\.scope.extent) == [.send, .everything])
  }

  @Test func `a calendar ends with its last day`() throws {
    let grant = AccessGrant(.everything, until: library.today.advanced(by: -1))
    let ended = try library.tokens.add("a", calendar: .care, grant: grant).secret
    let other = try library.tokens.add("b", calendar: .care).secret
    #expect(try library.tokens.calendar(of: ended) == nil)
    #expect(try library.tokens.calendar(of: other) == .care)
  }

  @Test func `a newer file lets nobody in`() throws {
    let tokens = library.tokens
    let secret = try tokens.add("phone").secret
    let newer = try text().replacing(#""format":2"#, with: #""format":3"#)
      .replacing(/,"sha256":"[0-9a-f]*"/, with: "")
    try newer.write(toFile: path, atomically: true, encoding: .utf8)
    let error = #expect(throws: LeaflogError.self) { _ = try tokens.holder(of: secret) }
    #expect(error?.code == .tooNew)
  }

  @Test func `times that no clock has end no process`() throws {
    let tokens = library.tokens
    let token = try tokens.add("phone")
    let session = try tokens.beginSession(token.token.id)
    for number in ["-9223372036854775808", "9223372036854775807"] {
      let changed = try text().replacing(/"lastUsedAt":-?\d+/, with: "\"lastUsedAt\":\(number)")
        .replacing(/,"sha256":"[0-9a-f]*"/, with: "")
      try changed.write(toFile: path, atomically: true, encoding: .utf8)
      #expect(try (tokens.session(of: session) == nil) == number.hasPrefix("-"))
      #expect(try tokens.holder(of: token.secret) != nil)
    }
  }
}
