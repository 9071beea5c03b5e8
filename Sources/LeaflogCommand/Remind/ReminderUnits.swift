/// The two systemd units of the reminder: a timer, and the service it starts.
///
/// systemd.timer(5), systemd.service(5).
package struct ReminderUnits: Sendable, Hashable {
  /// The name of both units, without `.timer` and `.service`.
  package static let name = "leaflog-remind"

  /// The contents of the `.timer` file.
  package let timer: String
  /// The contents of the `.service` file.
  package let service: String

  /// - Parameters:
  ///   - time: the time of day, `20:00`, in the zone.
  ///   - timeZone: the IANA name of the library's zone.
  ///   - command: the absolute path of the `leaflog` command.
  ///   - library: the absolute path of the library.
  package init(time: String, timeZone: String, command: String, library: String) {
    timer = """
      [Unit]
      Description=Reminder of missing diary entries

      [Timer]
      OnCalendar=*-*-* \(time):00 \(timeZone)
      AccuracySec=1min

      [Install]
      WantedBy=timers.target

      """
    // No text, no notification. `notify-send` treats a text that begins with a dash as an option.
    let script =
      "text=$(\"$0\" remind notify --library \"$1\") && "
      + "{ test -z \"$text\" || exec notify-send --app-name=Leaflog -- Leaflog \"$text\"; }"
    let words = ["/bin/sh", "-c", script, command, library].map(SystemdWord.ofCommand)
    service = """
      [Unit]
      Description=Reminder of missing diary entries

      [Service]
      Type=oneshot
      ExecStart=\(words.joined(separator: " "))

      """
  }
}
