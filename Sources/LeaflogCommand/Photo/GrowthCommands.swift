import ArgumentParser
internal import Fields
internal import Foundation
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

  private struct Made: Shown {
    let path: String
    let comparison: Comparison.Summary

    static let shown = Fields<Made>([
      Field(adding: "path", .text) { $0.path },
      Field(adding: "width", .pixels) { $0.comparison.size.width },
      Field(adding: "height", .pixels) { $0.comparison.size.height },
      Field(adding: "byteCount", .byteCount) { $0.comparison.byteCount },
      // The days between the photos; negative if the second is older.
      Field(adding: "days", .whole(.min ... .max)) { $0.comparison.dayCount },
      Field(adding: "aligned", .flag) { $0.comparison.isAligned },
    ])
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let made = try Comparison(library).write(
      library.photos.find(matching: first), library.photos.find(matching: second),
      blend ? .blended : .sideBySide,
      to: context.path(output))
    if global.json {
      context.output.print(json: Made(path: output, comparison: made))
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

/// `leaflog timelapse`
struct TimeLapseCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "timelapse", abstract: "Make a film of a plant's photos.",
    discussion: """
      Photos are aligned so that the pot stays in place while the plant grows, and very bright or \
      dark ones are adjusted towards the others. Photos that cannot be aligned are shown unchanged.
      """)

  @OptionGroup var named: PlantArgument

  @Option(
    name: .shortAndLong, help: "The file to write: .webp, .gif or .mp4 (needs ffmpeg).",
    completion: .file())
  var output: String

  @Option(help: "even: every photo equally long; true: in proportion to the time between photos.")
  var pace = TimeLapseRequest.Pace.even

  @Option(help: "Photos per second, 0.1 to 60, at most 50 in a GIF or WebP.")
  var fps = 10.0

  @Option(help: "The longer side in pixels. Default: 960 for WebP, 480 for GIF, 1280 for MP4.")
  var size: Int?

  @Option(help: "The first day or time to show.")
  var from: BoundArgument?

  @Option(help: "The last day or time to show.")
  var to: BoundArgument?

  @OptionGroup var chosen: HourOptions

  @Flag(help: "One photo a day: the one nearest the usual time of day.")
  var onePerDay = false

  @Flag(help: "Show the date in the corner.")
  var dateStamp = false

  @Flag(name: .customLong("no-align"), help: "Do not align photos.")
  var noAlign = false

  @Flag(name: .customLong("no-exposure"), help: "Do not adjust exposure and colours.")
  var noExposure = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard named.text != nil else { throw ValidationError("Give a plant.") }
    guard TimeLapseRequest.rates.contains(fps) else {
      throw ValidationError("--fps takes 0.1 to 60, not \(fps).")
    }
    if let size, !(16...7680).contains(size) {
      throw ValidationError("--size takes 16 to 7680 pixels, not \(size).")
    }
  }

  func run(in context: CommandContext) async throws {
    let library = try context.openLibrary(for: .reading)
    let plant = try library.plants.reference(matching: named.text ?? "")
    var request = try TimeLapseRequest(plant: plant.id, path: context.path(output))
    request.pace = pace
    request.framesPerSecond = fps
    request.side = size ?? request.side
    request.first = try from?.first(in: library)
    request.last = try to?.last(in: library)
    request.hours = chosen.hours
    request.showsOnePerDay = onePerDay
    request.hasDateStamp = dateStamp
    request.alignsPhotos = !noAlign
    request.correctsExposure = !noExposure
    let final = request
    let bar = ProgressLine(context)
    let interruption = context.process.interruption()
    let work = interruption.start {
      try await TimeLapse(library).run(final) { bar.show(share: $0) }
    }
    do {
      let made = try await interruption.value(of: work)
      bar.clear()
      report(made, context)
      if !made.failures.isEmpty { throw ExitStatus.partlyDone.exitCode }
    } catch is CancellationError {
      bar.clear()
      throw ExitStatus.interrupted.exitCode
    }
  }

  private func report(_ made: TimeLapseSummary, _ context: CommandContext) {
    if global.json {
      context.output.print(json: TimeLapseDocument(made, path: output))
      return
    }
    if !global.quiet {
      let asIs = made.frameCount - made.alignedCount
      context.output.print(
        "Wrote \(TextLayout.singleLine(output)): \(Quantities.count(made.frameCount, "photo")), "
          + "\(Quantities.duration(made.duration.seconds)), \(made.size) px, "
          + Quantities.bytes(made.byteCount) + "."
          + (noAlign || asIs == 0
            ? ""
            : " \(asIs) could not be aligned and \(asIs == 1 ? "is" : "are") shown unchanged."))
      if made.scenes.count > 1 {
        context.output.print(Self.listing(made.scenes))
      }
    }
    for failure in made.failures {
      context.error.print(
        "\(failure.id.short) is not shown: \(TextLayout.singleLine(failure.message))")
    }
  }
}

extension TimeLapseCommand {
  /// The most scenes that are named.
  private static let maxSceneCount = 8

  private static func listing(_ scenes: [TimeLapseSummary.Scene]) -> String {
    var parts = scenes.prefix(maxSceneCount).map {
      "\(Quantities.count($0.frameCount, "photo")) from \($0.firstDay) on"
    }
    let others = scenes.count - parts.count
    if others > 0 { parts.append(Quantities.count(others, "later view")) }
    return
      "They show \(scenes.count) views, each aligned by itself: \(Quantities.listing(parts))."
  }
}

extension TimeLapseRequest.Pace: ExpressibleByArgument {}
