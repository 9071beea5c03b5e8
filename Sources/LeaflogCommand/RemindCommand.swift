import ArgumentParser
internal import Fields
internal import Foundation
internal import Leaflog

/// `leaflog remind`
struct RemindCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remind",
    abstract: "Get reminded of missing entries at the end of the day.",
    discussion: "`leaflog settings set reminder.parts 'log, mood'` chooses the entries.",
    subcommands: [
      RemindShow.self, RemindSet.self, RemindOff.self, RemindInstall.self, RemindNotify.self,
    ], defaultSubcommand: RemindShow.self)
}

/// A reminder in JSON and as text.
private struct ReminderDocument: Shown {
  let enabled: Bool
  let time: String
  let parts: [ReminderPart]
  let installed: Bool
  let stale: Bool

  static let shown = Fields<ReminderDocument>([
    Field(adding: "enabled", .flag) { $0.enabled }, Field(adding: "time", .text) { $0.time },
    Field(adding: "parts", .choices()) { $0.parts },
    Field(adding: "installed", .flag) { $0.installed },
    // Whether the installed timer has another time or time zone than the library.
    Field(adding: "stale", .flag) { $0.stale },
  ])

  init(of library: Library, _ context: CommandContext) throws {
    let reminder = try library.diary.reminder()
    enabled = reminder.isOn
    time = reminder.time
    parts = ReminderPart.allCases.filter(reminder.parts.contains)
    let folder = ReminderFolder(context.process)
    installed = folder.isWritten(for: library)
    stale = try installed && folder.isStale(for: library)
  }

  func report(_ context: CommandContext) {
    if context.options.json { return context.output.print(json: self) }
    guard !context.options.quiet else { return }
    context.output.print(
      enabled
        ? "On, every day at \(time): \(parts.map(\.rawValue).joined(separator: ", "))." : "Off.")
    if enabled, !installed {
      context.output.print(
        "Run `leaflog remind install` to be reminded on this machine by systemd.")
    }
    if stale { context.error.print(ReminderFolder.staleness) }
  }
}

/// `leaflog remind show`
private struct RemindShow: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show the reminder.")

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    try ReminderDocument(of: library, context).report(context)
  }
}

/// `leaflog remind set`
private struct RemindSet: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Set the time of day of the reminder.")

  @Argument(help: "A time of day: 20:00.")
  var time: String

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .writingSerially)
    try library.settings.set(.reminderTime, to: time)
    try library.settings.set(.reminder, to: "on")
    let follows = ReminderFolder.follow(library, context)
    try ReminderDocument(of: library, context).report(context)
    follows.report(context)
  }
}

/// `leaflog remind off`
private struct RemindOff: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "off", abstract: "Turn the reminder off; `remind set 20:00` turns it on again.")

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .writingSerially)
    try library.settings.set(.reminder, to: "off")
    try ReminderDocument(of: library, context).report(context)
  }
}

/// `leaflog remind install`
private struct RemindInstall: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "install", abstract: "Install a systemd timer that calls notify-send.",
    discussion: """
      The timer is for this library and is written to the folder of your user units. For phones, \
      `leaflog export ics` creates a calendar with alarms.
      """)

  @OptionGroup var global: GlobalOptions

  private struct Document: Shown {
    let timer: String
    let service: String
    let next: String

    static let shown = Fields<Document>([
      Field(adding: "timer", .text) { $0.timer }, Field(adding: "service", .text) { $0.service },
      Field(adding: "next", .text) { $0.next },
    ])
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let folder = ReminderFolder(context.process)
    try folder.write(for: library)
    let document = Document(
      timer: folder.path(of: ".timer"), service: folder.path(of: ".service"),
      next: "systemctl --user daemon-reload && systemctl --user enable --now "
        + "\(ReminderUnits.name).timer")
    if global.json { return context.output.print(json: document) }
    guard !global.quiet else { return }
    context.output.print("Wrote \(document.timer)\nand   \(document.service)")
    context.output.print("Start it: \(document.next)")
  }
}

/// `leaflog remind notify`
private struct RemindNotify: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "notify", abstract: "Print the entries that are still missing today, if any.",
    discussion: """
      With --command, a program gets the text instead, on standard input and in the variable \
      LEAFLOG_REMINDER. It is run by /bin/sh, and only if something is missing:

        --command 'mail -s Leaflog you@example.org'
        --command "curl -fsS -H 'Title: Leaflog' -d @- https://ntfy.sh/TOPIC"

      With these, the names of missing entries and due activities leave this machine.
      """)

  @Option(
    help: ArgumentHelp("Run a program instead of printing.", valueName: "program"))
  var command: String?

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard command?.allSatisfy(\.isWhitespace) == true else { return }
    throw ValidationError("Name a program, such as --command 'mail -s Leaflog you@example.org'.")
  }

  private struct Missing: Shown {
    let clauses: [String]

    static let shown = Fields<Missing>([Field(adding: "missing", .texts) { $0.clauses }])
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let reminder = try library.diary.reminder()
    let folder = ReminderFolder(context.process)
    if try folder.isWritten(for: library) && folder.isStale(for: library) {
      context.error.print(ReminderFolder.staleness)
    }
    let missing =
      reminder.isOn ? try library.diary.today(library.today).missing(of: reminder.parts) : []
    let text = missing.joined(separator: "; ")
    let sentence = text.prefix(1).uppercased() + text.dropFirst() + "."
    if let command, !missing.isEmpty {
      // The program may use the library, too.
      try library.close()
      // Standard output is for JSON alone.
      try ReminderProgram(words: command, output: global.json ? .standardError : .standardOutput)
        .run(sentence, context.process)
    }
    if global.json {
      context.output.print(json: Missing(clauses: missing))
    } else if command == nil, !missing.isEmpty {
      context.output.print(sentence)
    }
  }
}

/// A program of the user's that passes a reminder on.
private struct ReminderProgram {
  /// A command line for /bin/sh.
  let words: String
  /// The program's standard output. Its standard error is that of this process.
  let output: FileHandle

  /// Runs the program, and waits for its end.
  ///
  /// - Parameter sentence: given to it on standard input, followed by a line break, and in `LEAFLOG_REMINDER`.
  /// - Throws: `LeaflogError` with code `failed` when it does not end with status 0.
  func run(_ sentence: String, _ context: ProcessContext) throws(LeaflogError) {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", words]
    process.environment = context.environment.merging(["LEAFLOG_REMINDER": sentence]) { $1 }
    process.currentDirectoryURL = URL(filePath: context.folder, directoryHint: .isDirectory)
    let input = Pipe()
    process.standardInput = input
    process.standardOutput = output
    do { try process.run() } catch {
      throw LeaflogError(.failed, "“\(words)” does not start: \(error.localizedDescription)")
    }
    // While this process can read from the pipe, a program that ends without reading is not noticed.
    try? input.fileHandleForReading.close()
    Self.send(sentence + "\n", to: input.fileHandleForWriting.fileDescriptor)
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
    let status = process.terminationStatus
    guard process.terminationReason == .exit else {
      throw LeaflogError(.failed, "“\(words)” was ended by signal \(status).")
    }
    guard status == 0 else {
      throw LeaflogError(.failed, "“\(words)” failed with status \(status).")
    }
  }

  /// Writes to a pipe. That its program reads only a part, or nothing, is no failure.
  private static func send(_ text: String, to descriptor: CInt) {
    var (pipeSignal, former) = (sigset_t(), sigset_t())
    sigemptyset(&pipeSignal)
    sigaddset(&pipeSignal, SIGPIPE)
    // Not ignored: that would be for the whole process, and for the programs that it starts.
    pthread_sigmask(SIG_BLOCK, &pipeSignal, &former)
    defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EPIPE {
        // The signal was sent to this thread (write(2)), and would end the process as soon as it is no longer blocked.
        var none = timespec()
        sigtimedwait(&pipeSignal, nil, &none)
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}

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

/// The folder of systemd's user units.
struct ReminderFolder {
  /// The outcome of `follow`.
  enum Following {
    /// No timer of the library is installed, or it is right.
    case current
    case rewritten
    case failed(String)

    func report(_ context: CommandContext) {
      switch self {
      case .current: break
      case .rewritten:
        guard !context.options.quiet else { return }
        context.error.print(
          "The reminder's timer was rewritten. Run `systemctl --user daemon-reload` to apply it.")
      case .failed(let reason):
        context.error.print("\(ReminderFolder.staleness) It could not be rewritten: \(reason)")
      }
    }
  }

  /// The message about a timer that does not follow the settings.
  fileprivate static let staleness =
    "The installed timer has another time or time zone than the library. "
    + "Run `leaflog remind install` to rewrite it."

  private let path: String
  /// The path of this program.
  private let executable: String

  init(_ process: ProcessContext) {
    path = process.baseFolder("XDG_CONFIG_HOME", standard: ".config") + "/systemd/user"
    executable = process.executable
  }

  /// Rewrites an installed timer of the library if the settings changed. The change itself is done, so that a failure is
  /// only reported.
  static func follow(_ library: Library, _ context: CommandContext) -> Following {
    let folder = ReminderFolder(context.process)
    do {
      guard try folder.isWritten(for: library) && folder.isStale(for: library) else {
        return .current
      }
      try folder.write(for: library)
      return .rewritten
    } catch {
      return .failed((error as? LeaflogError)?.message ?? error.localizedDescription)
    }
  }

  /// Whether the timer in it is for this library: there is only one, for one library.
  fileprivate func isWritten(for library: Library) -> Bool {
    guard FileManager.default.fileExists(atPath: path(of: ".timer")),
      let service = FileManager.default.contents(atPath: path(of: ".service"))
    else { return false }
    let units = ReminderUnits(time: "", timeZone: "", command: executable, library: library.path)
    let last = units.service.split(separator: "\" \"").last.map(String.init) ?? ""
    return String(decoding: service, as: UTF8.self).hasSuffix("\" \"" + last)
  }

  /// Whether the timer in it has another time or zone than the library's settings.
  fileprivate func isStale(for library: Library) throws -> Bool {
    FileManager.default.contents(atPath: path(of: ".timer"))
      != Data(try units(of: library).timer.utf8)
  }

  func path(of suffix: String) -> String { "\(path)/\(ReminderUnits.name)\(suffix)" }

  func write(for library: Library) throws {
    let units = try units(of: library)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for (suffix, text) in [(".service", units.service), (".timer", units.timer)] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path(of: suffix)), options: .atomic)
    }
  }

  /// The units as the settings are now; `library.timeZone` is that of when it was opened.
  private func units(of library: Library) throws -> ReminderUnits {
    let zone = TimeZone(identifier: try library.settings.value(of: .timeZone)) ?? .gmt
    return ReminderUnits(
      time: try library.diary.reminder().time, timeZone: zone.identifier, command: executable,
      library: library.path)
  }
}
