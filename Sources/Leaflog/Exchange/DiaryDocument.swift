internal import DiaryCatalog
internal import DiaryModel
internal import Fields
internal import Foundation

/// The name and version of the diary's JSON format.
enum DiaryFormat {
  static let name = "leaflog-diary"
  static let version = 1
}

extension DiaryFile {
  mutating func readJSON(_ zone: TimeZone, dayEnd: Int) throws {
    let root: JSONNode
    do throws(JSONFailure) { root = try JSONNode(parsing: source.bytes) } catch {
      throw source.failure(at: error.offset, error.reason)
    }
    do {
      if try isOkieDiary(root) {
        try readOkieDiary(root, zone)
      } else {
        try readDocument(root, zone, dayEnd: dayEnd)
      }
    } catch let error as InvalidValue {
      throw source.failure(at: error.offset ?? root.offset, error.descriptionInFile)
    }
  }

  /// Whether the file comes from the activity tracker Okie, whose files have activities only.
  private func isOkieDiary(_ root: JSONNode) throws -> Bool {
    guard let format = root["format"] else {
      if root["activities"] != nil { return true }
      throw source.failure(
        at: root.offset, "this is no diary: it has neither “format” nor “activities”.")
    }
    guard format.scalar == .text(DiaryFormat.name) else {
      throw InvalidValue(
        "format", .notTaken(DiaryFormat.name), given: format.given, at: format.offset)
    }
    guard let version = root["version"] else {
      throw source.failure(
        at: root.offset, "version takes a whole number, and it is missing.")
    }
    guard case .whole(let number) = version.value, number > 0 else {
      throw InvalidValue(
        "version", .notTaken("a whole number"), given: version.given, at: version.offset)
    }
    guard number <= DiaryFormat.version else {
      throw source.failure(
        at: version.offset,
        "version \(number) was written by a newer Leaflog; this one reads up to "
          + "\(DiaryFormat.version). Update Leaflog to read it.", .tooNew)
    }
    return false
  }

  private mutating func readDocument(_ root: JSONNode, _ zone: TimeZone, dayEnd: Int) throws {
    let names = [
      "format", "version", "plants", "activities", "quotes", "factors", "entries", "settings",
      "timeZone",
    ]
    for member in root.members where !names.contains(member.name) {
      throw InvalidValue(member.name, .unknown(names), at: member.node.offset)
    }
    batch.plants = try list("plants", of: root).map { try ExchangedPlant.fields.read($0) }
    batch.activities = try list("activities", of: root).map {
      try ExchangedActivity.fields.read($0)
    }
    batch.quotes = try list("quotes", of: root).map { try ExchangedQuote.fields.read($0) }
    batch.factors = try list("factors", of: root).map { try ExchangedFactor.fields.read($0) }
    batch.settings = try Self.settings(root["settings"])
    let placing = EntryPlacing(
      zone: zone, origin: try root["timeZone"].map(Self.timeZone), dayEnd: dayEnd,
      quotes: Dictionary(batch.quotes.map { ($0.quote.id, $0.quote) }) { first, _ in first })
    batch.entries = try list("entries", of: root).map { node in
      try Task.checkCancellation()
      return try ExchangedEntry(node, placing)
    }
    offset = { place in
      let (list, index) = place.member
      guard case .list(let nodes)? = root[list]?.value else { return root.offset }
      return nodes[index].offset
    }
  }

  /// The objects of a list, which may be absent.
  private func list(_ name: String, of root: JSONNode) throws(InvalidValue) -> [JSONNode] {
    guard let node = root[name] else { return [] }
    guard case .list(let nodes) = node.value else {
      throw InvalidValue(name, .notTaken("a list"), given: node.given, at: node.offset)
    }
    for node in nodes {
      guard case .object = node.value else {
        throw InvalidValue(name, .notTaken("objects"), given: node.given, at: node.offset)
      }
    }
    return nodes
  }

  private static func timeZone(_ node: JSONNode) throws(InvalidValue) -> TimeZone {
    guard case .text(let name) = node.value, let zone = TimeZone(identifier: name) else {
      throw InvalidValue(
        "timeZone", .notTaken("a time zone such as Europe/Berlin"), given: node.given,
        at: node.offset)
    }
    return zone
  }

  private static func settings(_ node: JSONNode?) throws(InvalidValue) -> [SettingKey: String] {
    guard let node else { return [:] }
    guard case .object(let members) = node.value else {
      throw InvalidValue("settings", .notTaken("an object"), given: node.given, at: node.offset)
    }
    var settings: [SettingKey: String] = [:]
    for member in members {
      let setting = LibrarySetting.allCases.first { $0.key?.rawValue == member.name }
      guard let key = setting?.key, DiaryBatch.settingKeys.contains(key), let setting else {
        throw InvalidValue(
          member.name, .unknown(DiaryBatch.settingKeys.map(\.rawValue)), at: member.node.offset)
      }
      guard case .text(let value) = member.node.value else {
        throw InvalidValue(
          key.rawValue, .notTaken("a text"), given: member.node.given, at: member.node.offset)
      }
      do throws(InvalidValue) { settings[key] = try setting.checked(value) } catch {
        throw InvalidValue(
          key.rawValue, error.problem, given: member.node.given, at: member.node.offset)
      }
    }
    return settings
  }
}

extension BatchPlace {
  /// The list of the document that contains it, and its index there.
  fileprivate var member: (list: String, index: Int) {
    switch self {
    case .plant(let index): ("plants", index)
    case .activity(let index): ("activities", index)
    case .quote(let index): ("quotes", index)
    case .factor(let index): ("factors", index)
    case .entry(let index): ("entries", index)
    }
  }
}

/// The place of a file's entries in a library.
private struct EntryPlacing {
  /// The library's zone.
  let zone: TimeZone
  /// The zone of the library that the file was exported from, if it says so.
  let origin: TimeZone?
  /// The hour until which a time counts for the day before, where the file does not say its day.
  let dayEnd: Int
  /// The file's quotes.
  let quotes: [QuoteID: Quote]

  /// The time in a library. An instant is placed in its zone, and a clock time as it was where it was exported.
  func time(of entry: FiledEntry) throws(InvalidValue) -> EntryTime {
    var recorded = entry.time
    if entry.timeBasis == .instant, case .zoned(let wall, let offset) = recorded {
      recorded = .instant(wall.timestamp(offset: offset))
    }
    if case .instant = recorded { return EntryTime(recorded, in: zone, dayEnd: dayEnd) }
    let placed = EntryTime(recorded, in: origin ?? zone)
    guard let localDay = entry.localDay, localDay != placed.localDay else { return placed }
    guard placed.basis != .day, localDay == placed.localDay.advanced(by: -1) else {
      throw InvalidValue(
        "localDay", .sentence("localDay is the day of occurredAt, or the day before."))
    }
    return placed.counted(for: localDay)
  }
}

extension ExchangedEntry {
  fileprivate init(_ node: JSONNode, _ placing: EntryPlacing) throws(InvalidValue) {
    func located(_ error: InvalidValue, in part: String? = nil) -> InvalidValue {
      let part = part.flatMap { node[$0] } ?? node
      return error.within(at: (part[error.field] ?? part).offset)
    }
    let kind = node["kind"]?.scalar.flatMap { EntryKind($0) }
    let unknown = node.members.first {
      kind != nil && $0.name != kind?.rawValue && EntryKind(rawValue: $0.name) != nil
    }
    if let kind, let unknown {
      throw InvalidValue(
        unknown.name,
        .sentence("an entry of the kind \(kind.rawValue) has no \(unknown.name)."),
        at: unknown.node.offset)
    }
    let entry = try FiledEntry.fields.read(node)
    guard var content = entry.content else {
      let takes = FiledEntry.fields[entry.kind.rawValue]?.rule.takes(.json) ?? "an object"
      throw InvalidValue(entry.kind.rawValue, .missing(takes), at: node.offset)
    }
    if case .quote(let quote) = content {
      guard let whole = placing.quotes[quote.id] else {
        throw located(
          InvalidValue(
            "quote",
            .sentence("there is no quote with the id \(quote.id) among the file's quotes.")))
      }
      content = .quote(whole)
    }
    let (time, tags): (EntryTime, [String])
    do throws(InvalidValue) {
      (time, tags) = (try placing.time(of: entry), try (entry.tags ?? []).checkedTags())
    } catch { throw located(error) }
    do throws(InvalidValue) { content = try content.checked(day: time.localDay) } catch {
      throw located(error, in: entry.kind.rawValue)
    }
    self.init(
      id: entry.id ?? .random(), time: time, notes: entry.notes, tags: tags,
      plant: entry.plant.map { .id($0) }, content: content, deletedAt: entry.deletedAt)
  }
}
