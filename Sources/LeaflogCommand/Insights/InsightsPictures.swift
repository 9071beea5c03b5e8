internal import Foundation
internal import Leaflog

/// The charts of a span as files.
struct InsightsPictures {
  let insights: Insights
  /// The folder to write to; created if missing.
  let folder: String

  private struct Made: Encodable {
    let paths: [String]
    let missingGlyphCount: Int
    let disclaimer: String
  }

  func write(_ context: CommandContext) throws {
    let place = context.path(folder)
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    var paths: [String] = []
    var missing = 0
    for picture in InsightsPicture.allCases {
      let document = try insights.svg(picture)
      let path = "\(folder)/\(picture.rawValue).svg"
      try document.write(to: context.path(path))
      paths.append(path)
      missing += document.missingGlyphCount
    }
    if context.options.json {
      context.output.print(
        json: Made(paths: paths, missingGlyphCount: missing, disclaimer: Insights.disclaimer))
    } else if !context.options.quiet {
      for path in paths { context.output.print("Wrote \(TextLayout.singleLine(path))") }
      context.output.print(Insights.disclaimer)
    }
    DocumentOutput.warn(ofMissing: missing, context)
  }
}
