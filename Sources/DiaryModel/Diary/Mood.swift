internal import Fields

/// The mood of a day. There is at most one per day.
@nonexhaustive
public enum Mood: String, Sendable, CaseIterable {
  /// The moods that are offered first.
  case happy, okay, sad
  /// Further moods.
  case excited, grateful, calm, hopeful, tired, stressed, anxious, angry, bored, lonely, sick

  /// The emoji for it.
  public var emoji: String {
    switch self {
    case .happy: "😊"
    case .okay: "🙂"
    case .sad: "😢"
    case .excited: "🤩"
    case .grateful: "🥰"
    case .calm: "😌"
    case .hopeful: "🌱"
    case .tired: "😴"
    case .stressed: "😖"
    case .anxious: "😟"
    case .angry: "😠"
    case .bored: "😐"
    case .lonely: "😔"
    case .sick: "🤒"
    }
  }
}

extension Mood: FieldValue {}
