import ArgumentParser
internal import Foundation
internal import Leaflog

/// `leaflog serve install`
struct ServeInstall: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "install", abstract: "Write a unit by which systemd runs the service.",
    discussion: """
      It is written for this library and with these options of `leaflog serve`, into the folder of your own units. The \
      service may write to the library then, and to the folders of the setting service.folders, and nowhere else: \
      write the unit again when they change.
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
        .conflict, "\(path) is there, and is another one. --yes replaces it.")
    }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
  }
}
