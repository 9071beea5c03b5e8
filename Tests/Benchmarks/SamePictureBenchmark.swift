import DiaryModel
import Foundation
import TestSupport

/// Compares the import of photos with the same picture, such as a camera takes at night, with that of different ones: the
/// processor time of each photo must not depend on their number.
struct SamePictureBenchmark {
  let counts: [Int]

  private enum Photos: String, CaseIterable {
    case different = "different pictures"
    case otherTimes = "the same, other times"
    case otherZones = "the same, other times and zones"
    case otherWords = "the same, no times, other words"

    /// A drawing of 64 pixels a side in grey.
    func file(_ number: Int) -> Data {
      let (side, seed) = (64, self == .different ? number : 0)
      func grey(_ x: Int, _ y: Int) -> UInt8 {
        UInt8((x * y / 8 + seed % 251 * x + seed / 251 * y) % 256)
      }
      var rows: [UInt8] = []
      for y in 0..<side { rows += [0] + (0..<side).map { x in grey(x, y) } }
      let picture = EmbeddedMetadata.png(width: side, height: side, isGrey: true, rows: rows)
      let text =
        switch self {
        case .different, .otherTimes:
          ("Creation Time", time(number, .utc).iso8601.replacing("Z", with: ""))
        case .otherZones: ("Creation Time", time(number, .easternmost).iso8601)
        case .otherWords: ("Description", "picture \(number)")
        }
      return Data(
        EmbeddedMetadata.png(
          picture, "tEXt", EmbeddedMetadata.text(text.0, text.1), .beforePixels))
    }

    /// A moment of its own for each number, 20 seconds apart.
    private func time(_ number: Int, _ offset: UTCOffset) -> RecordedTime {
      let moment = Timestamp(milliseconds: 1_600_000_000_000 + Int64(number) * 20_000)
      let wall = LocalDateTime(
        utc: moment.advanced(byMilliseconds: Int64(offset.seconds) * 1000))
      return .zoned(wall, offset)
    }
  }

  func run() throws {
    let binary = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("leaflog").path
    print("processor time of a photo in milliseconds, and of one different photo of as many")
    for count in counts {
      var ofDifferent = 0.0
      for photos in Photos.allCases {
        let folder = try TemporaryFolder(inMemory: false)
        for number in 0..<count {
          try folder.write(photos.file(number), to: "photos/\(number).png")
        }
        let command = [
          binary, "import", folder.file("photos"), "--library", folder.file("library"), "--quiet",
        ]
        for (name, options) in [("", []), (", with --update", ["--update"])] {
          guard options.isEmpty || photos == .otherWords else { continue }
          let run = try Measurement.run(command + options)
          guard run.status == 0 else { throw CocoaError(.executableLoad) }
          let each = 1000 * run.processorSeconds / Double(count)
          if photos == .different { ofDifferent = each }
          print(
            "\(count)".padding(toLength: 7, withPad: " ", startingAt: 0)
              + (photos.rawValue + name).padding(toLength: 48, withPad: " ", startingAt: 0)
              + String(format: "%8.2f %6.2f", each, each / ofDifferent))
        }
      }
    }
  }
}
