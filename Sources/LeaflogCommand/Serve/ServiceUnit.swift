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
