import ArgumentParser
internal import Leaflog

/// `leaflog compare`
struct CompareCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "compare", abstract: "Combine two photos into one picture.",
    discussion: """
      Places them side by side at the same height, with their dates and the number of days between \
      them.
      """)

  @Argument(help: "A photo's id, or a prefix of it.", completion: .photos)
  var first: String

  @Argument(help: "The id of another photo.", completion: .photos)
  var second: String

  @Option(name: .shortAndLong, help: "The file to write: .jpg, .png or .webp.", completion: .file())
  var output: String

  @Flag(help: "Blend them half and half instead.")
  var blend = false

  @OptionGroup var global: GlobalOptions

  private struct Made: Encodable {
    let path: String
    let width: Int
    let height: Int
    let byteCount: Int
    let days: Int
    let aligned: Bool
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let made = try Comparison(library).write(
      library.photos.find(first), library.photos.find(second), blend ? .blended : .sideBySide,
      to: context.path(output))
    if global.json {
      context.output.print(
        json: Made(
          path: output, width: made.size.width, height: made.size.height,
          byteCount: made.byteCount, days: made.dayCount, aligned: made.isAligned))
    } else if !global.quiet {
      let between = Quantities.count(abs(made.dayCount), "day")
      let note =
        blend && !made.isAligned
        ? " The photos could not be aligned and are blended unchanged." : ""
      context.output.print(
        "Wrote \(TextLayout.singleLine(output)): \(made.size) px, "
          + "\(Quantities.bytes(made.byteCount)), \(between) between.\(note)")
    }
  }
}
