internal import DiaryModel
internal import GRDB

/// The columns of `activity` that users fill in.
extension ActivityDetails {
  init(_ row: Row) throws {
    self.init(
      name: row["name"], emoji: row["emoji"], category: row["category"],
      startFrom: try LocalDay(stored: row["startFrom"]), notes: row["notes"],
      everyDays: row["everyDays"], weeklyGoal: row["weeklyGoal"],
      monthlyGoal: row["monthlyGoal"], iconName: row["iconName"])
  }

  var columns: KeyValuePairs<String, (any DatabaseValueConvertible)?> {
    [
      "name": name, "foldedName": foldedName(name), "emoji": emoji, "category": category,
      "startFrom": startFrom.description, "notes": notes, "everyDays": everyDays,
      "weeklyGoal": weeklyGoal, "monthlyGoal": monthlyGoal, "iconName": iconName,
    ]
  }
}

extension ActivityReference {
  init(stored row: Row) {
    self.init(id: ActivityID(stored: row["publicID"]), name: row["name"], emoji: row["emoji"])
  }
}
