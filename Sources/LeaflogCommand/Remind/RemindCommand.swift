import ArgumentParser
internal import Foundation
internal import Leaflog

/// `leaflog remind`
struct RemindCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remind", abstract: "Be reminded at the end of the day of what is missing.",
    discussion: "`leaflog settings set reminder.parts 'log, mood'` says what is looked at.",
    subcommands: [
      RemindShow.self, RemindSet.self, RemindOff.self, RemindInstall.self, RemindNotify.self,
    ], defaultSubcommand: RemindShow.self)
}

/// A reminder in JSON and as text.
private struct ReminderDocument: Encodable {
  let enabled: Bool
  let time: String
  let parts: [String]
  let installed: Bool

  init(_ reminder: Reminder, of library: Library) throws {
    enabled = reminder.isOn
    time = reminder.time
    parts = ReminderPart.allCases.filter(reminder.parts.contains).map(\.rawValue)
    installed = try ReminderFolder.isWritten(for: library)
  }

  func tell(_ options: GlobalOptions) {
    if options.json { return Output.result(JSON.line(self)) }
    guard !options.quiet else { return }
    Output.result(
      enabled ? "On, every day at \(time): \(parts.joined(separator: ", "))." : "Off.")
    if enabled, !installed {
      Output.result("`leaflog remind install` makes systemd remind you on this machine.")
    }
  }
}

/// Where the units of systemd lie.
private enum ReminderFolder {
  static var path: String {
    let environment = ProcessInfo.processInfo.environment
    let base = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (base ?? NSHomeDirectory() + "/.config") + "/systemd/user"
  }

  /// Whether the timer that lies there is this library's: there is one, for one of them.
  static func isWritten(for library: Library) throws -> Bool {
    guard FileManager.default.fileExists(atPath: path(of: ".timer")),
      let service = FileManager.default.contents(atPath: path(of: ".service"))
    else { return false }
    let units = ReminderUnits(time: "", command: executable, library: library.path)
    let last = units.service.split(separator: "\" \"").last.map(String.init) ?? ""
    return String(decoding: service, as: UTF8.self).hasSuffix("\" \"" + last)
  }

  static func path(of suffix: String) -> String { "\(path)/\(ReminderUnits.name)\(suffix)" }

  static func write(_ reminder: Reminder, for library: Library) throws {
    let units = ReminderUnits(
      time: reminder.time, command: executable, library: library.path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for (suffix, text) in [(".service", units.service), (".timer", units.timer)] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path(of: suffix)), options: .atomic)
    }
  }

  /// This program. What is not Linux has no `/proc`, and no systemd.
  private static var executable: String {
    let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return link ?? CommandLine.arguments[0]
  }
}

/// `leaflog remind show`
struct RemindShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "When you are reminded.")

  @OptionGroup var global: GlobalOptions

  func run() throws {
    let library = try global.openLibrary(for: .reading)
    try ReminderDocument(library.reminder(), of: library).tell(global)
  }
}

/// `leaflog remind set`
struct RemindSet: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Be reminded at this time of day.")

  @Argument(help: "A time of day: 20:00.")
  var time: String

  @OptionGroup var global: GlobalOptions

  func run() throws {
    let library = try global.openLibrary(for: .writing)
    try library.set(.reminderTime, to: time)
    try library.set(.reminder, to: "on")
    let document = try ReminderDocument(library.reminder(), of: library)
    // A timer that is there has the old time.
    if document.installed { try ReminderFolder.write(try library.reminder(), for: library) }
    document.tell(global)
    if document.installed, !global.quiet {
      Output.error("systemctl --user daemon-reload makes systemd read the new time.")
    }
  }
}

/// `leaflog remind off`
struct RemindOff: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "off", abstract: "Do not be reminded; `remind set 20:00` turns it on again.")

  @OptionGroup var global: GlobalOptions

  func run() throws {
    let library = try global.openLibrary(for: .writing)
    try library.set(.reminder, to: "off")
    try ReminderDocument(library.reminder(), of: library).tell(global)
  }
}

/// `leaflog remind install`
struct RemindInstall: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "install", abstract: "Write a timer for systemd that calls notify-send.",
    discussion: """
      It is written for this library, into the folder of your own units. `leaflog export ics` makes a \
      calendar with alarms for phones.
      """)

  @OptionGroup var global: GlobalOptions

  private struct Document: Encodable {
    let timer: String
    let service: String
    let next: String
  }

  func run() throws {
    let library = try global.openLibrary(for: .reading)
    try ReminderFolder.write(try library.reminder(), for: library)
    let document = Document(
      timer: ReminderFolder.path(of: ".timer"), service: ReminderFolder.path(of: ".service"),
      next: "systemctl --user daemon-reload && systemctl --user enable --now "
        + "\(ReminderUnits.name).timer")
    if global.json { return Output.result(JSON.line(document)) }
    guard !global.quiet else { return }
    Output.result("Wrote \(document.timer)\nand   \(document.service)")
    Output.result("Start it: \(document.next)")
  }
}

/// `leaflog remind notify`
struct RemindNotify: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "notify", abstract: "What is still missing today; nothing when nothing is.")

  @OptionGroup var global: GlobalOptions

  func run() throws {
    let library = try global.openLibrary(for: .reading)
    let reminder = try library.reminder()
    let missing = reminder.isOn ? try library.today(library.today).missing(of: reminder.parts) : []
    if global.json { return Output.result(JSON.line(["missing": missing])) }
    guard !missing.isEmpty else { return }
    let text = missing.joined(separator: "; ")
    Output.result(text.prefix(1).uppercased() + text.dropFirst() + ".")
  }
}
