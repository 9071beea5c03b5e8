internal import Leaflog

struct SymptomRow {
  let id: String
  let name: String
  let detail: String
  /// In words, for those who do not see the dots.
  let severity: String
  /// One for each step from 1 to 5.
  let dots: [Dot]
}

struct Dot {
  let isFull: Bool
}

struct QuoteCard {
  let id: String
  let text: String
  /// And the work that it stands in.
  let author: String?
  let isFavourite: Bool
  let shareText: String
  let canDelete: Bool

  init(_ quote: Quote, isFavourite: Bool, canDelete: Bool = false) {
    id = quote.id.description
    text = quote.text
    let by = [quote.author, quote.source].compactMap { $0 }.joined(separator: ", ")
    author = by.isEmpty ? nil : by
    self.isFavourite = isFavourite
    shareText = quote.attributed
    self.canDelete = canDelete
  }
}

struct MoodButton {
  let mood: String
  let emoji: String
  let name: String
  let isChosen: Bool
}

extension PageContext {
  /// Nil for an entry of another kind.
  ///
  /// - Parameter withDay: whether its day is told, too.
  func symptomRow(_ entry: Entry, withDay: Bool = false) -> SymptomRow? {
    guard case .symptom(let symptom) = entry.content else { return nil }
    let severity = severity(symptom.severity)
    let day = withDay ? reader.day(entry.time.localDay) : nil
    let medications = symptom.medications.joined(separator: ", ")
    return SymptomRow(
      id: entry.id.description, name: symptom.name,
      detail: .dotted(severity, day, reader.clock(entry.time), medications, entry.notes),
      severity: words.text("severityOf", ["label": severity]),
      dots: (1...5).map { Dot(isFull: Double($0) <= symptom.severity.value.rounded()) })
  }

  /// The moods as buttons: five that most people use, and the others.
  func moodButtons(_ chosen: Mood?) -> (first: [MoodButton], more: [MoodButton]) {
    var first: [Mood] = [.happy, .okay, .tired, .stressed, .sad]
    // The chosen one is among those that are seen.
    if let chosen, !first.contains(chosen) { first[2] = chosen }
    func button(_ mood: Mood) -> MoodButton {
      MoodButton(
        mood: mood.rawValue, emoji: mood.emoji, name: name(mood), isChosen: mood == chosen)
    }
    return (first.map(button), Mood.allCases.filter { !first.contains($0) }.map(button))
  }
}
