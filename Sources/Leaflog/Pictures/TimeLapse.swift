internal import Foundation
internal import Imaging
internal import SystemPackage

/// Makes a film of a plant's photos: growth to look at.
///
/// The first pass goes over the thumbnails and finds how the photos lie against each other, the second
/// decodes each photo once, moves it into place and hands it to the encoder. One photo is in memory at
/// a time, and one or two frames.
public struct TimeLapse: Sendable {
  private let library: Library

  public init(_ library: Library) { self.library = library }

  /// Makes the film. Nothing is at its path before it is whole. Cancelling the task ends it and leaves
  /// nothing behind.
  ///
  /// - Parameter progress: gets how much of the work is done, 0 to 1.
  /// - Throws: `LeaflogError`, or `CancellationError`.
  public func run(
    _ request: TimeLapseRequest, progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws -> TimeLapseSummary {
    try await withTaskExecutorPreference(BlockingExecutor()) {
      do {
        return try withImagingThread { try make(request, progress) }
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        throw LeaflogError(error)
      }
    }
  }

  /// The share of the work that finding the alignment is.
  private static let firstPass = 0.15

  private func make(
    _ request: TimeLapseRequest, _ progress: (Double) -> Void
  ) throws -> TimeLapseSummary {
    guard (1...60).contains(request.framesPerSecond), (16...7680).contains(request.side) else {
      throw LeaflogError.invalid("A film has 1 to 60 frames a second and a side of 16 to 7680 pixels.")
    }
    let output = try OutputFile(FilePath(request.path))
    let plan = try TimeLapsePlan(request, library.catalog)
    let alignments = try request.isAligned ? self.alignments(plan) { progress($0 * Self.firstPass) } : nil
    let size = plan.size(side: request.side, isEven: request.format == .mp4)
    let delays = plan.delays(request)
    let film = try sink(request, output.temporary.string, size, delays)
    let failures: [TimeLapseSummary.Failure]
    do {
      failures = try shoot(plan, request, alignments, size, delays, on: film, progress)
      try film.finish()
    } catch {
      film.abandon()
      throw error
    }
    return TimeLapseSummary(
      frameCount: plan.frames.count, alignedCount: alignments?.count { $0.isMatched } ?? 0,
      size: size, duration: .milliseconds(delays.reduce(0, +)), byteCount: try output.replace(),
      failures: failures)
  }

  /// The second pass.
  ///
  /// - Returns: the photos that could not be shown.
  private func shoot(
    _ plan: TimeLapsePlan, _ request: TimeLapseRequest, _ alignments: [FrameAlignment]?,
    _ size: PixelSize, _ delays: [Int], on film: any FilmSink, _ progress: (Double) -> Void
  ) throws -> [TimeLapseSummary.Failure] {
    var failures: [TimeLapseSummary.Failure] = []
    var canvas = PixelCanvas(size: size)
    let start = request.isAligned ? Self.firstPass : 0
    for (number, frame) in plan.frames.enumerated() {
      try Task.checkCancellation()
      do {
        let picture = try picture(of: frame.id, side: max(size.width, size.height))
        canvas = try PixelCanvas(
          picture.aligned(by: alignments?[number] ?? .identity, size: size))
        if request.hasDateStamp { try stamp(frame, on: &canvas) }
      } catch {
        failures.append(.init(id: frame.id, message: LeaflogError(error).message))
      }
      try film.write(canvas, delay: delays[number])
      progress(start + (1 - start) * Double(number + 1) / Double(plan.frames.count))
    }
    return failures
  }

  private func alignments(
    _ plan: TimeLapsePlan, _ progress: (Double) -> Void
  ) throws -> [FrameAlignment] {
    var aligner = FrameAligner()
    let black = try PixelCanvas(size: PixelSize(width: 16, height: 16)).picture()
    for (number, frame) in plan.frames.enumerated() {
      try Task.checkCancellation()
      let photo = try library.catalog.photo(frame.id.description)
      // A lost thumbnail matches nothing; its photo is shown as it is.
      let thumbnail = try? photo.renditions.first { $0.role == .thumbnail }
        .map { try decode($0, side: DecodedPhoto.thumbnailSide) }
      try aligner.add(thumbnail ?? black)
      progress(Double(number + 1) / Double(plan.frames.count))
    }
    return aligner.alignments()
  }

  private func picture(of id: EntryID, side: Int) throws -> DecodedPhoto {
    try decode(library.bestRendition(of: library.catalog.photo(id.description)), side: side)
  }

  private func decode(_ rendition: Rendition, side: Int) throws -> DecodedPhoto {
    let file = try library.file(rendition)
    return try PhotoFile(bytes: file.bytes, format: file.format).frame(side: side)
  }

  private func stamp(_ frame: TimeLapsePlan.Frame, on canvas: inout PixelCanvas) throws {
    let height = max(12, canvas.size.height / 22)
    let text = [frame.time.localDay.description, frame.plantDay.map { "day \($0)" }]
      .compactMap { $0 }.joined(separator: "  ")
    let mask = try TextMask(text, height: height)
    try canvas.drawLabel(
      mask, x: height / 2, y: canvas.size.height - mask.size.height - height / 2)
  }

  private func sink(
    _ request: TimeLapseRequest, _ path: String, _ size: PixelSize, _ delays: [Int]
  ) throws -> any FilmSink {
    switch request.format {
    case .webp: AnimationWriter(path: path, format: .webp, size: size, delays: delays)
    case .gif: AnimationWriter(path: path, format: .gif, size: size, delays: delays)
    case .mp4:
      try MovieWriter(
        path: path, size: size,
        // Unequal spans are made of equal frames.
        framesPerSecond: request.pace == .even
          ? request.framesPerSecond : max(25, request.framesPerSecond),
        isEven: request.pace == .even)
    }
  }
}

/// Where the frames of a film go, one after another.
protocol FilmSink: Sendable {
  /// `delay`: how long the frame is shown, in milliseconds.
  func write(_ frame: PixelCanvas, delay: Int) throws
  /// Waits until the file is whole.
  func finish() throws
  /// Ends the work; what there is of the file is of no use.
  func abandon()
}

extension AnimationWriter: FilmSink {
  /// The delays were told in the beginning.
  func write(_ frame: PixelCanvas, delay: Int) throws { try write(frame) }
}
