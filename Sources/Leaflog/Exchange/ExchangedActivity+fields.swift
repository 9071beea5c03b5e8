internal import DiaryCatalog
internal import Foundation

/// The fields of an activity in the diary's JSON and CSV files, in one place.
extension ExchangedActivity: DiaryPart {
  static var part: String { "activities" }

  func write(to fields: inout FieldWriter) throws {
    try fields.encode(id, forKey: "id")
    try fields.encode(details.name, forKey: "name")
    try fields.encode(details.emoji, forKey: "emoji")
    try fields.encode(details.category, forKey: "category")
    try fields.encode(details.startFrom, forKey: "startFrom")
    try fields.encodeIfPresent(details.notes, forKey: "notes")
    try fields.encodeIfPresent(details.everyDays, forKey: "everyDays")
    try fields.encodeIfPresent(details.weeklyGoal, forKey: "weeklyGoal")
    try fields.encodeIfPresent(details.monthlyGoal, forKey: "monthlyGoal")
    try fields.encodeIfPresent(details.iconName, forKey: "iconName")
    try fields.encode(rank, forKey: "rank")
    if case .id(let plant)? = plant { try fields.encode(plant.description, forKey: "plant") }
    try fields.write(createdAt, "createdAt")
    try fields.write(deletedAt, "deletedAt")
  }
}

extension ExchangedActivity {
  init(reading fields: FieldReader) throws {
    try fields.checkNames(of: "activities")
    try fields.checkNumbers(
      whole: ["everyDays", "weeklyGoal", "monthlyGoal", "rank"], of: "activities")
    let details = ActivityDetails(
      name: try fields.decode(String.self, forKey: "name"), emoji: try fields.text("emoji"),
      category: try fields.text("category") ?? ActivityCategory.others.rawValue,
      startFrom: try fields.decode(LocalDay.self, forKey: "startFrom"),
      notes: try fields.text("notes"),
      everyDays: try fields.decodeIfPresent(Int.self, forKey: "everyDays"),
      weeklyGoal: try fields.decodeIfPresent(Int.self, forKey: "weeklyGoal"),
      monthlyGoal: try fields.decodeIfPresent(Int.self, forKey: "monthlyGoal"),
      iconName: try fields.text("iconName"))
    let rank = try fields.decodeIfPresent(Int.self, forKey: "rank") ?? 0
    self.init(
      id: try fields.required("id", of: "activities") {
        writtenID($0).map { ActivityID(stored: $0) }
      },
      details: try fields.checking {
        try check(rank, "rank", DiaryFields.ranks)
        return try details.checked()
      },
      plant: try fields.parsed("plant", of: "activities") {
        writtenID($0).map { .id(PlantID(stored: $0)) }
      },
      rank: rank, createdAt: try fields.moment("createdAt", of: "activities"),
      deletedAt: try fields.moment("deletedAt", of: "activities"))
  }
}

/// An activity as a row of a table.
struct ActivityCells {
  var id: String?
  var name: String?
  var emoji: String?
  var category: String?
  var startFrom: LocalDay?
  var plant: String?
  var notes: String?
  var everyDays: Int?
  var weeklyGoal: Int?
  var monthlyGoal: Int?
  var iconName: String?
  var rank: Int?
  var createdAt: RecordedTime?
}

extension CSVColumn<ActivityCells> {
  static var all: [CSVColumn] {
    [
      .value("id", takes: DiaryFields.id, \.id, write: CSVText.quoted, parse: writtenID),
      .text("name", \.name).required(),
      .text("emoji", takes: "one emoji", \.emoji),
      .text("category", \.category),
      .day("startFrom", \.startFrom).required(),
      .text("plant", \.plant),
      .integer("everyDays", 1...3660, \.everyDays),
      .integer("weeklyGoal", 1...7, \.weeklyGoal),
      .integer("monthlyGoal", 1...31, \.monthlyGoal),
      .text("notes", \.notes),
      .text("iconName", \.iconName),
      .integer("rank", DiaryFields.ranks, \.rank),
      .time("createdAt", \.createdAt),
    ]
  }
}

extension ActivityCells {
  init(_ activity: ExchangedActivity, plant: String?) {
    let details = activity.details
    self.init(
      id: activity.id.description, name: details.name, emoji: details.emoji,
      category: details.category, startFrom: details.startFrom, plant: plant,
      notes: details.notes, everyDays: details.everyDays, weeklyGoal: details.weeklyGoal,
      monthlyGoal: details.monthlyGoal, iconName: details.iconName, rank: activity.rank,
      createdAt: activity.createdAt.map { .instant($0) })
  }

  /// The activity of a row. Activities without a rank keep the order of their rows.
  func activity(in row: CSVRow, position: Int) throws -> ExchangedActivity {
    guard let name, let startFrom else { preconditionFailure("both are required") }
    let details = ActivityDetails(
      name: name, emoji: emoji, category: category ?? ActivityCategory.others.rawValue,
      startFrom: startFrom, notes: notes, everyDays: everyDays, weeklyGoal: weeklyGoal,
      monthlyGoal: monthlyGoal, iconName: iconName)
    return ExchangedActivity(
      id: id.map { ActivityID(stored: $0) } ?? .random(),
      details: try row.checking { () throws(InvalidValue) in try details.checked() },
      plant: plant.map { .named($0) }, rank: rank ?? position,
      createdAt: createdAt.map { EntryTime($0, in: row.zone).instant })
  }
}
