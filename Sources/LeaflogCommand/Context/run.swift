import ArgumentParser
internal import Foundation
internal import Leaflog
internal import Logging

/// Runs the command that the process was started with, and exits.
package func runProgram(_ service: (some ServiceCommands).Type) async -> Never {
  requireProcessTable()
  let process = ProcessContext.current
  Diagnostics.start(process)
  ImportProcess.prepare()
  Library.whenFolderUnsynced { folder in
    process.error.tell(
      "The file system of \(folder) cannot sync folders: a power cut may take the newest files.",
      as: .warning)
  }
  exit(await run(arguments(), of: service, in: process))
}

/// Ends the process with an error where `/proc` is not mounted: Swift reads the arguments from it, and would stop without a
/// word.
private func requireProcessTable() {
  guard access("/proc/self/cmdline", R_OK) != 0 else { return }
  let text = Array("leaflog: /proc is not mounted here, and Leaflog needs it.\n".utf8)
  _ = write(STDERR_FILENO, text, text.count)
  exit(ExitStatus.failed.rawValue)
}

/// The words after the program's name. In one that is no UTF-8, such as a file's name of another system, other bytes are
/// escaped.
private func arguments() -> [String] {
  (1..<max(1, Int(CommandLine.argc))).compactMap { index in
    CommandLine.unsafeArgv[index].map { word in
      String(validatingCString: word)
        ?? FileNameText.text(of: UnsafeRawBufferPointer(start: word, count: strlen(word)))
    }
  }
}

/// Runs a command to completion, and reports any error.
///
/// - Parameter typed: the words after `leaflog`.
/// - Returns: the status to exit with.
package func run<Service: ServiceCommands>(
  _ typed: [String], of service: Service.Type, in process: ProcessContext
) async -> Int32 {
  typealias Root = LeaflogCommand.Root<Service>
  let arguments = GlobalOptions.last(in: typed)
  // The options may not have been parsed.
  let isJSON = typed.contains("--json")
  func report(_ error: LeaflogError) -> Int32 {
    ServiceManager(process.environment)?.report(.failed(error.words))
    return ErrorReport(error: error, isJSON: isJSON).print(to: process.error)
  }
  func misspelling() -> Misspelling? {
    CommandTree(description: Root._dumpHelp()).flatMap { Misspelling(in: arguments, of: $0) }
  }
  do {
    try await runParsed(parse(arguments, Root.self), typed: typed, in: process)
    return ExitStatus.done.rawValue
  } catch let error as LeaflogError {
    // To the parser, `leaflog log shwo` asks for the log with the id `shwo`.
    let mayBeWord = [.invalidRequest, .notFound].contains(error.code)
    if mayBeWord, let slip = misspelling(), slip.isTakenForArgument {
      return report(LeaflogError(.invalidRequest, slip.message))
    }
    return report(error)
  } catch let error as InvalidValue {
    return report(LeaflogError(.invalidRequest, error.description))
  } catch let error as CocoaError {
    return report(LeaflogError(.failed, error.localizedDescription))
  } catch {
    let code = Root.exitCode(for: error)
    if code == .validationFailure {
      if let slip = misspelling() { return report(LeaflogError(.invalidRequest, slip.message)) }
      if isJSON { return report(LeaflogError(.invalidRequest, Root.message(for: error))) }
    }
    // Help, the version, or how a command is used.
    let width = process.output.terminal.width
    var text = HelpText.wrappingUsage(Root.fullMessage(for: error, columns: width), to: width)
    if isJSON, code == .success, text == About.version {
      process.output.print(json: AboutDocument())
      return code.rawValue
    }
    // The parser's own prefix; all other errors begin with the program's name.
    if text.hasPrefix("Error: ") { text = "leaflog: " + text.dropFirst(7) }
    if text.isEmpty { return code.rawValue }
    if code == .success { process.output.print(text) } else { process.error.tell(text, as: .error) }
    return code.rawValue
  }
}

private func runParsed(
  _ parsed: any ParsableCommand, typed: [String], in process: ProcessContext
) async throws {
  var command = parsed
  guard let leaf = command as? any LeaflogSubcommand else { return try command.run() }
  let written = WrittenLibraries()
  process.output.whenUnwritten { written.doneAllTheSame }
  do {
    try await leaf.run(
      in: CommandContext(
        process, leaf.global, typed: TypedCommand.text(typed), written: written))
  } catch {
    _ = written.finish(process.error)
    throw error
  }
  if !written.finish(process.error) { throw ExitStatus.partlyDone.exitCode }
}

/// Parses a command.
///
/// With each further value of an argument, the parser copies those that it has: a shell's pattern for 40,000 photos would
/// take it a minute. So most files of a long list are added to the command afterwards.
private func parse(
  _ arguments: [String], _ root: (some ParsableCommand).Type
) throws -> any ParsableCommand {
  let list = arguments.split { $0.hasPrefix("-") }.max { $0.count < $1.count } ?? []
  // The first may be the command, or the value of an option.
  let others = list.dropFirst(parsedCount)
  let few = arguments[..<others.startIndex] + arguments[others.endIndex...]
  if !others.isEmpty, var command = try? root.parseAsRoot(Array(few)) as? ImportCommand {
    command.paths += others
    return command
  }
  return try root.parseAsRoot(arguments)
}

/// The number of words of a list that are parsed.
private let parsedCount = 100

/// The command as typed, for the history of changes.
private enum TypedCommand {
  private static let maxLength = 500

  /// The words after `leaflog`, quoted for a shell where they need it; nil when there are none.
  static func text(_ arguments: [String]) -> String? {
    let text = words(arguments[...]).map(quoted).joined(separator: " ")
    guard text.count > maxLength else { return text.isEmpty ? nil : text }
    return String(text.prefix(maxLength - 1)) + "…"
  }

  /// The words without the global options: where the library is, what to print, whether to ask.
  private static func words(_ arguments: ArraySlice<String>) -> [String] {
    var rest = arguments
    var words: [String] = []
    while let word = rest.popFirst() {
      if word == "--" { return words + [word] + rest }
      if word == "--library" {
        rest = rest.dropFirst()
      } else if !isGlobal(word) {
        words.append(word)
      }
    }
    return words
  }

  private static func isGlobal(_ word: String) -> Bool {
    if GlobalOptions.flags.contains(word) || word.hasPrefix("--library=") { return true }
    // Short flags may be joined.
    return word.count > 1 && word.first == "-" && word.dropFirst().allSatisfy { "qy".contains($0) }
  }

  /// The word in single quotes, unless a shell would take it literally.
  private static func quoted(_ word: String) -> String {
    let isPlain = word.allSatisfy { $0.isLetter || $0.isNumber || "@%_+=:,./-".contains($0) }
    return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: #"'\''"#) + "'"
  }
}

/// The parser's help, laid out for the terminal.
private enum HelpText {
  private static let beginnings = ["USAGE: ", "Usage: "]

  /// The text with its lines on usage wrapped, which the parser leaves as long as they are. An option stays on one line
  /// with its value.
  static func wrappingUsage(_ text: String, to width: Int) -> String {
    var isUsage = false
    return text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      // Further lines of the usage are indented like its first words.
      isUsage =
        beginnings.contains { line.hasPrefix($0) } || isUsage && line.hasPrefix(indentation)
      return isUsage ? wrapped(line, to: width) : [String(line)]
    }.joined(separator: "\n")
  }

  private static let indentation = String(repeating: " ", count: 7)

  private static func wrapped(_ line: Substring, to width: Int) -> [String] {
    var lines = [""]
    for part in parts(line) {
      let last = lines[lines.count - 1]
      if last.isEmpty {
        lines[lines.count - 1] = part
      } else if TextLayout.width(last) + 1 + TextLayout.width(part) <= width {
        lines[lines.count - 1] += " " + part
      } else {
        lines.append(indentation + "  " + part)
      }
    }
    return lines
  }

  /// The words, with those inside brackets as one.
  private static func parts(_ line: Substring) -> [String] {
    var parts: [String] = []
    var depth = 0
    for word in line.drop(while: { $0 == " " }).split(separator: " ") {
      let belongsToLast =
        depth > 0 || parts.last == "USAGE:" || parts.last == "Usage:"
        || parts.last?.hasPrefix("-") == true && word.hasPrefix("<")
      if belongsToLast {
        parts[parts.count - 1] += " " + word
      } else {
        parts.append(String(word))
      }
      depth += word.count { $0 == "[" } - word.count { $0 == "]" }
    }
    if line.hasPrefix(indentation), let first = parts.first { parts[0] = indentation + first }
    return parts
  }
}

/// The library's log: on standard error, and silent below warnings unless `LEAFLOG_LOG` names a level
/// (`debug`, `trace`).
private enum Diagnostics {
  static func start(_ process: ProcessContext) {
    let level = process.environment["LEAFLOG_LOG"].flatMap { Logger.Level(rawValue: $0) }
    let error = process.error
    @Sendable func handler(_ label: String) -> any LogHandler {
      guard error.isJournal else { return StreamLogHandler.standardError(label: label) }
      var lines = LogLines(.logfmt, isForJournal: true) { error.print($0) }
      lines[metadataKey: "logger"] = "\(label)"
      return lines
    }
    LoggingSystem.bootstrap { label in
      var handler = handler(label)
      handler.logLevel = level ?? .warning
      return handler
    }
  }
}
