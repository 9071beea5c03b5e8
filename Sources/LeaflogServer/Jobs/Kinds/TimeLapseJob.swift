internal import Documents
internal import Leaflog

/// Makes a film of a plant's photos.
struct TimeLapseJob: JobKind {
  static let name = "timelapse"
  static let unit = JobProgress.Unit.percent

  private let plant: String
  private let format: TimeLapseRequest.Format
  private let firstDay: LocalDay?
  private let lastDay: LocalDay?
  private let pace: TimeLapseRequest.Pace
  private let framesPerSecond: Double
  /// The longer side in pixels; nil for the format's default.
  private let side: Int?
  private let isOnePerDay: Bool
  private let hasDateStamp: Bool
  private let isAligned: Bool
  private let isExposureCorrected: Bool

  init(_ fields: inout JobFields) throws {
    plant = try fields.required("plant", fields.text("plant"))
    format = try fields.choice("format") ?? .webp
    firstDay = try fields.day("from")
    lastDay = try fields.day("to")
    pace = try fields.choice("pace") ?? .even
    framesPerSecond = try fields.number("fps", in: 1...60) ?? 10
    side = try fields.count("size", in: 16...7680)
    isOnePerDay = try fields.flag("onePerDay")
    hasDateStamp = try fields.flag("dateStamp")
    isAligned = try fields.flag("align", standard: true)
    isExposureCorrected = try fields.flag("exposure", standard: true)
  }

  func check(in library: Library) throws { _ = try library.plants.reference(plant) }

  func run(in context: JobContext) async throws -> JobResult {
    try await context.withLibrary(for: .reading) { library in
      let plant = try library.plants.reference(plant)
      let ending = format.rawValue
      var request = try TimeLapseRequest(
        plant: plant.id, path: context.resultPath(ending: ending))
      request.firstDay = firstDay
      request.lastDay = lastDay
      request.pace = pace
      request.framesPerSecond = framesPerSecond
      request.side = side ?? request.side
      request.isOnePerDay = isOnePerDay
      request.hasDateStamp = hasDateStamp
      request.isAligned = isAligned
      request.isExposureCorrected = isExposureCorrected
      let made = try await TimeLapse(library).run(request) { context.show(share: $0) }
      return JobResult(
        TimeLapseDocument(made, path: nil),
        file: try context.resultFile(
          name: plant.name, ending: ending,
          mediaType: format == .mp4 ? "video/mp4" : "image/\(ending)"))
    }
  }
}
