internal import DiaryModel
internal import Fields

/// The ids under which a library knows the plants, activities and quotes of another copy, and the names under which it knows
/// its factors, where they differ.
struct SideIDs {
  var plants: [PlantID: PlantID] = [:]
  var activities: [ActivityID: ActivityID] = [:]
  var quotes: [QuoteID: QuoteID] = [:]
  /// By the folded names of the other copy.
  var factors: [String: String] = [:]

  func plant(_ plant: PlantReference?) -> PlantReference? {
    plant.map { PlantReference(id: plants[$0.id] ?? $0.id, name: $0.name) }
  }

  func content(_ content: EntryContent) -> EntryContent {
    switch content {
    case .completion(let completion):
      let activity = completion.activity
      return .completion(
        Completion(
          activity: ActivityReference(
            id: activities[activity.id] ?? activity.id, name: activity.name, emoji: activity.emoji),
          source: completion.source))
    case .quote(let quote):
      guard let id = quotes[quote.id] else { return content }
      return .quote(
        Quote(
          id: id, text: quote.text, author: quote.author, source: quote.source,
          origin: quote.origin))
    case .dailyLog(var log):
      log.factors = log.factors.renamed { factors[foldedName($0)] ?? $0 }
      return .dailyLog(log)
    default: return content
    }
  }
}

/// An entry as one copy of a library has it, with the ids of the copy that receives changes.
struct EntryVersion {
  var time: EntryTime
  /// The source of a photo's time.
  var timeSource: CaptureSource?
  var plant: PlantReference?
  var isFavourite: Bool
  var content: EntryContent
  let notes: String?
  let tags: [String]
  let isDeleted: Bool

  init(_ entry: Entry, _ ids: SideIDs = SideIDs()) {
    (time, timeSource) = (entry.time, entry.photo?.captureSource)
    plant = ids.plant(entry.plant)
    isFavourite = entry.photo?.isFavourite ?? false
    content = ids.content(entry.content)
    (notes, tags, isDeleted) = (entry.notes, entry.tags, entry.deletedAt != nil)
  }

  /// The SHA-256 of a photo's file as it was imported.
  var file: BlobID? {
    if case .photo(let photo) = content { photo.sourceDigest } else { nil }
  }

  /// Whether the content fits the day.
  var isValid: Bool { (try? content.checked(day: time.localDay)) != nil }

  /// Whether users would call both the same.
  func isSame(as other: EntryVersion) -> Bool {
    notes == other.notes && tags == other.tags && isDeleted == other.isDeleted && file == other.file
      && Self.fields(of: [self, other]).allSatisfy { $0.isEqual(self, other) }
  }
}

extension EntryVersion {
  /// The fields of versions of an entry, besides notes, tags and files. Each factor with a value in one of them is a field.
  static func fields(of versions: [EntryVersion?]) -> [MergeField<EntryVersion>] {
    let versions = versions.compactMap(\.self)
    guard let kind = versions.first?.content.kind else { return [] }
    return switch kind {
    case .photo: shared + [favourite]
    case .symptom: shared + symptom
    case .dailyLog: shared + dailyLog(versions)
    case .mood: shared + [mood]
    // Neither an activity's completion nor a quote has anything else that can be edited.
    case .quote, .completion: shared
    default: shared + (kind.part.map { part(of: $0) } ?? [])
    }
  }

  static let time = MergeField<EntryVersion>(
    name: "time", isEqual: { $0.time.isRecorded(as: $1.time) },
    copy: {
      $1.time = $0.time
      $1.timeSource = $0.timeSource
    }, text: { $0.time.recorded.iso8601 })

  private static let shared: [MergeField<EntryVersion>] = [
    time,
    MergeField(
      name: "plant", isEqual: { $0.plant?.id == $1.plant?.id }, copy: { $1.plant = $0.plant },
      text: { $0.plant?.name }),
  ]

  private static let favourite = MergeField<EntryVersion>("favourite", \.isFavourite) {
    $0 ? "yes" : nil
  }

  private static let mood = MergeField<EntryVersion>("mood", \.content) {
    if case .mood(let mood) = $0 { mood.words } else { nil }
  }

  // A severity and its label are one value.
  private static let symptom: [MergeField<EntryVersion>] =
    (Symptom.fields.all.filter { !$0.name.hasPrefix("severity") }.map { MergeField($0) }
    + [MergeField<Symptom>("severity", \.severity) { $0.description }]).map { field in
      field.of({ Symptom($0.content) }) { $1.content = $0.content }
    }

  private static func dailyLog(_ versions: [EntryVersion]) -> [MergeField<EntryVersion>] {
    let names = versions.flatMap { DailyLog($0.content)?.factors.items.map(\.name) ?? [] }
    let factors = Dictionary(names.map { (foldedName($0), $0) }) { first, _ in first }
    return part(of: DailyLog.self).filter { $0.name != "factors" }
      + factors.sorted { $0.key < $1.key }.map { _, name in
        MergeField<DailyLog>(
          name: name, isEqual: { $0.factors[name] == $1.factors[name] },
          copy: { $1.factors[name] = $0.factors[name] },
          text: { $0.factors[name].map(\.scalar.shown) }
        ).of({ DailyLog($0.content) }) { $1.content = $0.content }
      }
  }

  private static func part<Part: EntryPart>(of _: Part.Type) -> [MergeField<EntryVersion>] {
    Part.fields.all.map { field in
      MergeField(field).of({ Part($0.content) }) { $1.content = $0.content }
    }
  }
}

extension EntryTime {
  /// Whether the same time was recorded for the same day. The place of an instant depends on the library's zone.
  fileprivate func isRecorded(as other: EntryTime) -> Bool {
    recorded == other.recorded
      && (basis == .instant || offset == other.offset && localDay == other.localDay)
  }
}
