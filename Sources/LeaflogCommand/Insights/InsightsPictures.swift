internal import Foundation
internal import Leaflog

/// The charts of a span as files.
struct InsightsPictures {
  let insights: Insights
  /// Made when it is missing.
  let folder: String

  private struct Made: Encodable {
    let paths: [String]
    let missingGlyphCount: Int
    let disclaimer: String
  }

  func write(_ global: GlobalOptions) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var paths: [String] = []
    var missing = 0
    for picture in InsightsPicture.allCases {
      let document = try insights.svg(picture)
      let path = "\(folder)/\(picture.rawValue).svg"
      try document.write(to: path)
      paths.append(path)
      missing += document.missingGlyphCount
    }
    if global.json {
      Output.result(
        JSON.line(
          Made(paths: paths, missingGlyphCount: missing, disclaimer: Insights.disclaimer)))
    } else if !global.quiet {
      for path in paths { Output.result("Wrote \(TextLayout.singleLine(path))") }
      Output.result(Insights.disclaimer)
    }
    DocumentOutput.warn(ofMissing: missing)
  }
}
