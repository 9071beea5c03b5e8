import ArgumentParser
internal import Foundation
internal import Leaflog
internal import LeaflogServer

/// `leaflog open`
struct OpenCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "open", abstract: "Open the diary in the browser.",
    discussion: """
      Opens the library's running service. If none is running, this command serves the library to \
      this machine until Ctrl-C, like `leaflog serve`.
      """)

  @OptionGroup var service: ServiceOptions
  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) async throws {
    if let address = ServiceAddressFile(of: try context.openLibrary(for: .reading)).read(),
      await ServiceProbe.isListening(at: address)
    {
      context.output.print("Leaflog is at \(address).")
      return await show(address, context)
    }
    var serve = ServeCommand()
    (serve.service, serve.global) = (service, global)
    try await serve.run(in: context) { address in Task { await show(address, context) } }
  }

  /// Opens the system's browser (xdg-open(1)), or prints the address of the diary.
  private func show(_ address: String, _ context: CommandContext) async {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["xdg-open", address]
    process.environment = context.process.environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let isOpen = await withCheckedContinuation { continuation in
      process.terminationHandler = { continuation.resume(returning: $0.terminationStatus == 0) }
      do { try process.run() } catch { continuation.resume(returning: false) }
    }
    if !isOpen, !global.quiet {
      context.error.print("Could not open a browser. Open \(address) yourself.")
    }
  }
}
