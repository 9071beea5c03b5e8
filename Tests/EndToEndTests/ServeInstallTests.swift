import Foundation
import Glibc
import LeaflogCommand
import TestSupport
import Testing

/// `leaflog serve install`, and what the service tells systemd.
@Suite struct ServeInstallTests {
  private var fixture: CommandFixture

  init() throws {
    fixture = try CommandFixture()
    fixture.leaflog.environment["XDG_CONFIG_HOME"] = fixture.folder.file("config")
    try #require(fixture.leaflog("init", "--quiet").status == 0)
  }

  private var path: String { fixture.folder.file("config/systemd/user/leaflog.service") }

  private func unit() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  @Test func `the unit has the library and the options`() throws {
    try #require(
      fixture.leaflog("settings", "set", "service.folders", "/media/photos:/media/b c").status == 0)
    let document = try fixture.json(
      "serve", "install", "--listen", "0.0.0.0", "--port", "9000", "--host", "a.example",
      "--host", "b.example", "--proxy", "10.0.0.0/8,::1", "--tls-certificate", "/etc/a.pem",
      "--tls-key", "/etc/b.pem", "--memory", "512 MB", "--log-level", "warning", "--require-token",
      "--max-connections", "50", "--log-format", "json")
    #expect(document["unit"] as? String == path)
    #expect(
      (document["next"] as? [String])?.last == "systemctl --user enable --now leaflog.service")
    let lines = try unit().split(separator: "\n").map(String.init)
    let library = fixture.folder.file("library")
    let words = [
      Command.executable, "serve", "--library", library, "--listen", "0.0.0.0", "--port", "9000",
      "--host", "a.example", "--host", "b.example", "--proxy", "10.0.0.0/8,::1",
      "--tls-certificate", "/etc/a.pem", "--tls-key", "/etc/b.pem", "--require-token",
      "--max-connections", "50", "--log-format", "json", "--log-level", "warning", "--memory",
      "512MB",
    ]
    #expect(lines.contains("ExecStart=" + words.map { "\"\($0)\"" }.joined(separator: " ")))
    #expect(
      lines.contains(#"ReadWritePaths="\#(library)" "-/media/photos" "-/media/b c""#))
    for line in [
      "Type=notify", "Restart=on-failure", "TimeoutStopSec=15", "NoNewPrivileges=yes",
      "ProtectSystem=strict", "RestartSec=10", "StartLimitIntervalSec=0",
    ] { #expect(lines.contains(line), "\(line)") }
  }

  @Test(arguments: [
    ["--system"], ["--user", "ada"], ["--system", "--user", "-x"], ["--system", "--user", "a/b"],
    ["--system", "--user", ""],
  ])
  func `a unit of the machine needs a user`(words: [String]) throws {
    for verb in ["install", "uninstall"] {
      #expect(try fixture.leaflog.run(["serve", verb] + words).status == 64)
    }
  }

  @Test func `a user that the machine does not have is refused`() throws {
    let refusal = try fixture.refusal(
      "serve", "install", "--system", "--user", "nobody-of-this-name", status: 1)
    #expect(refusal.code == "notFound")
  }

  @Test func `a unit is removed with the link that starts it, and once`() throws {
    #expect(try fixture.leaflog("serve", "install").status == 0)
    let wants = fixture.folder.file("config/systemd/user/default.target.wants")
    try FileManager.default.createDirectory(atPath: wants, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: wants + "/leaflog.service", withDestinationPath: path)
    let document = try fixture.json("serve", "uninstall")
    #expect(document["unit"] as? String == path)
    #expect(
      document["next"] as? [String] == [
        "systemctl --user stop leaflog.service", "systemctl --user daemon-reload",
      ])
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try FileManager.default.contentsOfDirectory(atPath: wants).isEmpty)
    #expect(try fixture.refusal("serve", "uninstall", status: 1).code == "notFound")
  }

  @Test func `a unit that differs is left alone without --yes`() throws {
    #expect(try fixture.leaflog("serve", "install").status == 0)
    let first = try unit()
    #expect(try fixture.leaflog("serve", "install").status == 0)
    let refusal = try fixture.refusal("serve", "install", "--port", "9000", status: 1)
    #expect(refusal.code == "conflict" && refusal.message.contains("--yes"))
    #expect(try unit() == first)
    #expect(try fixture.leaflog("serve", "install", "--port", "9000", "--yes").status == 0)
    #expect(try unit().contains("9000"))
  }

  @Test func `who forgot the token is told`() throws {
    let arguments = ["serve", "install", "--listen", "0.0.0.0"]
    #expect(try fixture.leaflog.run(arguments).error.contains("leaflog token add"))
    _ = try fixture.leaflog("token", "add", "phone")
    #expect(try fixture.leaflog.run(arguments).error.isEmpty)
    #expect(try fixture.leaflog("serve", "install", "--port", "99999").status == 64)
  }

  private static let systemdAnalyze = "/usr/bin/systemd-analyze"

  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: systemdAnalyze), "needs systemd-analyze"),
    arguments: [8765, 443])
  func `a unit of the machine is protected, and waits for disk and network`(port: Int) throws {
    let folder = try TemporaryFolder()
    let unit = ServiceUnit(
      for: .ofMachine(user: "ada"), command: ["/usr/bin/true", "serve"],
      place: .library("/srv/a b"), port: port)
    #expect(unit.path("/home/ada/.config") == "/etc/systemd/system/leaflog@ada.service")
    let path = folder.file(unit.name)
    try unit.text.write(toFile: path, atomically: true, encoding: .utf8)
    let lines = unit.text.split(separator: "\n")
    for line in [
      "User=ada", #"RequiresMountsFor="/srv/a b""#, "Wants=network-online.target",
      "After=network-online.target", "RestartSec=10", "StartLimitIntervalSec=0",
      "CapabilityBoundingSet=\(port == 443 ? "CAP_NET_BIND_SERVICE" : "")",
    ] { #expect(lines.contains(line[...]), "\(line)") }
    let result = try Command(library: nil).start(
      ["security", "--offline=yes", "--threshold=40", "--no-pager", path],
      program: Self.systemdAnalyze
    ).wait()
    #expect(result.status == 0 && result.output.contains("OK"), "\(result.output.suffix(300))")
  }

  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: systemdAnalyze), "needs systemd-analyze"))
  func `systemd takes the unit as it is written`() throws {
    let folder = try TemporaryFolder()
    let unit = ServiceUnit(
      command: ["/usr/bin/true", "serve", #"a "b" 100% $HOME \x"#],
      place: .library(#"/srv/a "b" 100%"#, folders: ["/media/b c"]))
    let path = folder.file(unit.name)
    try unit.text.write(toFile: path, atomically: true, encoding: .utf8)
    func verify() throws -> String {
      var command = Command(library: nil)
      command.environment["XDG_RUNTIME_DIR"] = folder.path
      return try command.start(
        ["verify", "--user", "--man=no", path], program: Self.systemdAnalyze
      ).wait().error
    }
    let words = try verify()
    #expect(!words.contains(unit.name), "\(words)")
    // It would tell.
    try (unit.text + "[Service]\nProtectSystem=mostly\n").write(
      toFile: path, atomically: true, encoding: .utf8)
    #expect(try verify().contains(unit.name))
  }

  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: systemdAnalyze), "needs systemd-analyze"),
    arguments: ServiceUnit.Packaged.allCases)
  func `a package's unit serves the library of its user, and may write to homes`(
    manager: ServiceUnit.Packaged
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.file(manager == .user ? "leaflog.service" : "leaflog@.service")
    let unit = ServiceUnit.packaged(for: manager, command: "/usr/bin/true")
    try unit.text.write(toFile: path, atomically: true, encoding: .utf8)
    let lines = unit.text.split(separator: "\n")
    for line in [
      #"ExecStart="/usr/bin/true" "serve""#, "ProtectSystem=full", "RestartSec=10",
      "StartLimitIntervalSec=0",
    ] { #expect(lines.contains(line[...]), "\(line)") }
    for word in ["ReadWritePaths", "ProtectHome", "RequiresMountsFor"] {
      #expect(!unit.text.contains(word))
    }
    #expect(lines.contains("User=%i") == (manager == .machine))
    var command = Command(library: nil)
    command.environment["XDG_RUNTIME_DIR"] = folder.path
    let verify = ["verify", "--man=no"] + (manager == .user ? ["--user"] : [])
    let said = try command.start(verify + [path], program: Self.systemdAnalyze).wait().error
    #expect(!said.contains(path), "\(said)")
    let printed = try fixture.leaflog("serve", "install", "--print-packaged", manager.rawValue)
    #expect(
      printed.output == unit.text.replacing("/usr/bin/true", with: "/usr/bin/leaflog"))
  }

  @Test func `systemd hears when the service is ready, when it stops, and why it did not start`()
    throws
  {
    // The path of a socket is short.
    let path = "/tmp/leaflog-\(UUID().uuidString.prefix(8))"
    defer { unlink(path) }
    let socket = try DatagramSocket(path: path)
    var command = fixture.leaflog
    command.environment["NOTIFY_SOCKET"] = path
    let running = try command.start(["serve", "--port", "0"])
    #expect(try socket.receive() == "READY=1")
    #expect(running.output.next()?.contains("http://127.0.0.1:") == true)
    #expect(running.interrupt(with: SIGTERM))
    #expect(try socket.receive() == "STOPPING=1")
    #expect(running.wait().status == 0)
    command.library = fixture.folder.file("none")
    #expect(try command.start(["serve", "--port", "0"]).wait().status == 10)
    let status = try socket.receive()
    #expect(status.hasPrefix("STATUS=There is no Leaflog library at "))
    #expect(status.contains("`leaflog init`"))
  }
}

/// A socket that receives datagrams at a path.
private final class DatagramSocket {
  private let descriptor: CInt

  init(path: String) throws {
    descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    // A test that waits in vain fails.
    var patience = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    guard isBound else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
  }

  deinit { close(descriptor) }

  func receive() throws -> String {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    return String(decoding: buffer[..<count], as: UTF8.self)
  }
}
