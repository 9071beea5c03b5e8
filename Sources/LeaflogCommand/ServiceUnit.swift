internal import Glibc

/// The systemd unit of the service, for a user's own service manager.
///
/// systemd.service(5), systemd.exec(5).
package struct ServiceUnit: Sendable, Hashable {
  package static let name = "leaflog.service"

  /// The contents of the file.
  package let text: String

  /// - Parameters:
  ///   - command: the absolute path of the `leaflog` command and its arguments.
  ///   - library: the absolute path of the library.
  ///   - folders: other folders that jobs may write to.
  package init(command: [String], library: String, folders: [String]) {
    let words = command.map(SystemdWord.ofCommand).joined(separator: " ")
    // A path with a dash may be missing.
    let paths =
      [SystemdWord.quoted(library)] + folders.map { SystemdWord.quoted("-" + $0) }
    // A private /tmp would hide a library in the real one.
    let isTemporary = ["/tmp/", "/var/tmp/"].contains(where: library.hasPrefix)
    text = """
      [Unit]
      Description=Leaflog, a photo diary of growing things
      After=network.target

      [Service]
      Type=notify
      ExecStart=\(words)
      Restart=on-failure
      TimeoutStopSec=15
      NoNewPrivileges=yes
      PrivateUsers=yes
      ProtectSystem=strict
      ReadWritePaths=\(paths.joined(separator: " "))
      PrivateTmp=\(isTemporary ? "no" : "yes")
      RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
      LockPersonality=yes
      SystemCallArchitectures=native

      [Install]
      WantedBy=default.target

      """
  }
}

/// The service manager that started this process, if one did (sd_notify(3)).
package struct ServiceManager {
  package enum State: String {
    case ready = "READY=1"
    case stopping = "STOPPING=1"
  }

  /// The path of its socket; one in the abstract namespace begins with `@`.
  private let path: String

  /// Nil if no service manager is waiting for notifications.
  package init?(_ environment: [String: String]) {
    guard let path = environment["NOTIFY_SOCKET"], path.hasPrefix("/") || path.hasPrefix("@") else {
      return nil
    }
    self.path = path
  }

  /// Notifies the service manager of a state; errors are ignored.
  package func report(_ state: State) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(path.utf8)
    if bytes.first == UInt8(ascii: "@") { bytes[0] = 0 }
    let start = MemoryLayout.offset(of: \sockaddr_un.sun_path) ?? 2
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
    let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let text = Array(state.rawValue.utf8)
    _ = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(
          descriptor, text, text.count, CInt(MSG_NOSIGNAL), $0,
          socklen_t(start + bytes.count))
      }
    }
  }
}

/// Words in the syntax of a systemd unit (systemd.syntax(7), systemd.service(5)).
enum SystemdWord {
  /// A word of a command line, with `%` and `$` escaped.
  static func ofCommand(_ word: String) -> String {
    quoted(word).replacing("$", with: "$$")
  }

  /// A path in a list of paths, with `%` escaped.
  static func quoted(_ word: String) -> String {
    var quoted = "\""
    for scalar in word.unicodeScalars {
      switch scalar {
      case "\"": quoted += #"\""#
      case "\\": quoted += #"\\"#
      case "%": quoted += "%%"
      case "\n": quoted += #"\n"#
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
