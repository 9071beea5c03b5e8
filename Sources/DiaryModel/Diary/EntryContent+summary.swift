extension EntryContent {
  /// The content as one line of text; nil for a photo.
  package var summary: String? {
    switch self {
    case .photo: nil
    case .mood(let mood): "\(mood.emoji) \(mood.words)"
    case .quote(let quote): quote.attributed
    case .completion(let completion): completion.activity.words
    default: part?.summary
    }
  }
}

extension EntryContent {
  /// The content with its names isolated, for calendars. Many terminals draw a box for the characters that do this, and
  /// programs do not expect them.
  package var isolated: EntryContent {
    switch self {
    case .symptom(var symptom):
      symptom.name = symptom.name.isolated
      symptom.medications = symptom.medications.map(\.isolated)
      return .symptom(symptom)
    case .episode(var episode):
      episode.medications = episode.medications.map(\.isolated)
      return .episode(episode)
    case .dailyLog(var log):
      log.factors = log.factors.isolated
      return .dailyLog(log)
    case .completion(let completion):
      let activity = completion.activity
      return .completion(
        Completion(
          activity: ActivityReference(
            id: activity.id, name: activity.name.isolated, emoji: activity.emoji),
          source: completion.source))
    case .quote(var quote):
      quote.author = quote.author?.isolated
      quote.source = quote.source?.isolated
      return .quote(quote)
    case .photo, .mood: return self
    }
  }
}

extension Symptom {
  /// `headache, 3 of 5, took ibuprofen`
  package var summary: String {
    ([name, severity.description] + took(medications)).joined(separator: ", ")
  }
}

private func took(_ medications: [String]) -> [String] {
  medications.isEmpty ? [] : ["took " + medications.joined(separator: ", ")]
}

extension DailyLog {
  /// `slept 7.5 h (4 of 5), stress 2 of 5, 30 min walk, sugar low`; fields that were not logged are
  /// left out.
  package var summary: String {
    var parts: [String] = []
    if let sleepHours {
      parts.append(
        "slept \(sleepHours.formatted()) h" + (sleepQuality.map { " (\($0) of 5)" } ?? ""))
    } else if let sleepQuality {
      parts.append("sleep \(sleepQuality) of 5")
    }
    if let stress { parts.append("stress \(stress) of 5") }
    if let exerciseMinutes {
      parts.append("\(exerciseMinutes) min " + (exerciseType.map(\.exercise) ?? "exercise"))
    } else if let exerciseType {
      parts.append(exerciseType.exercise)
    }
    if let sugar { parts.append("sugar \(sugar.rawValue)") }
    if let alcohol { parts.append("alcohol \(alcohol.rawValue)") }
    for (value, name) in [
      (officeDay, "office"), (sickContact, "sick contact"), (humidifier, "humidifier"),
    ] {
      if let value { parts.append((value ? "" : "no ") + name) }
    }
    parts += factors.items.map { "\($0.name) \($0.words)" }
    return parts.joined(separator: ", ")
  }
}

extension DailyLog.ExerciseType {
  fileprivate var exercise: String { self == .other ? "other exercise" : rawValue }
}

extension Episode {
  /// `cold until 2026-03-08, severity 3 of 5: cough, fever`
  package var summary: String {
    var text = type.words + (endDay.map { " until \($0)" } ?? ", ongoing")
    if let severity { text += ", severity \(severity) of 5" }
    if !symptoms.isEmpty { text += ": " + symptoms.map(\.words).joined(separator: ", ") }
    return ([text] + took(medications)).joined(separator: "; ")
  }
}

extension String {
  /// The text between FSI and PDI if it has a letter that runs from right to left: what is joined to it keeps its place
  /// (Unicode Standard Annex 9, 2.5).
  package var isolated: String {
    // In UTF-8, the letters of all scripts from right to left begin with one of these bytes.
    guard utf8.contains(where: { $0 >= 0xD6 }), unicodeScalars.contains(where: \.isRightToLeft)
    else { return self }
    return "\u{2068}\(self)\u{2069}"
  }
}

extension [String?] {
  /// The parts that are there, in this order for the eye, too, whichever way their letters run.
  package func joined(by separator: String) -> String {
    compactMap(\.self).joined(by: separator)
  }
}

extension [String] {
  /// The parts that are not empty, each isolated.
  package func joined(by separator: String) -> String {
    filter { !$0.isEmpty }.map(\.isolated).joined(separator: separator)
  }
}

extension Unicode.Scalar {
  /// Whether it is in a block whose letters run from right to left (Unicode Character Database, DerivedBidiClass).
  fileprivate var isRightToLeft: Bool {
    switch value {
    case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
      properties.isAlphabetic
    default: false
    }
  }
}
