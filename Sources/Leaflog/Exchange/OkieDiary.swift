internal import DiaryCatalog
internal import DiaryModel
internal import Foundation

/// The JSON of the activity tracker "Okie", versions 1.0 and 1.1: activities and their completions.
/// 1.0 had icon names instead of emoji, and activities had no start day.
struct OkieDiary: Decodable {
  var activities: [OkieActivity] = []
  /// Completions nested in activities come first.
  var completions: [OkieCompletion] = []
  /// Fields that Leaflog has no counterpart for.
  var ignoredFields: Set<String> = []

  static let zoneKey: CodingUserInfoKey = {
    guard let key = CodingUserInfoKey(rawValue: "zone") else { preconditionFailure("not empty") }
    return key
  }()

  init(from decoder: any Decoder) throws {
    let zone = decoder.userInfo[Self.zoneKey] as? TimeZone ?? .gmt
    let fields = try decoder.container(keyedBy: FieldName.self)
    ignoredFields = fields.unknownNames(besides: ["activities", "completions"])
    try read(OkieList(fields, "activities")) { activity, path in
      let id = try activity.okieID("id")
      activities.append(try OkieActivity(id, activity, path, zone, position: activities.count))
      ignoredFields.formUnion(activity.unknownNames(besides: OkieActivity.names))
      try read(OkieList(activity, "completions")) {
        completions.append(try OkieCompletion($0, $1, zone, of: id))
        ignoredFields.formUnion($0.unknownNames(besides: OkieCompletion.names))
      }
    }
    try read(OkieList(fields, "completions")) {
      completions.append(try OkieCompletion($0, $1, zone, of: nil))
      ignoredFields.formUnion($0.unknownNames(besides: OkieCompletion.names))
    }
  }

  /// Calls `body` with each object of a list and its path.
  private func read(
    _ list: OkieList?, _ body: (FieldReader, [any CodingKey]) throws -> Void
  ) throws {
    guard var elements = list?.elements else { return }
    while !elements.isAtEnd {
      let element = try elements.nestedContainer(keyedBy: FieldName.self)
      try body(element, element.codingPath)
    }
  }
}

/// A list that may be missing.
private struct OkieList {
  let elements: any UnkeyedDecodingContainer

  init?(_ fields: FieldReader, _ name: FieldName) throws {
    guard fields.contains(name), try !fields.decodeNil(forKey: name) else { return nil }
    elements = try fields.nestedUnkeyedContainer(forKey: name)
  }
}

/// An activity in Okie's format.
struct OkieActivity {
  static let names: Set = [
    "id", "name", "category", "optionalDetails", "createdDate", "priorityRank", "iconName",
    "emojiIcon", "startFromDate", "completions",
  ]

  var activity: ExchangedActivity
  let path: [any CodingKey]

  fileprivate init(
    _ id: String, _ fields: FieldReader, _ path: [any CodingKey], _ zone: TimeZone, position: Int
  ) throws {
    self.path = path
    let category = try fields.text("category")?.tidied ?? ActivityCategory.others.rawValue
    let created = EntryTime(try fields.okieTime("createdDate"), in: zone)
    let start = try fields.okieTimeIfPresent("startFromDate").map { EntryTime($0, in: zone) }
    // A text that is not an emoji is the name of an icon, whatever the field is called.
    let icon = try fields.text("emojiIcon")?.tidied
    let emoji = icon.flatMap { $0.isOneEmoji ? $0 : nil }
    let iconName = try fields.text("iconName")?.tidied ?? (emoji == nil ? icon : nil)
    try fields.checkNumbers(whole: ["priorityRank"], of: "")
    let rank = try fields.decodeIfPresent(Int.self, forKey: "priorityRank") ?? position
    let details = ActivityDetails(
      name: try fields.decode(String.self, forKey: "name"), emoji: emoji, category: category,
      startFrom: (start ?? created).localDay, notes: try fields.text("optionalDetails"),
      iconName: iconName)
    activity = ExchangedActivity(
      id: ActivityID(stored: id),
      details: try fields.checking {
        try check(rank, "priorityRank", DiaryFields.ranks)
        return try details.checked()
      },
      rank: rank, createdAt: created.instant)
  }
}

/// A completion of an activity in Okie's format.
struct OkieCompletion {
  static let names: Set = ["id", "activityId", "completedDate", "source"]

  let id: EntryID
  let activity: ActivityID
  let time: EntryTime
  let source: String
  let path: [any CodingKey]

  /// - Parameter owner: the id of the activity that it is nested in, if any.
  fileprivate init(
    _ fields: FieldReader, _ path: [any CodingKey], _ zone: TimeZone, of owner: String?
  ) throws {
    self.path = path
    id = EntryID(stored: try fields.okieID("id"))
    let named = fields.contains("activityId") || owner == nil
    let activity = try named ? fields.okieID("activityId") : owner ?? ""
    if let owner, owner != activity {
      throw MisplacedValue(
        path: path + [FieldName("activityId")],
        reason: "this completion stands in one activity and names another.")
    }
    self.activity = ActivityID(stored: activity)
    // Kept as clock time in the library's zone, so that the day stays if that zone changes.
    let moment = EntryTime(try fields.okieTime("completedDate"), in: zone)
    time =
      moment.basis == .instant
      ? EntryTime(.zoned(moment.wall, moment.offset), in: zone) : moment
    source = try fields.text("source")?.tidied ?? "app"
  }
}

extension FieldReader {
  fileprivate func unknownNames(besides known: Set<String>) -> Set<String> {
    Set(allKeys.map(\.stringValue)).subtracting(known)
  }

  fileprivate func okieID(_ name: FieldName) throws -> String {
    let text = try decode(String.self, forKey: name)
    guard let id = writtenID(text) else {
      let invalid = InvalidValue(name.stringValue, takes: "a UUID", given: "“\(text)”")
      throw MisplacedValue(path: codingPath + [name], reason: invalid.descriptionInFile)
    }
    return id
  }

  fileprivate func okieTimeIfPresent(_ name: FieldName) throws -> RecordedTime? {
    guard contains(name), try !decodeNil(forKey: name) else { return nil }
    return try okieTime(name)
  }

  /// Swift's encoder writes a date as seconds since the beginning of 2001, or as a moment in ISO 8601.
  fileprivate func okieTime(_ name: FieldName) throws -> RecordedTime {
    let given: String
    try checkNumbers(whole: [], fractions: [name], of: "")
    if let seconds = try? decode(Double.self, forKey: name) {
      let epoch = 978_307_200.0
      // The years 1 to 9999, less a day at each end for time zones.
      if (-62_135_510_400...253_402_214_400).contains(seconds + epoch) {
        let milliseconds = ((seconds + epoch) * 1000).rounded()
        return .instant(Timestamp(milliseconds: Int64(milliseconds)))
      }
      given = seconds.formatted()
    } else {
      let text = try decode(String.self, forKey: name)
      if let time = RecordedTime(text)?.withKnownDay {
        guard text.hasSuffix("Z"), case .zoned(let wall, let offset) = time else { return time }
        return .instant(wall.timestamp(offset: offset))
      }
      given = "“\(text)”"
    }
    let takes = "a time such as 2025-07-10T09:30:00Z, or seconds since 2001"
    throw MisplacedValue(
      path: codingPath + [name],
      reason: InvalidValue(name.stringValue, takes: takes, given: given).descriptionInFile)
  }
}

extension DiaryFile {
  mutating func readOkieDiary(_ zone: TimeZone, _ positions: JSONPositions) throws {
    let decoder = JSONDecoder()
    decoder.userInfo[OkieDiary.zoneKey] = zone
    let okie = try decoder.decode(OkieDiary.self, from: Data(source.bytes))
    ignoredFields = okie.ignoredFields
    var names: Set<String> = []
    for var activity in okie.activities.map(\.activity) {
      // Okie allows duplicate names.
      let name = activity.details.name
      var number = 1
      while !names.insert(foldedName(activity.details.name)).inserted {
        number += 1
        activity.details.name = "\(name) (\(number))"
      }
      batch.activities.append(activity)
    }
    let references = Dictionary(
      batch.activities.map {
        ($0.id, ActivityReference(id: $0.id, name: $0.details.name, emoji: $0.details.emoji))
      }, uniquingKeysWith: { first, _ in first })
    var days: Set<DayOfActivity> = []
    var paths: [[any CodingKey]] = []
    let ordered = okie.completions.enumerated().sorted {
      ($0.element.time.instant, $0.offset) < ($1.element.time.instant, $1.offset)
    }
    for completion in ordered.map(\.element) {
      guard let activity = references[completion.activity] else {
        throw MisplacedValue(
          path: completion.path + [FieldName("activityId")],
          reason: "there is no activity with the id \(completion.activity) in the file.")
      }
      let day = DayOfActivity(activity: activity.id, day: completion.time.localDay)
      guard days.insert(day).inserted else {
        repeatedCount += 1
        continue
      }
      paths.append(completion.path)
      batch.entries.append(
        ExchangedEntry(
          id: completion.id, time: completion.time,
          content: .completion(Completion(activity: activity, source: completion.source))))
    }
    let activityPaths = okie.activities.map(\.path)
    offset = { place in
      switch place {
      case .activity(let index): positions.value(at: activityPaths[index]).offset
      case .entry(let index): positions.value(at: paths[index]).offset
      case .plant, .quote: preconditionFailure("Okie has none")
      }
    }
  }

  private struct DayOfActivity: Hashable {
    let activity: ActivityID
    let day: LocalDay
  }
}
