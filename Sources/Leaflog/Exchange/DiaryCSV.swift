internal import DiaryModel

/// A CSV table that a part of the diary is exported to.
@nonexhaustive
public enum DiaryCSV: String, Sendable, CaseIterable {
  /// A row for each entry of the kind with this name; quotes are the favourites.
  case symptom, dailyLog, episode, mood, quote, completion
  /// A row for each activity.
  case activity
  /// A row for each photo, for programs that calculate. It is only written, never imported.
  case photo

  /// The tables from which the diary can be imported again.
  public static let ofDiary = allCases.filter { $0 != .photo }

  /// The name of its file in an export of all tables into a folder.
  public var fileName: String {
    switch self {
    case .symptom: "symptoms.csv"
    case .dailyLog: "daily-logs.csv"
    case .episode: "episodes.csv"
    case .mood: "moods.csv"
    case .quote: "favourite-quotes.csv"
    case .completion: "completions.csv"
    case .activity: "activities.csv"
    case .photo: "photos.csv"
    }
  }

  /// The kind of its entries; nil for activities.
  var kind: EntryKind? { EntryKind(rawValue: rawValue) }
}
