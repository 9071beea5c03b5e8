import ArgumentParser
internal import Foundation
internal import Leaflog
internal import LeaflogServer

/// `leaflog open`
struct OpenCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "open", abstract: "Open the diary in the browser.",
    discussion: """
      The service that runs for the library is opened. Where none runs, this command serves it until Ctrl-C, to \
      this machine alone, as `leaflog serve` does.
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
      context.error.print("No browser could be opened; open \(address) in one.")
    }
  }
}
