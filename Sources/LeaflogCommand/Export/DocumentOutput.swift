import ArgumentParser
internal import Leaflog

/// Where an exported document goes: a file, or standard output.
struct DocumentOutput: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: "The file to write; what is there is replaced. - is standard output.",
    completion: .file())
  var output: String

  var isStandardOutput: Bool { output == "-" }

  /// - Throws: when the document and a report of it would get mixed.
  func validate(json: Bool) throws {
    if output.isEmpty { throw ValidationError("Into which file? -o says it.") }
    if isStandardOutput, json {
      throw ValidationError("-o - and --json both write to standard output. Leave out one.")
    }
  }

  /// - Parameters:
  ///   - report: what `--json` prints.
  ///   - text: what people read, behind the file's name.
  func write(
    _ document: MadeDocument, _ global: GlobalOptions, report: some Encodable, text: String
  ) throws {
    if isStandardOutput {
      Output.write(document.bytes)
    } else {
      try document.write(to: output)
      if global.json {
        Output.result(JSON.line(report))
      } else if !global.quiet {
        Output.result("Wrote \(TextLayout.singleLine(output)): \(text).")
      }
    }
    Self.warn(ofMissing: document.missingGlyphCount)
  }

  /// Says which packages have the fonts that a document lacks.
  static func warn(ofMissing count: Int) {
    guard count > 0 else { return }
    let are =
      count == 1
      ? "is drawn as a box: no font here has it" : "are drawn as boxes: no font here has them"
    Output.error(
      "\(Quantities.count(count, "character")) \(are). On Debian, `apt-get install fonts-noto-core "
        + "fonts-noto-cjk fonts-noto-color-emoji` brings nearly all scripts.")
  }
}
