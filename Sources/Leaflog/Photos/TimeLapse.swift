internal import Foundation
internal import Imaging
internal import Synchronization
internal import SystemPackage

/// The photos of a time-lapse, with the options.
public struct TimeLapseRequest: Sendable {
  /// How long each photo is shown.
  public enum Pace: String, Sendable, CaseIterable {
    /// All equally long.
    case even
    /// In proportion to the time until the next photo; three seconds at most.
    case real = "true"
  }

  /// The kind of file, by its extension.
  public enum Format: String, Sendable, CaseIterable {
    /// An animated WebP.
    case webp
    /// An animated GIF.
    case gif
    /// MP4 with H.264, made by ffmpeg.
    case mp4

    /// The default side of the picture in pixels, a compromise between quality and size.
    public var defaultSide: Int {
      switch self {
      case .webp: 960
      case .gif: 480
      case .mp4: 1280
      }
    }
  }

  /// The plant to show.
  public var plant: PlantID
  /// The file to write; its extension decides the format.
  public let path: String
  /// The kind of file.
  public let format: Format
  /// Where it begins; nil sets no limit.
  public var first: TimelineBound?
  /// Where it ends, itself included; nil sets no limit.
  public var last: TimelineBound?
  /// The time of day of the photos to show, and their light.
  public var hours = PhotoHours()
  /// Whether to show only one photo per day: the one taken nearest the usual time of day.
  public var showsOnePerDay = false
  /// How long each photo is shown.
  public var pace = Pace.even
  /// Photos per second, on average, within `rates`.
  public var framesPerSecond = 10.0
  /// The longer side in pixels; never more than the photos have.
  public var side: Int
  /// Whether the day is written into the corner.
  public var hasDateStamp = false
  /// Whether to remove shift, scale and rotation between photos.
  public var alignsPhotos = true
  /// Whether to bring aligned photos that are much brighter or darker than the well-exposed ones near
  /// these.
  public var correctsExposure = true

  /// The possible numbers of photos per second.
  public static let rates = 0.1...60.0

  /// - Throws: `LeaflogError` with code `invalidRequest` when the extension is not that of a supported format.
  public init(plant: PlantID, path: String) throws(LeaflogError) {
    let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
    guard let format = Format(rawValue: ending) else {
      throw .invalid("\(path) should end in .webp, .gif or .mp4: that is what can be written.")
    }
    self.plant = plant
    self.path = path
    self.format = format
    side = format.defaultSide
  }
}

/// The result of a time-lapse.
public struct TimeLapseSummary: Sendable {
  /// A photo that could not be shown.
  public struct Failure: Sendable {
    /// The photo.
    public let id: EntryID
    /// The reason, as a sentence.
    public let message: String
  }

  /// Successive photos that were aligned with each other, as those of a camera until it is moved or replaced.
  public struct Scene: Sendable {
    /// The first day of its photos.
    public let firstDay: LocalDay
    /// The number of its photos.
    public let frameCount: Int
  }

  /// The number of frames, one per photo.
  public let frameCount: Int
  /// The number of frames that were aligned; the others are shown as they are.
  public let alignedCount: Int
  /// The size of the picture, in pixels.
  public let size: PixelSize
  /// The length of the film.
  public let duration: Duration
  /// The size of the file.
  public let byteCount: Int
  /// The scenes, in order of time; none if the photos were not to be aligned.
  public let scenes: [Scene]
  /// The photos that could not be shown; the previous one is shown instead or, at the beginning, the next one.
  public let failures: [Failure]
}

/// Makes a film of a plant's photos.
///
/// The first pass reads the thumbnails and aligns the photos with each other; the second decodes each
/// photo once, moves it into place and passes it to the encoder. One photo and one frame per core are in
/// memory at a time, however long the film is.
public struct TimeLapse: Sendable {
  private let library: Library

  /// Creates time-lapses of a library's plants.
  public init(_ library: Library) { self.library = library }

  /// Makes the film, atomically. Cancelling the task leaves nothing behind.
  ///
  /// - Parameter progress: receives the finished share of the work, 0 to 1.
  /// - Throws: `LeaflogError`, or `CancellationError`.
  public func run(
    _ request: TimeLapseRequest, progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws -> TimeLapseSummary {
    try library.checkAlone()
    return try await Library.work {
      do {
        return try withImagingThread { try make(request, progress) }
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        throw LeaflogError(error)
      }
    }
  }

  /// The share of the work that the alignment takes.
  private static let firstPass = 0.15

  private func make(
    _ request: TimeLapseRequest, _ progress: (Double) -> Void
  ) throws -> TimeLapseSummary {
    try request.check()
    let output = try OutputFile(FilePath(request.path))
    let plan = try TimeLapsePlan(request, library.catalog)
    var alignments =
      try request.alignsPhotos ? self.alignments(plan) { progress($0 * Self.firstPass) } : nil
    for (number, frame) in plan.frames.enumerated()
    where !request.correctsExposure || frame.isDark {
      // At night there is nothing but noise to be brightened.
      alignments?[number].exposure = .identity
    }
    let size = plan.size(side: request.side, isEven: request.format == .mp4)
    let timing = plan.timing(request)
    let film = try sink(request, output.temporary, size, timing)
    let failures: [TimeLapseSummary.Failure]
    do {
      failures = try shoot(plan, request, alignments, size, timing.counts, on: film, progress)
      try film.finish()
    } catch {
      film.abandon()
      throw error
    }
    return TimeLapseSummary(
      frameCount: plan.frames.count, alignedCount: alignments?.count { $0.isMatched } ?? 0,
      size: size, duration: timing.duration, byteCount: try output.replace(),
      scenes: alignments.map(plan.scenes) ?? [], failures: failures)
  }

  /// The second pass, as many frames at a time as there are cores.
  ///
  /// - Returns: the photos that could not be shown.
  private func shoot(
    _ plan: TimeLapsePlan, _ request: TimeLapseRequest, _ alignments: [FrameAlignment]?,
    _ size: PixelSize, _ delays: [Int], on film: any FilmSink, _ progress: (Double) -> Void
  ) throws -> [TimeLapseSummary.Failure] {
    var failures: [TimeLapseSummary.Failure] = []
    let start = request.alignsPhotos ? Self.firstPass : 0
    var last: [UInt8]?
    let jobCount = ProcessInfo.processInfo.activeProcessorCount
    for first in stride(from: 0, to: plan.frames.count, by: jobCount) {
      try Task.checkCancellation()
      let numbers = Array(first..<min(first + jobCount, plan.frames.count))
      let made = Self.concurrently(numbers) { number in
        let frame = plan.frames[number]
        let picture = try picture(of: frame.id, side: max(size.width, size.height))
        var canvas = try PixelCanvas(
          picture.filmFrame(by: alignments?[number] ?? .identity, size: size))
        if request.hasDateStamp { try stamp(frame, on: &canvas) }
        return try film.encode(canvas, delay: delays[number])
      }
      for (number, result) in zip(numbers, made) {
        switch result {
        case .success(let bytes):
          // Those before the first that can be read.
          if last == nil { for delay in delays[..<number] { try film.append(bytes, delay: delay) } }
          last = bytes
        case .failure(let error):
          failures.append(
            .init(id: plan.frames[number].id, message: LeaflogError(error).message))
        }
        if let last { try film.append(last, delay: delays[number]) }
        progress(start + (1 - start) * Double(number + 1) / Double(plan.frames.count))
      }
    }
    if last == nil, let first = failures.first {
      throw LeaflogError(
        .failed,
        "None of the \(plan.frames.count) photos can be shown, so no film was written. "
          + first.message)
    }
    return failures
  }

  private static func concurrently<Value: Sendable>(
    _ numbers: [Int], _ body: @Sendable (Int) throws -> Value
  ) -> [Result<Value, any Error>] {
    let results = Mutex<[Int: Result<Value, any Error>]>([:])
    DispatchQueue.concurrentPerform(iterations: numbers.count) { index in
      let result = withImagingThread { Result { try body(numbers[index]) } }
      results.withLock { $0[index] = result }
    }
    return results.withLock { found in numbers.indices.compactMap { found[$0] } }
  }

  private func alignments(
    _ plan: TimeLapsePlan, _ progress: (Double) -> Void
  ) throws -> [FrameAlignment] {
    var aligner = FrameAligner()
    for (number, frame) in plan.frames.enumerated() {
      try Task.checkCancellation()
      try aligner.add(library.photos.alignmentThumbnail(of: frame.id))
      progress(Double(number + 1) / Double(plan.frames.count))
    }
    return aligner.alignments()
  }

  private func picture(of id: EntryID, side: Int) throws -> DecodedPhoto {
    try decode(
      library.photos.bestRendition(of: library.catalog.read { try $0.photos.find(id.description) }),
      side: side)
  }

  private func decode(_ rendition: Rendition, side: Int) throws -> DecodedPhoto {
    try library.photos.frame(rendition, side: side)
  }

  private func stamp(_ frame: TimeLapsePlan.Frame, on canvas: inout PixelCanvas) throws {
    let height = max(12, canvas.size.height / 22)
    let text = [frame.time.date, frame.plantDay.map { "day \($0)" }]
      .compactMap { $0 }.joined(separator: "  ")
    let mask = try TextMask(text, height: height)
    try canvas.drawLabel(
      mask, x: height / 2, y: canvas.size.height - mask.size.height - height / 2)
  }

  private func sink(
    _ request: TimeLapseRequest, _ path: FilePath, _ size: PixelSize, _ timing: FilmTiming
  ) throws -> any FilmSink {
    switch request.format {
    case .webp: try WebPWriter(path: path, size: size)
    case .gif: GIFWriter(path: path.string, size: size, delays: timing.milliseconds)
    case .mp4:
      try MovieWriter(
        path: path.string, size: size, framesPerSecond: request.pictureRate)
    }
  }
}
