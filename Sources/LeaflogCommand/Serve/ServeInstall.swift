import ArgumentParser
internal import Foundation
internal import Leaflog

/// `leaflog serve install`
struct ServeInstall: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "install", abstract: "Install a systemd unit for the service.",
    discussion: """
      The unit is for this library and these options of `leaflog serve`, and is written to the folder \
      of your user units. The service can then write only to the library and to the folders in the \
      setting service.folders: install it again when they change.
      """)

  @OptionGroup var service: ServiceOptions
  @OptionGroup var global: GlobalOptions

  private struct Document: Encodable {
    let unit: String
    let next: [String]
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let folders = try library.settings.value(of: .serviceFolders).split(separator: ":")
    let unit = ServiceUnit(
      command: [context.process.executable, "serve", "--library", library.path]
        + service.arguments(context),
      library: library.path, folders: folders.map(String.init))
    let folder =
      context.process.baseFolder("XDG_CONFIG_HOME", standard: ".config") + "/systemd/user"
    let path = "\(folder)/\(ServiceUnit.name)"
    try write(unit.text, to: path, in: folder)
    let next = [
      "systemctl --user daemon-reload", "systemctl --user enable --now \(ServiceUnit.name)",
    ]
    if global.json { return context.output.print(json: Document(unit: path, next: next)) }
    guard !global.quiet else { return }
    context.output.print("Wrote \(path)")
    context.output.print("Start it: \(next.joined(separator: " && "))")
    context.output.print("Keep it running while you are not logged in: loginctl enable-linger")
    if service.options(context).requiresToken, try library.tokens.all().isEmpty {
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
