internal import Fields
internal import Foundation
internal import Leaflog
internal import Synchronization

/// Imports a folder of photos that the server may use.
struct ImportFolderJob: JobKind {
  static let name = "importFolder"
  static let unit = JobProgress.Unit.files
  static let fields: [any AnyParameter] = [folderPath, BodyField.plant, followsLinks, isDryRun]

  private static let folderPath = Parameter<String>(
    "path", .path, isRequired: true, "A folder on the server's machine.")
  private static let followsLinks = Parameter<Bool>("followLinks", .flag, standard: false)
  private static let isDryRun = Parameter<Bool>.isDryRun

  private let path: String
  private let plant: String?
  private let followsLinks: Bool
  private let isDryRun: Bool

  init(_ body: BodyReader) throws {
    path = try body.known(Self.folderPath)
    plant = try body.value(BodyField.plant)
    followsLinks = try body.known(Self.followsLinks)
    isDryRun = try body.known(Self.isDryRun)
  }

  func check(in library: Library) throws { _ = try folder(in: library) }

  private func folder(in library: Library) throws -> String {
    let place = try AllowedFolders(of: library).place(path)
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: place, isDirectory: &isFolder), isFolder.boolValue
    else { throw BodyReader.refusal("“\(shortened(path))” is not a folder.") }
    return place
  }

  struct Result: Shown {
    struct Failure: Shown {
      let path: String
      let reason: FailureReason
      let message: String

      static let shown = Fields<Failure>([
        // The path below the folder.
        Field(adding: "path", .text) { $0.path },
        Field(adding: "reason", .choice) { $0.reason },
        Field(adding: "message", .text) { $0.message },
      ])
    }

    let summary: ImportSummaryDocument
    let failed: [Failure]

    static let shown = Fields<Result>([
      Field(adding: "summary", ImportSummaryDocument.shown) { $0.summary },
      Field(adding: "failed", each: Failure.shown) { $0.failed },
    ])
  }

  func run(in context: JobContext) async throws -> JobResult<Result> {
    try await context.withLibrary(for: .writing) { library in
      let folder = try folder(in: library)
      var request = ImportRequest(paths: [folder])
      request.plant = plant.map { .named($0) } ?? .folder
      request.followsLinks = followsLinks
      request.isDryRun = isDryRun
      // The files in it were not named one by one.
      request.readmission = .none
      countFiles(of: request, context)
      let failed = Mutex<[Result.Failure]>([])
      let summary = try await Importer(library).run(request) { outcome in
        let name = Self.name(of: outcome, in: folder)
        if case .failed(let reason, let message) = outcome.result {
          failed.withLock {
            $0.note(.init(path: name, reason: reason, message: message.withoutFolders))
          }
        }
        context.progress {
          $0.done += 1
          $0.current = name
        }
      }
      let document = ImportSummaryDocument(summary, isDryRun: isDryRun)
      return JobResult(
        Result(summary: document, failed: failed.withLock { $0 }),
        isComplete: !summary.isInterrupted)
    }
  }

  /// Counts the files in the background, for the total of the progress.
  private func countFiles(of request: ImportRequest, _ context: JobContext) {
    Thread.detachNewThread {
      let count = Importer.fileCount(request)
      context.progress { $0.total = count }
    }
  }

  /// The name of a file below the folder. The targets of links are not disclosed.
  private static func name(of outcome: FileOutcome, in folder: String) -> String {
    let name = outcome.path.dropFirst(folder.count).drop { $0 == "/" }
    return name.isEmpty ? "." : String(name)
  }
}

/// Makes a film of a plant's photos.
struct TimeLapseJob: JobKind {
  static let name = "timelapse"
  static let right = AccessRight.readDiary
  static let unit = JobProgress.Unit.percent
  static let fields: [any AnyParameter] =
    [
      plantName, formatName, Parameter<RecordedTime>.first, Parameter<RecordedTime>.last, paceName,
      rate, longerSide, onePerDay, dateStamp, align, exposure,
    ] + HourFields.all

  private static let plantName = BodyField.plant.required()
  private static let formatName = Parameter<TimeLapseRequest.Format>(
    "format", .choice, standard: .webp)
  private static let paceName = Parameter<TimeLapseRequest.Pace>("pace", .choice, standard: .even)
  private static let rate = Parameter<Double>(
    "fps", .number(TimeLapseRequest.rates), standard: 10,
    "Photos per second; at most 50 in a WebP or GIF.")
  private static let longerSide = Parameter<Int>("size", .whole(16...7680), "In pixels.")
  private static let onePerDay = Parameter<Bool>("onePerDay", .flag, standard: false)
  private static let dateStamp = Parameter<Bool>("dateStamp", .flag, standard: false)
  private static let align = Parameter<Bool>("align", .flag, standard: true)
  private static let exposure = Parameter<Bool>("exposure", .flag, standard: true)

  private let plant: String
  private let format: TimeLapseRequest.Format
  private let first: RecordedTime?
  private let last: RecordedTime?
  private let pace: TimeLapseRequest.Pace
  private let framesPerSecond: Double
  /// The longer side in pixels; nil for the format's default.
  private let side: Int?
  private let hours: PhotoHours
  private let isOnePerDay: Bool
  private let hasDateStamp: Bool
  private let isAligned: Bool
  private let isExposureCorrected: Bool

  init(_ body: BodyReader) throws {
    plant = try body.known(Self.plantName)
    format = try body.known(Self.formatName)
    first = try body.value(.first)
    last = try body.value(.last)
    pace = try body.known(Self.paceName)
    framesPerSecond = try body.known(Self.rate)
    side = try body.value(Self.longerSide)
    hours = try HourFields.hours(body)
    isOnePerDay = try body.known(Self.onePerDay)
    hasDateStamp = try body.known(Self.dateStamp)
    isAligned = try body.known(Self.align)
    isExposureCorrected = try body.known(Self.exposure)
  }

  func check(in library: Library) throws {
    try request(
      library.plants.reference(matching: plant).id, path: "film." + format.rawValue, in: library
    )
    .check()
  }

  private func request(
    _ plant: PlantID, path: String, in library: Library
  ) throws -> TimeLapseRequest {
    var request = try TimeLapseRequest(plant: plant, path: path)
    request.first = first.map { TimelineBound(library.placed($0)) }
    request.last = last.map { TimelineBound(library.placed($0)) }
    request.pace = pace
    request.framesPerSecond = framesPerSecond
    request.side = side ?? request.side
    request.hours = hours
    request.showsOnePerDay = isOnePerDay
    request.hasDateStamp = hasDateStamp
    request.alignsPhotos = isAligned
    request.correctsExposure = isExposureCorrected
    return request
  }

  func run(in context: JobContext) async throws -> JobResult<TimeLapseDocument> {
    try await context.withLibrary(for: .reading) { library in
      let plant = try library.plants.reference(matching: plant)
      let ending = format.rawValue
      let request = try request(
        plant.id, path: context.resultPath(ending: ending), in: library)
      let made = try await TimeLapse(library).run(request) { context.show(share: $0) }
      return JobResult(
        TimeLapseDocument(made, path: nil),
        file: try context.resultFile(
          name: "\(plant.name)-\(library.today)", ending: ending,
          mediaType: format == .mp4 ? "video/mp4" : "image/\(ending)"))
    }
  }
}

extension TimeLapseRequest.Format: FieldValue {}
extension TimeLapseRequest.Pace: FieldValue {}
