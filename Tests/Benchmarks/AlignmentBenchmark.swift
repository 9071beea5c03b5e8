import BlobStorage
import DiaryModel
import Foundation
import Imaging

/// Measures the effect of aligning the frames of a time-lapse: the mean absolute difference between successive frames,
/// over all samples of 8-bit sRGB, with and without alignment. Borders are included; frames without alignment are
/// cropped by the same zoom, and aligned ones have their edges continued. Both have the same exposure, once as shot and
/// once as in the film, since frames with equalised exposure differ less however they are placed. The effect of the
/// film's exposure is printed too, as the share of clipped pixels.
struct AlignmentBenchmark {
  let folder: String
  /// A folder to write the frames to, for inspection.
  let output: String?

  private static let longSide = 640

  func run() throws {
    let paths = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      .filter { $0.hasSuffix(".jpg") }.map { folder + "/" + $0 }
    var aligner = FrameAligner()
    var passes: [Double] = []
    for path in paths {
      let thumbnail = try decoded(thumbnailOf: path)
      let start = ContinuousClock.now
      try aligner.add(thumbnail)
      passes.append((ContinuousClock.now - start).inSeconds * 1000)
    }
    let alignments = aligner.alignments()
    let sizes = try paths.map { try PhotoFile(path: $0).uprightSize }
    let size = Self.typical(sizes)
    var plain = Differences()
    var aligned = Differences()
    var plainFilm = Differences()
    var film = Differences()
    var growth = -1.0
    for (index, path) in paths.enumerated() {
      let photo = try PhotoFile(path: path).decode()
      let alignment = alignments[index]
      // The same crop for both; otherwise, cropping would count as an improvement.
      var crop = FrameAlignment(
        view: Similarity(scale: alignment.zoom), exposure: .identity, zoom: alignment.zoom)
      try plain.add(photo.aligned(by: crop, size: size))
      var placed = alignment
      placed.exposure = .identity
      let unexposed = try photo.aligned(by: placed, size: size)
      try aligned.add(unexposed)
      crop.exposure = alignment.exposure
      try plainFilm.add(photo.filmFrame(by: crop, size: size))
      let frame = try photo.filmFrame(by: alignment, size: size)
      try film.add(frame)
      let clipped = try [unexposed, frame].map { try Self.clippedShare($0.rgbSamples()) }
      growth = max(growth, clipped[1] - clipped[0])
      let view = alignment.view
      print(
        URL(fileURLWithPath: path).lastPathComponent, alignment.isMatched ? "matched" : "-",
        String(
          format: "x %+.2f%% y %+.2f%% scale %.4f angle %+.2f° gain %.2f %.2f %.2f white %.2f"
            + " clipped %.1f%% to %.1f%%",
          100 * view.shift.x, 100 * view.shift.y, view.scale, view.angle * 180 / .pi,
          alignment.exposure.gain.x, alignment.exposure.gain.y, alignment.exposure.gain.z,
          alignment.exposure.white, 100 * clipped[0], 100 * clipped[1]))
      if let output {
        let name = String(format: "%@/%04d.jpg", output, index)
        try frame.preview().bytes.withUnsafeBytes {
          try Data($0).write(to: URL(fileURLWithPath: name))
        }
      }
    }
    let matched = alignments.filter(\.isMatched).count
    print("\(paths.count) frames of \(size), \(matched) matched")
    print(
      String(
        format: "pass 1: median %.1f ms a frame, slowest %.1f ms", Measurement.median(passes),
        passes.max() ?? 0))
    for (exposure, before, after) in [
      ("the camera's", plain, aligned), ("the film's", plainFilm, film),
    ] {
      print(
        "difference at \(exposure) exposure",
        String(
          format: "%.2f, aligned %.2f: %.1f %% less", before.mean, after.mean,
          100 * (1 - after.mean / before.mean)))
    }
    print(
      String(format: "clipped by the film's exposure: at most %+.2f points", 100 * growth))
  }

  /// The share of pixels with a sample of 250 or more.
  private static func clippedShare(_ samples: [UInt8]) -> Double {
    let count = stride(from: 0, to: samples.count, by: 3).count {
      max(samples[$0], samples[$0 + 1], samples[$0 + 2]) >= 250
    }
    return Double(count) / Double(samples.count / 3)
  }

  private func decoded(thumbnailOf path: String) throws -> DecodedPhoto {
    let image = try PhotoFile(path: path).decode().thumbnail().image
    return try PhotoFile(bytes: image.bytes, format: image.format).decode()
  }

  private static func typical(_ sizes: [PixelSize]) -> PixelSize {
    let sorted = sizes.sorted { $0.width * $1.height < $1.width * $0.height }
    let middle = sorted[sorted.count / 2]
    let scale = Double(longSide) / Double(max(middle.width, middle.height))
    return PixelSize(
      width: Int((Double(middle.width) * scale).rounded()),
      height: Int((Double(middle.height) * scale).rounded()))
  }
}

private struct Differences {
  private var last: DecodedPhoto?
  private var values: [Double] = []

  mutating func add(_ frame: DecodedPhoto) throws {
    if let last { values.append(try frame.meanDifference(from: last)) }
    last = frame
  }

  var mean: Double { values.reduce(0, +) / Double(max(1, values.count)) }
}

extension PhotoFile {
  init(path: String) throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    try self.init(bytes: SharedBytes(copying: data), format: .jpeg)
  }
}
