import ArgumentParser

/// The options that every command understands.
struct GlobalOptions: ParsableArguments {
  @Option(help: "The library's folder.", completion: .directory)
  var library: String?

  @Flag(help: "Print JSON.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print only results and errors.")
  var quiet = false

  @Flag(name: .customLong("no-progress"), help: "Do not show a progress bar.")
  var noProgress = false

  @Flag(name: .shortAndLong, help: "Answer yes to all questions.")
  var yes = false

  static let flags: Set = ["--json", "--quiet", "-q", "--no-progress", "--yes", "-y"]

  /// The arguments with these options moved from before the command to after it, where the parser looks for them:
  /// `leaflog --library DIR import` is equivalent to `leaflog import --library DIR`.
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
}
