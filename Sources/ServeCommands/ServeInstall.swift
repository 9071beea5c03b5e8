import ArgumentParser
internal import Fields
internal import Foundation
internal import Glibc
internal import Leaflog
internal import LeaflogCommand
internal import LeaflogServer

/// The service manager that a unit is for.
struct UnitOptions: ParsableArguments {
  @Flag(help: "For the machine's service manager instead of your own.")
  var system = false

  @Option(
    help: ArgumentHelp("With --system, the user that the service runs as.", valueName: "name"))
  var user: String?

  func validate() throws {
    guard system == (user != nil) else {
      throw ValidationError("--system and --user must be used together.")
    }
    if let user, user.wholeMatch(of: /[A-Za-z0-9_][A-Za-z0-9_.-]*/) == nil {
      throw ValidationError("--user takes the name of a user, not \(user).")
    }
  }

  var manager: ServiceUnit.Manager { user.map { .ofMachine(user: $0) } ?? .ofUser }
}

extension CommandContext {
  /// The user's folder for configuration.
  fileprivate var configuration: String {
    process.baseFolder("XDG_CONFIG_HOME", standard: ".config")
  }
}

/// A unit's file, and the commands to run next.
private struct UnitDocument: Shown {
  let unit: String
  let next: [String]

  static let shown = Fields<UnitDocument>([
    Field(adding: "unit", .text) { $0.unit }, Field(adding: "next", .texts) { $0.next },
  ])
}

extension ServiceUnit.Packaged: ExpressibleByArgument {}

/// `leaflog serve install`
struct ServeInstall: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "install", abstract: "Install a systemd unit for the service.",
    discussion: """
      The unit is for this library and these options of `leaflog serve`, and is written to the folder \
      of your user units, or with --system to /etc/systemd/system. The service can then write only to the \
      library and to the folders in the setting service.folders: install it again when they change.
      """)

  @OptionGroup var unit: UnitOptions
  @OptionGroup var service: ServiceOptions

  @Option(help: ArgumentHelp("Print the unit of a package.", visibility: .hidden))
  var printPackaged: ServiceUnit.Packaged?

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    if let printPackaged {
      let unit = ServiceUnit.packaged(for: printPackaged, command: "/usr/bin/leaflog")
      return context.output.print(String(unit.text.dropLast()))
    }
    let manager = unit.manager
    if case .ofMachine(let user) = manager, getpwnam(user) == nil {
      throw LeaflogError(.notFound, "This machine has no user \(user).")
    }
    let library = try context.openLibrary(for: .reading)
    let folders = try library.settings.value(of: .serviceFolders).split(separator: ":")
    let socketFolder = service.options(context).socket.map {
      URL(fileURLWithPath: $0).deletingLastPathComponent().path
    }
    let unit = ServiceUnit(
      for: manager,
      command: [context.process.executable, "serve", "--library", library.path]
        + service.arguments(context),
      place: .library(
        library.path, folders: folders.map(String.init) + [socketFolder].compactMap(\.self)),
      port: service.socket == nil ? service.port : nil)
    let path = unit.path(context.configuration)
    try write(unit.text, to: path, in: manager.folder(context.configuration))
    let next = [
      manager.control("daemon-reload"), manager.control("enable --now \(unit.name)"),
    ]
    if global.json { return context.output.print(json: UnitDocument(unit: path, next: next)) }
    guard !global.quiet else { return }
    context.output.print("Wrote \(path)")
    context.output.print("Start it: \(next.joined(separator: " && "))")
    if manager == .ofUser {
      context.output.print("Keep it running while you are not logged in: loginctl enable-linger")
    }
    if service.options(context).requiresToken, try !library.tokens.isAnyOfService() {
      context.error.print("It needs a token to start: `leaflog token add NAME` adds one.")
    }
  }

  private func write(_ text: String, to path: String, in folder: String) throws {
    if let there = FileManager.default.contents(atPath: path), there != Data(text.utf8),
      !global.yes
    {
      throw LeaflogError(
        .conflict, "\(path) already exists and differs. Use --yes to replace it.")
    }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
  }
}

/// `leaflog serve uninstall`
struct ServeUninstall: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "uninstall", abstract: "Remove the systemd unit of the service.",
    discussion: """
      Removes what `leaflog serve install` has written. The library stays, and a running service runs until it is \
      stopped.
      """)

  @OptionGroup var unit: UnitOptions
  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let manager = unit.manager
    let path = manager.path(context.configuration)
    guard FileManager.default.fileExists(atPath: path) else {
      throw LeaflogError(.notFound, "There is no \(path).")
    }
    // As `systemctl disable` does, which would not find the unit any more.
    let link = manager.enablementLink(context.configuration)
    if (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) != nil {
      try FileManager.default.removeItem(atPath: link)
    }
    try FileManager.default.removeItem(atPath: path)
    let name = URL(fileURLWithPath: path).lastPathComponent
    let next = [manager.control("stop \(name)"), manager.control("daemon-reload")]
    if global.json { return context.output.print(json: UnitDocument(unit: path, next: next)) }
    guard !global.quiet else { return }
    context.output.print("Removed \(path)")
    context.output.print("Stop it: \(next.joined(separator: " && "))")
  }
}
