import Foundation
import TestSupport
import Testing

/// The service as a service manager, a container or a terminal runs it.
@Suite struct UnattendedTests {
  private var fixture: CommandFixture

  init() throws {
    fixture = try CommandFixture()
    try #require(fixture.leaflog("init", "--quiet").status == 0)
  }

  // MARK: Signals

  /// Starts the service, and sends it SIGHUP once it accepts requests, then SIGTERM if it ignores that.
  private static let hangup = """
    mkfifo "$1"
    "$0" serve --port 0 > "$1" &
    exec 3< "$1"; read -r line <&3
    grep SigIgn "/proc/$!/status"
    kill -HUP $!
    if grep -q 'SigIgn.*[13579bdf]$' "/proc/$!/status"; then kill -TERM $!; fi
    wait $!; echo "status $?"
    """

  /// The script with its shell, for env(1). SIGHUP is not ignored, even if a command in this process has had it ignored.
  private var words: [String] {
    [
      "--default-signal=HUP", "/bin/sh", "-c", Self.hangup, Command.executable,
      fixture.folder.file("line"),
    ]
  }

  private static let env = "/usr/bin/env"

  private func isIgnored(_ output: String) throws -> Bool {
    let mask = try #require(output.firstMatch(of: /SigIgn:\s*([0-9a-f]+)/)).1
    return try #require(UInt64(mask, radix: 16)) & 1 == 1
  }

  @Test func `a service ends in order when its terminal is closed`() throws {
    let session = try PseudoTerminal(answer: nil).run(
      fixture.leaflog, words, program: Self.env)
    #expect(try !isIgnored(session.output))
    #expect(session.output.contains("status 0"), "\(session.output)")
  }

  @Test func `without a terminal a service goes on`() throws {
    let result = try fixture.leaflog.start(
      ["--wait", Self.env] + words, program: "/usr/bin/setsid"
    ).wait()
    #expect(try isIgnored(result.output))
    #expect(result.output.contains("status 0"), "\(result.output) \(result.error)")
  }

  @Test func `under nohup a service goes on when its terminal is closed`() throws {
    let words = [Self.env, words[0], "/usr/bin/nohup"] + words.dropFirst()
    let session = try PseudoTerminal(answer: nil).run(
      fixture.leaflog, ["-c", "exec \"$0\" \"$@\" 2> /dev/null < /dev/null | cat"] + words,
      program: "/bin/sh")
    #expect(try isIgnored(session.output))
    #expect(session.output.contains("status 0"), "\(session.output)")
  }

  // MARK: Logs

  /// Runs the command with systemd's journal behind standard error.
  private func startForJournal(_ arguments: String...) throws -> Command.Running {
    try fixture.leaflog.start(
      [
        "-c", #"JOURNAL_STREAM=$(stat -L -c %d:%i /proc/self/fd/2) exec "$0" "$@""#,
        Command.executable,
      ] + arguments, program: "/bin/sh")
  }

  @Test func `errors have their priority in the journal`() throws {
    let failed = try startForJournal("--library", "/nowhere", "timeline").wait()
    #expect(failed.status == 10 && failed.error.hasPrefix("<3>leaflog: "), "\(failed.error)")
    #expect(try fixture.leaflog("show", "0").error.hasPrefix("leaflog: "))
  }

  @Test func `requests are logged without a time in the journal, from a level on`() async throws {
    for (level, isLogged) in [("info", true), ("warning", false)] {
      let running = try startForJournal(
        "serve", "--port", "0", "--log-format", "logfmt", "--log-level", level)
      let port = try #require(running.output.next()?.firstMatch(of: /:(\d+)\//)).1
      _ = try await HTTPExchange(port: try #require(Int(port))).answer("GET", "/healthz")
      #expect(running.interrupt(with: SIGTERM))
      let error = running.wait().error
      #expect(error.contains("<6>level=info message=request") == isLogged, "\(error)")
      #expect(!error.contains("time="))
    }
    #expect(try fixture.leaflog("serve", "--log-level", "loud").status == 64)
  }

  // MARK: The first token

  private func serve(_ secret: String, status: Int32 = 0) throws -> Command.Result {
    let path = try fixture.folder.write(Data(secret.utf8), to: "secret")
    var leaflog = fixture.leaflog
    leaflog.environment["LEAFLOG_FIRST_TOKEN_FILE"] = path
    let running = try leaflog.start(["serve", "--port", "0", "--require-token"])
    if status == 0 {
      _ = try #require(running.output.next())
      #expect(running.interrupt(with: SIGTERM))
    }
    let result = running.wait()
    #expect(result.status == status, "\(result.error)")
    return result
  }

  @Test func `the first secret is read from a file only while there is no token`() async throws {
    let secret = String(repeating: "s3cret-", count: 5)
    #expect(try serve(secret + "\n").error.contains("first"))
    let tokens = try fixture.leaflog("token").output
    #expect(tokens.contains("first"))
    // There is one by now.
    #expect(try serve(String(repeating: "x", count: 40)).error.isEmpty)
    #expect(try fixture.leaflog("token").output.split(separator: "\n").count == 1)
    let running = try fixture.leaflog.start(["serve", "--port", "0", "--require-token"])
    let port = try #require(running.output.next()?.firstMatch(of: /:(\d+)\//)).1
    let exchange = HTTPExchange(port: try #require(Int(port)))
    for (secret, status) in [(secret, 200), (String(repeating: "x", count: 40), 401)] {
      let answer = try await exchange.answer(
        "GET", "/api/v1/timeline", ["Authorization: Bearer \(secret)"])
      #expect(answer.status == status)
    }
    #expect(running.interrupt(with: SIGTERM))
    _ = running.wait()
  }

  @Test func `a first secret that was revoked does not come back, and another one does`() throws {
    let secret = String(repeating: "s3cret-", count: 5)
    #expect(try fixture.leaflog("token", "add", "First", "--calendar", "care").status == 0)
    _ = try serve(secret)
    #expect(try fixture.leaflog("token", "revoke", "first 2").status == 0)
    #expect(try serve(secret, status: 1).error.contains("revoked"))
    _ = try serve(secret + "-new")
  }

  @Test(arguments: [
    String(repeating: "x", count: 31), String(repeating: "x", count: 129), "",
    String(repeating: "x ", count: 20), String(repeating: "ä", count: 40),
  ])
  func `a secret that could be guessed, or not be sent, is refused`(secret: String) throws {
    #expect(try serve(secret, status: 64).error.contains("32"))
    #expect(try !fixture.leaflog("token").output.contains("first"))
  }

  // MARK: Machines

  private static let isRoot = geteuid() == 0 && SmallDisk.isPossible

  @Test(.enabled(if: isRoot, "only root can unmount /proc in a namespace of its own"))
  func `without /proc there is an error`() throws {
    let result = try fixture.leaflog.start(
      ["--mount", "/bin/sh", "-c", #"umount -l /proc && exec "$0" --version"#, Command.executable],
      program: "/usr/bin/unshare"
    ).wait()
    #expect(result.status == 1 && result.error.contains("/proc"), "\(result)")
  }
}

/// What the service tells monitors when its disk is full or cannot be written.
@Suite(.enabled(if: SmallDisk.isPossible, "no file system can be mounted here"))
struct DiskHealthTests {
  private func serve(
    on disk: SmallDisk, _ change: () throws -> Void, _ body: (HTTPExchange) async throws -> Void
  ) async throws {
    let leaflog = Command(library: disk.path + "/library")
    try #require(leaflog("init", "--quiet").status == 0)
    let running = try leaflog.start(["serve", "--port", "0"])
    let port = try #require(running.output.next()?.firstMatch(of: /:(\d+)\//)).1
    try change()
    try await body(HTTPExchange(port: try #require(Int(port))))
    #expect(running.interrupt(with: SIGTERM))
    _ = running.wait()
  }

  @Test(arguments: [("space", true), ("readOnly", false)])
  func `with a disk that is full or cannot be written, the service is healthy and not ready`(
    fault: String, isFull: Bool
  ) async throws {
    let disk = try SmallDisk(size: "16m")
    try await serve(on: disk) {
      if isFull { try disk.fill(butFor: 0) } else { try disk.coverReadOnly() }
    } _: { exchange in
      #expect(try await exchange.answer("GET", "/healthz").status == 200)
      let ready = try await exchange.answer("GET", "/readyz")
      #expect(ready.status == 503)
      #expect(try ready.json["status"] as? String == fault)
      #expect(try await exchange.answer("GET", "/api/v1/timeline").status == 200)
    }
  }
}
