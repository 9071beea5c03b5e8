extension EntryContent {
  /// The content as one line of text; nil for a photo.
  public var summary: String? {
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
  public var summary: String {
    ([name, severity.description] + took(medications)).joined(separator: ", ")
  }
}

private func took(_ medications: [String]) -> [String] {
  medications.isEmpty ? [] : ["took " + medications.joined(separator: ", ")]
}

extension DailyLog {
  /// `slept 7.5 h (4 of 5), stress 2 of 5, 30 min walk, sugar low`; fields that were not logged are
  /// left out.
  public var summary: String {
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
  public var summary: String {
    var text = type.words + (endDay.map { " until \($0)" } ?? ", ongoing")
    if let severity { text += ", severity \(severity) of 5" }
    if !symptoms.isEmpty { text += ": " + symptoms.map(\.words).joined(separator: ", ") }
    return ([text] + took(medications)).joined(separator: "; ")
  }
}
