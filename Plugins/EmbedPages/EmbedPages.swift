import Foundation
import PackagePlugin

/// Makes the files of the pages a part of the program, so that it is one file that can be copied anywhere.
@main
struct EmbedPages: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let folders = ["Assets", "Templates", "Words"].map { target.directoryURL.appending(path: $0) }
    let files = try folders.flatMap {
      try FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)
    }.sorted { $0.path() < $1.path() }
    let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFiles.swift")
    return [
      .buildCommand(
        displayName: "Embedding \(files.count) files of the pages",
        executable: try context.tool(named: "PageEmbedder").url,
        arguments: [output.path()] + files.map { $0.path() }, inputFiles: files,
        outputFiles: [output])
    ]
  }
}
