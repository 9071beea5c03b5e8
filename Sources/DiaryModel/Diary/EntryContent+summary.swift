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
