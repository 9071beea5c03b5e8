/// The reminder at the end of the day.
public struct Reminder: Sendable, Hashable {
  public let isOn: Bool
  /// `20:00`, by the clock of the machine that reminds.
  public let time: String
  /// The parts of the diary to check; at least one.
  public let parts: Set<ReminderPart>
}

extension Library {
  /// The reminder's settings.
  public func reminder() throws(LeaflogError) -> Reminder {
    let (isOn, time) = (try value(of: .reminder) == "on", try value(of: .reminderTime))
    let parts = try value(of: .reminderParts)
    return try translating {
      Reminder(isOn: isOn, time: time, parts: try ReminderPart.parts(parts))
    }
  }
}

/// The two systemd units of the reminder: a timer, and the service that it starts.
///
/// systemd.timer(5), systemd.service(5).
public struct ReminderUnits: Sendable, Hashable {
  /// The name of both units, without `.timer` and `.service`.
  public static let name = "leaflog-remind"

  /// The contents of the `.timer` file.
  public let timer: String
  /// The contents of the `.service` file.
  public let service: String

  /// - Parameters:
  ///   - time: of day, `20:00`.
  ///   - command: the absolute path of the `leaflog` command.
  ///   - library: the absolute path of the library.
  public init(time: String, command: String, library: String) {
    timer = """
      [Unit]
      Description=Remind of what the diary still lacks today

      [Timer]
      OnCalendar=*-*-* \(time):00
      AccuracySec=1min

      [Install]
      WantedBy=timers.target

      """
    // No text, no notification. `notify-send` takes a text that begins with a dash for an option.
    let script =
      "text=$(\"$0\" remind notify --library \"$1\") && "
      + "{ test -z \"$text\" || exec notify-send --app-name=Leaflog -- Leaflog \"$text\"; }"
    let words = ["/bin/sh", "-c", script, command, library].map(Self.quoted)
    service = """
      [Unit]
      Description=Remind of what the diary still lacks today

      [Service]
      Type=oneshot
      ExecStart=\(words.joined(separator: " "))

      """
  }

  /// A word of a command line as systemd reads it: `%` and `$` would be replaced.
  private static func quoted(_ word: String) -> String {
    var quoted = "\""
    for scalar in word.unicodeScalars {
      switch scalar {
      case "\"": quoted += #"\""#
      case "\\": quoted += #"\\"#
      case "%": quoted += "%%"
      case "$": quoted += "$$"
      case "\n": quoted += #"\n"#
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
