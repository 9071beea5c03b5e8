import ArgumentParser
internal import Documents
internal import Leaflog

/// `leaflog quote share`
struct QuoteShare: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "share",
    abstract: "Share a quote as text, or as a picture on a photo of the day.",
    discussion: """
      leaflog quote share
      leaflog quote share b12 --on 2026-03-01 -o card.jpg

      The photo is the latest of that day or before; without one, the card is plain. The picture \
      contains no metadata.
      """)

  @Argument(help: "A quote's id, or a prefix of it. Default: the day's quote.")
  var quote: String?

  @Option(help: "The day of the quote and of the photo. Default: today.")
  var on: DayArgument?

  @Option(name: .shortAndLong, help: "The file to write: .jpg, .png or .webp.", completion: .file())
  var output: String?

  @OptionGroup var global: GlobalOptions

  private struct Made: Encodable {
    let path: String
    let width: Int
    let height: Int
    let byteCount: Int
    /// The id of the photo behind the text.
    let photo: String?
    let quote: QuoteDocument
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let day = try on?.day(in: library) ?? library.today
    try day.refuseFuture(in: library)
    let found = try QuoteCommand.quote(quote, of: day, in: library)
    var document = QuoteDocument(
      found, isFavourite: try library.quotes.favouriteIDs().contains(found.id))
    if quote == nil { document.day = day.description }
    guard let output else {
      return context.output.print(
        global.json ? JSON.line(document) : TextLayout.singleLine(found.attributed))
    }
    let made = try QuoteCard(library).write(found, on: day, to: context.path(output))
    if global.json {
      context.output.print(
        json: Made(
          path: output, width: made.size.width, height: made.size.height,
          byteCount: made.byteCount, photo: made.photo?.id.description, quote: document))
    } else if !global.quiet {
      let ground = made.photo.map { "on the photo \($0.id.short) of \($0.time.date)" }
      context.output.print(
        "Wrote \(TextLayout.singleLine(output)): \(made.size) px, "
          + "\(Quantities.bytes(made.byteCount)), \(ground ?? "without a photo").")
    }
  }
}
