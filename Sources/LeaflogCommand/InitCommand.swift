import ArgumentParser
internal import Foundation
internal import Leaflog

/// `leaflog init`
struct InitCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Make a library.",
    discussion: "A first `leaflog import` does it too, with the defaults.")

  @Argument(
    help: "The folder; where commands look by default, when left out.", completion: .directory)
  var directory: String?

  @Option(help: "How photos are kept: compact, lossless or exact.")
  var policy = StoragePolicy.compact

  @Option(help: "The zone of photos that do not say theirs, e.g. Europe/Berlin.")
  var timeZone: TimeZoneArgument?

  @OptionGroup var store: StoreOptions

  @OptionGroup var global: GlobalOptions

  private struct Made: Encodable {
    let path: String
    let policy: String
    let timeZone: String
    let store: String?
  }

  func run(in context: CommandContext) throws {
    let settings = Library.Settings(
      policy: policy, timeZone: timeZone?.zone ?? context.process.timeZone(),
      store: try store.settings(in: context))
    let library = try context.createLibrary(
      at: directory.map(context.path) ?? context.libraryPath, settings)
    defer { try? library.close() }
    if global.json {
      context.output.print(
        json: Made(
          path: library.path, policy: library.policy.rawValue,
          timeZone: library.timeZone.identifier, store: library.store.address))
    } else if !global.quiet {
      context.output.print(
        "Made a library in \(library.path) (\(library.policy.rawValue), "
          + "\(library.timeZone.identifier)"
          + (library.store.address.map { ", photos in \($0)" } ?? "") + ").")
    }
  }
}
