import Foundation
import PackagePlugin

/// Embeds the non-Swift files of a target in the program, so that it is a single file that can be copied anywhere.
/// They are looked up by their paths in the target's folder.
@main
struct EmbedFiles: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let folder = target.directoryURL.path(percentEncoded: false)
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { $0.contains(".") && !$0.hasSuffix(".swift") && !$0.hasSuffix(".py") }.sorted()
    let files = names.map { target.directoryURL.appending(path: $0) }
    let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFiles.swift")
    return [
      .buildCommand(
        displayName: "Embedding \(files.count) files of \(target.name)",
        executable: try context.tool(named: "FileEmbedder").url,
        arguments: [output.path(percentEncoded: false), folder] + names, inputFiles: files,
        outputFiles: [output])
    ]
  }
}
