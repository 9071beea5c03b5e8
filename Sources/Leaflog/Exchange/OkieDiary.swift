internal import DiaryCatalog
internal import DiaryModel
internal import Fields
internal import Foundation

/// The JSON of the activity tracker "Okie", versions 1.0 and 1.1: activities and their completions.
/// 1.0 had icon names instead of emoji, and activities had no start day.
private struct OkieDiary {
  var activities: [(activity: ExchangedActivity, offset: Int)] = []
  /// Completions nested in activities come first.
  var completions: [OkieCompletion] = []
  /// Fields that Leaflog has no counterpart for.
  var ignoredFields: Set<String> = []

  init(_ root: JSONNode, _ zone: TimeZone) throws(InvalidValue) {
    ignore(root, besides: ["activities", "completions"])
    for node in try root.objects("activities") {
      let activity = try Self.activity(node, zone, position: activities.count)
      activities.append((activity, node.offset))
      ignore(
        node,
        besides: [
          "id", "name", "category", "optionalDetails", "createdDate", "priorityRank", "iconName",
          "emojiIcon", "startFromDate", "completions",
        ])
      for done in try node.objects("completions") { try read(done, zone, of: activity.id) }
    }
    for done in try root.objects("completions") { try read(done, zone, of: nil) }
  }

  private mutating func ignore(_ node: JSONNode, besides known: Set<String>) {
    ignoredFields.formUnion(Set(node.members.map(\.name)).subtracting(known))
  }

  private mutating func read(
    _ node: JSONNode, _ zone: TimeZone, of owner: ActivityID?
  ) throws(InvalidValue) {
    completions.append(try OkieCompletion(node, zone, of: owner))
    ignore(node, besides: ["id", "activityId", "completedDate", "source"])
  }

  private static func activity(
    _ node: JSONNode, _ zone: TimeZone, position: Int
  ) throws(InvalidValue) -> ExchangedActivity {
    let id = ActivityID(stored: try node.id("id"))
    let created = EntryTime(try node.time("createdDate"), in: zone)
    let start = try node.member("startFromDate") == nil ? nil : node.time("startFromDate")
    // A text that is not an emoji is the name of an icon, whatever the field is called.
    let icon = try node.text("emojiIcon")?.tidied
    let emoji = icon.flatMap { $0.isOneEmoji ? $0 : nil }
    let rank = node.member("priorityRank")
    guard let rank = rank == nil ? position : rank?.whole, ExchangedActivity.ranks.contains(rank)
    else {
      let ranks = ExchangedActivity.ranks
      throw node.invalid("priorityRank", "\(ranks.lowerBound) to \(ranks.upperBound)")
    }
    let details = ActivityDetails(
      name: try node.requiredText("name"), emoji: emoji,
      category: try node.text("category")?.tidied ?? ActivityCategory.others.rawValue,
      startFrom: (start.map { EntryTime($0, in: zone) } ?? created).localDay,
      notes: try node.text("optionalDetails"),
      iconName: try node.text("iconName")?.tidied ?? (emoji == nil ? icon : nil))
    do throws(InvalidValue) {
      return ExchangedActivity(
        id: id, details: try details.checked(), rank: rank, createdAt: created.instant)
    } catch { throw error.within(at: (node[error.field] ?? node).offset) }
  }
}

/// A completion of an activity in Okie's format.
private struct OkieCompletion {
  let id: EntryID
  let activity: ActivityID
  let time: EntryTime
  let source: String
  let node: JSONNode

  /// - Parameter owner: the activity that it is nested in, if any.
  init(_ node: JSONNode, _ zone: TimeZone, of owner: ActivityID?) throws(InvalidValue) {
    self.node = node
    id = EntryID(stored: try node.id("id"))
    let named: String? =
      node["activityId"] != nil || owner == nil ? try node.id("activityId") : nil
    if let owner, let named, owner.description != named {
      throw InvalidValue(
        "activityId", .sentence("this completion stands in one activity and names another."),
        at: (node["activityId"] ?? node).offset)
    }
    activity = owner ?? ActivityID(stored: named ?? "")
    // Kept as clock time in the library's zone, so that the day stays if that zone changes.
    let moment = EntryTime(try node.time("completedDate"), in: zone)
    time =
      moment.basis == .instant
      ? EntryTime(.zoned(moment.wall, moment.offset), in: zone) : moment
    source = try node.text("source")?.tidied ?? "app"
  }
}

extension JSONNode {
  /// The value of a member; nil for null.
  fileprivate func member(_ name: String) -> JSONNode? {
    self[name].flatMap { if case .null = $0.value { nil } else { $0 } }
  }

  fileprivate func invalid(_ name: String, _ takes: String) -> InvalidValue {
    guard let node = self[name] else { return InvalidValue(name, .missing(takes), at: offset) }
    return InvalidValue(name, .notTaken(takes), given: node.given, at: node.offset)
  }

  fileprivate func objects(_ name: String) throws(InvalidValue) -> [JSONNode] {
    guard let list = member(name) else { return [] }
    guard case .list(let nodes) = list.value else { throw invalid(name, "a list") }
    for node in nodes {
      guard case .object = node.value else {
        throw InvalidValue(name, .notTaken("objects"), given: node.given, at: node.offset)
      }
    }
    return nodes
  }

  fileprivate func text(_ name: String) throws(InvalidValue) -> String? {
    guard let node = member(name) else { return nil }
    guard case .text(let text) = node.value else { throw invalid(name, "a text") }
    return text
  }

  fileprivate func requiredText(_ name: String) throws(InvalidValue) -> String {
    guard let text = try text(name) else { throw invalid(name, "a text") }
    return text
  }

  fileprivate func id(_ name: String) throws(InvalidValue) -> String {
    guard let id = writtenID(try requiredText(name)) else { throw invalid(name, "a UUID") }
    return id
  }

  fileprivate var whole: Int? { if case .whole(let number) = value { number } else { nil } }

  /// Swift's encoder writes a date as seconds since the beginning of 2001, or as a moment in ISO 8601.
  fileprivate func time(_ name: String) throws(InvalidValue) -> RecordedTime {
    switch self[name]?.scalar {
    case .text(let text)?: if let time = CellTime(written: text)?.time { return time }
    case let scalar?:
      let epoch = 978_307_200.0
      // The years 1 to 9999, less a day at each end for time zones.
      if let seconds = Double(scalar),
        (-62_135_510_400...253_402_214_400).contains(seconds + epoch)
      {
        let milliseconds = ((seconds + epoch) * 1000).rounded()
        return .instant(Timestamp(milliseconds: Int64(milliseconds)))
      }
    case nil: break
    }
    throw invalid(name, "a time such as 2025-07-10T09:30:00Z, or seconds since 2001")
  }
}

extension DiaryFile {
  mutating func readOkieDiary(_ root: JSONNode, _ zone: TimeZone) throws(InvalidValue) {
    let okie = try OkieDiary(root, zone)
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
    var offsets: [Int] = []
    let ordered = okie.completions.enumerated().sorted {
      ($0.element.time.instant, $0.offset) < ($1.element.time.instant, $1.offset)
    }
    for completion in ordered.map(\.element) {
      guard let activity = references[completion.activity] else {
        let node = completion.node
        throw InvalidValue(
          "activityId",
          .sentence("there is no activity with the id \(completion.activity) in the file."),
          at: (node["activityId"] ?? node).offset)
      }
      let day = DayOfActivity(activity: activity.id, day: completion.time.localDay)
      guard days.insert(day).inserted else {
        repeatedCount += 1
        continue
      }
      offsets.append(completion.node.offset)
      batch.entries.append(
        ExchangedEntry(
          id: completion.id, time: completion.time,
          content: .completion(Completion(activity: activity, source: completion.source))))
    }
    let activityOffsets = okie.activities.map(\.offset)
    offset = { [offsets] place in
      switch place {
      case .activity(let index): activityOffsets[index]
      case .entry(let index): offsets[index]
      case .plant, .quote, .factor: preconditionFailure("Okie has none")
      }
    }
  }

  private struct DayOfActivity: Hashable {
    let activity: ActivityID
    let day: LocalDay
  }
}
