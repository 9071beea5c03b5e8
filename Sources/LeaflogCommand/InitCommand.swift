import ArgumentParser
internal import Foundation
internal import Leaflog

/// `leaflog init`
struct InitCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Create a library.",
    discussion: "The first `leaflog import` also creates one, with default settings.")

  @Argument(
    help: "The folder. Default: where commands look for the library.", completion: .directory)
  var directory: String?

  @Option(help: "How to store photos: compact, lossless or exact.")
  var policy = StoragePolicy.compact

  @Option(help: "The time zone of photos that do not record one, e.g. Europe/Berlin.")
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
      policy: policy, timeZone: try timeZone?.zone ?? context.process.timeZone(),
      isTimeZoneGuess: timeZone == nil,
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
        "Created a library in \(library.path) (\(library.policy.rawValue), "
          + "\(library.timeZone.identifier)"
          + (library.store.address.map { ", photos in \($0)" } ?? "") + ").")
    }
  }
}
