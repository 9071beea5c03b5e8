internal import Glibc

/// The systemd unit of the service.
///
/// systemd.service(5), systemd.exec(5).
package struct ServiceUnit: Sendable, Hashable {
  /// Where it runs.
  package enum Manager: Sendable, Hashable {
    /// In the service manager of the user that it is written by.
    case ofUser
    /// In the machine's, as that user.
    case ofMachine(user: String)
  }

  /// The library that the service serves.
  package enum Place: Sendable, Hashable {
    /// The one at an absolute path. Nothing else can be written to but the folders, which jobs may write to.
    case library(String, folders: [String] = [])
    /// The user's, wherever the environment and the standard folders have it. The folders of the system are read-only.
    case ofUser
  }

  package let manager: Manager
  /// The contents of the file.
  package let text: String

  /// The unit that a package installs: of a user's manager, or the template for the users of a machine.
  ///
  /// - Parameter command: the absolute path of the `leaflog` command.
  package static func packaged(for manager: Packaged, command: String) -> Self {
    Self(
      for: manager == .user ? .ofUser : .ofMachine(user: "%i"), command: [command, "serve"],
      place: .ofUser)
  }

  /// The service managers that a package has a unit for.
  package enum Packaged: String, CaseIterable, Sendable { case user, machine }

  /// - Parameters:
  ///   - command: the absolute path of the `leaflog` command and its arguments.
  ///   - port: the one that it listens on; nil for none.
  package init(
    for manager: Manager = .ofUser, command: [String], place: Place, port: Int? = nil
  ) {
    self.manager = manager
    let words = command.map(SystemdWord.ofCommand).joined(separator: " ")
    text = """
      [Unit]
      Description=Leaflog, a photo diary of growing things
      \(place.documentation)\(manager.order(place))StartLimitIntervalSec=0

      [Service]
      Type=notify
      ExecStart=\(words)
      \(manager.user)Restart=on-failure
      RestartSec=10
      RestartPreventExitStatus=64
      TimeoutStopSec=15
      NoNewPrivileges=yes
      \(place.protection)
      RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
      RestrictNamespaces=yes
      RestrictRealtime=yes
      RestrictSUIDSGID=yes
      MemoryDenyWriteExecute=yes
      Environment=VIPS_NOVECTOR=1
      LockPersonality=yes
      SystemCallArchitectures=native
      SystemCallFilter=@system-service
      SystemCallFilter=~@privileged
      SystemCallErrorNumber=EPERM
      \(manager.protection(of: place, isPrivileged: port.map { (1..<1024).contains($0) } ?? false))
      [Install]
      WantedBy=\(manager.target)

      """
  }

  /// The name of the file. One for a user of the machine takes the place of a template of the same name.
  package var name: String { manager.unit }

  /// The path of the file.
  ///
  /// - Parameter configuration: the user's folder for configuration.
  package func path(_ configuration: String) -> String { manager.path(configuration) }
}

extension ServiceUnit.Place {
  fileprivate var documentation: String {
    switch self {
    case .library: ""
    case .ofUser: "Documentation=man:leaflog-serve(1)\n"
    }
  }

  /// Lines about what can be written to.
  fileprivate var protection: String {
    switch self {
    case .ofUser: "ProtectSystem=full\nPrivateTmp=yes"
    case .library(let library, let folders):
      """
      ProtectSystem=strict
      ReadWritePaths=\(Self.writablePaths(library, folders))
      PrivateTmp=\(Self.isTemporary(library) ? "no" : "yes")
      """
    }
  }

  /// A path with a dash may be missing.
  private static func writablePaths(_ library: String, _ folders: [String]) -> String {
    ([SystemdWord.quoted(library)] + folders.map { SystemdWord.quoted("-" + $0) })
      .joined(separator: " ")
  }

  /// A private /tmp would hide a library in the real one.
  private static func isTemporary(_ library: String) -> Bool {
    ["/tmp/", "/var/tmp/"].contains(where: library.hasPrefix)
  }
}

extension ServiceUnit.Manager {
  var unit: String {
    switch self {
    case .ofUser: "leaflog.service"
    case .ofMachine(let user): "leaflog@\(user).service"
    }
  }

  /// The folder of units that an administrator, or the user, writes (systemd.unit(5)).
  package func folder(_ configuration: String) -> String {
    switch self {
    case .ofUser: configuration + "/systemd/user"
    case .ofMachine: "/etc/systemd/system"
    }
  }

  package func path(_ configuration: String) -> String { "\(folder(configuration))/\(unit)" }

  /// The link by which the unit is started with the machine, or with the user.
  package func enablementLink(_ configuration: String) -> String {
    "\(folder(configuration))/\(target).wants/\(unit)"
  }

  /// A command of systemd about the unit.
  package func control(_ words: String) -> String {
    switch self {
    case .ofUser: "systemctl --user \(words)"
    case .ofMachine: "systemctl \(words)"
    }
  }

  fileprivate var target: String {
    switch self {
    case .ofUser: "default.target"
    case .ofMachine: "multi-user.target"
    }
  }

  /// Lines about what has to be there first; a user's manager knows neither the network nor the mounts.
  fileprivate func order(_ place: ServiceUnit.Place) -> String {
    guard case .ofMachine = self else { return "" }
    let network = "After=network-online.target\nWants=network-online.target\n"
    switch place {
    case .library(let library, _):
      return network + "RequiresMountsFor=\(SystemdWord.quoted(library))\n"
    case .ofUser: return network
    }
  }

  fileprivate var user: String {
    switch self {
    case .ofUser: ""
    case .ofMachine(let user): "User=\(user)\n"
    }
  }

  /// Lines about privileges, most of which only the machine's manager may carry out.
  ///
  /// - Parameter isPrivileged: whether the service listens on a port that needs a privilege (capabilities(7)), which counts
  ///   for nothing in a user namespace of its own.
  fileprivate func protection(of place: ServiceUnit.Place, isPrivileged: Bool) -> String {
    switch self {
    case .ofUser: return "PrivateUsers=yes\n"
    case .ofMachine:
      let homes = if case .library = place { "ProtectHome=read-only\n" } else { "" }
      return """
        \(isPrivileged ? "AmbientCapabilities=CAP_NET_BIND_SERVICE" : "PrivateUsers=yes")
        CapabilityBoundingSet=\(isPrivileged ? "CAP_NET_BIND_SERVICE" : "")
        PrivateDevices=yes
        ProtectClock=yes
        ProtectControlGroups=yes
        \(homes)ProtectHostname=yes
        ProtectKernelLogs=yes
        ProtectKernelModules=yes
        ProtectKernelTunables=yes
        ProtectProc=invisible

        """
    }
  }
}

/// The service manager that started this process, if one did (sd_notify(3)).
package struct ServiceManager {
  package enum State {
    case ready
    case stopping
    /// `systemctl status` shows the words until the next start, while it may no longer show the log of the one that failed.
    case failed(String)

    fileprivate var text: String {
      switch self {
      case .ready: "READY=1"
      case .stopping: "STOPPING=1"
      case .failed(let words): "STATUS=" + words.replacing("\n", with: " ")
      }
    }
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
    let text = Array(state.text.utf8)
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
