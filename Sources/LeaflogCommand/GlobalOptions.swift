import ArgumentParser
internal import Foundation
internal import Leaflog

/// What every command understands.
struct GlobalOptions: ParsableArguments {
  @Option(help: "The library's folder.", completion: .directory)
  var library: String?

  @Flag(help: "Print JSON.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print nothing but results and errors.")
  var quiet = false

  @Flag(name: .customLong("no-progress"), help: "Draw no progress bar.")
  var noProgress = false

  @Flag(name: .shortAndLong, help: "Answer every question with yes.")
  var yes = false

  static let flags: Set = ["--json", "--quiet", "-q", "--no-progress", "--yes", "-y"]

  /// The arguments with what everybody understands moved from before the command to behind it, where
  /// the parser looks for it: `leaflog --library DIR import` is as good as `leaflog import --library DIR`.
  static func last(in arguments: some Collection<String>) -> [String] {
    var leading: [String] = []
    var rest = arguments[...]
    while let first = rest.first {
      let count =
        flags.contains(first) || first.hasPrefix("--library=") ? 1 : first == "--library" ? 2 : 0
      guard count > 0, rest.count >= count else { break }
      leading += rest.prefix(count)
      rest = rest.dropFirst(count)
    }
    let end = rest.firstIndex(of: "--") ?? rest.endIndex
    return rest[..<end] + leading + rest[end...]
  }

  /// Where the library is, or would be made.
  var libraryPath: String {
    let environment = ProcessInfo.processInfo.environment
    return library ?? environment["LEAFLOG_LIBRARY"].flatMap { $0.isEmpty ? nil : $0 }
      ?? Self.nearestStorage() ?? Self.dataFolder(environment)
  }

  /// - Throws: with code `noLibrary` when there is none.
  func openLibrary(for access: Library.Access) throws -> Library {
    let library = try Library.open(at: libraryPath, for: access, origin: TypedCommand.text)
    WrittenLibraries.note(library)
    return library
  }

  /// A folder `Storage`, here or above, that holds a library or, in a checkout, the README of one.
  private static func nearestStorage() -> String? {
    var folder = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
    while true {
      let storage = folder.appendingPathComponent("Storage").path
      if Library.exists(at: storage) || isReadmeOfLibrary(storage + "/README.md")
        || Library.lacksMarker(at: storage)
      {
        return storage
      }
      if folder.path == "/" { return nil }
      folder.deleteLastPathComponent()
    }
  }

  private static func isReadmeOfLibrary(_ path: String) -> Bool {
    guard let text = FileManager.default.contents(atPath: path) else { return false }
    return text.starts(with: Data("# A Leaflog library".utf8))
  }

  /// The XDG base directory for data.
  private static func dataFolder(_ environment: [String: String]) -> String {
    let base = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (base ?? NSHomeDirectory() + "/.local/share") + "/leaflog"
  }
}
