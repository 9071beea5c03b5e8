import ArgumentParser
internal import Leaflog

/// The destination of an exported document: a file, or standard output.
struct DocumentOutput: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: "The file to write, or - for standard output. An existing file is replaced.",
    completion: .file())
  var output: String

  var isStandardOutput: Bool { output == "-" }

  /// - Throws: when the document and its report would be mixed.
  func validate(json: Bool) throws {
    if output.isEmpty { throw ValidationError("Give the output file with -o.") }
    if isStandardOutput, json {
      throw ValidationError("-o - and --json both write to standard output. Omit one of them.")
    }
  }

  /// - Parameters:
  ///   - report: the result for `--json`.
  ///   - text: the result for people, after the file's name.
  func write(
    _ document: GeneratedDocument, _ context: CommandContext, report: some Encodable, text: String
  ) throws {
    if isStandardOutput {
      context.output.write(document.bytes)
    } else {
      try document.write(to: context.path(output))
      if context.options.json {
        context.output.print(json: report)
      } else if !context.options.quiet {
        context.output.print("Wrote \(TextLayout.singleLine(output)): \(text).")
      }
    }
    Self.warn(ofMissing: document.missingGlyphCount, context)
  }

  /// Tells which packages have the fonts that a document lacks.
  static func warn(ofMissing count: Int, _ context: CommandContext) {
    guard count > 0 else { return }
    let are =
      count == 1
      ? "is drawn as a box, because no installed font has it"
      : "are drawn as boxes, because no installed font has them"
    context.error.print(
      "\(Quantities.count(count, "character")) \(are). On Debian, `apt-get install fonts-noto-core "
        + "fonts-noto-cjk fonts-noto-color-emoji` covers nearly all scripts.")
  }
}
