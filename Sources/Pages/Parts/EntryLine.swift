internal import Leaflog

/// An entry that is no photo, on one line of a timeline.
struct EntryLine {
  let href: String
  let emoji: String
  let title: String
  let detail: String
}

extension PageContext {
  /// Nil for a photo.
  func line(_ entry: Entry) -> EntryLine? {
    let id = entry.id.description
    let day = entry.time.localDay
    let date = reader.dayOfMonth(day)
    let clock = reader.clock(entry.time)
    func line(_ href: String, _ emoji: String, _ title: String, _ more: String?...) -> EntryLine {
      let about = more.compactMap { $0 } + [entry.notes].compactMap { $0 }
      return EntryLine(
        href: href, emoji: emoji, title: title,
        detail: ([date] + about).filter { !$0.isEmpty }.joined(separator: " · "))
    }
    switch entry.content {
    case .photo: return nil
    case .symptom(let symptom):
      return line("/symptoms/\(id)", "🤕", symptom.name, clock, severity(symptom.severity))
    case .dailyLog(let log): return line("/log?on=\(day)", "📋", words["dailyLog"], summary(log))
    case .episode(let episode):
      return line("/episodes/\(id)", episode.type.emoji, name(episode.type))
    case .mood(let mood): return line("/moods", mood.emoji, name(mood))
    case .quote(let quote): return line("/quotes", "💬", quote.text, quote.author)
    case .completion(let completion):
      let activity = completion.activity
      return line("/activities/\(activity.id)", activity.emoji, activity.name, clock)
    }
  }

  func name(_ mood: Mood) -> String { words["mood.\(mood.rawValue)"] }

  func name(_ type: Episode.Illness) -> String { words["episodeType.\(type.rawValue)"] }

  /// The label, or the number of five.
  func severity(_ severity: Severity) -> String {
    severity.label ?? words.text("ofFive", ["number": reader.number(severity.value)])
  }

  /// A log in one line; empty when nothing was recorded but that there is one.
  func summary(_ log: DailyLog) -> String {
    var parts: [String] = []
    if let hours = log.sleepHours {
      parts.append(words.text("logSlept", ["hours": reader.exactNumber(hours)]))
    }
    if let quality = log.sleepQuality {
      parts.append(words.text("logSleepQuality", ["number": "\(quality)"]))
    }
    if let stress = log.stress { parts.append(words.text("logStress", ["number": "\(stress)"])) }
    if let minutes = log.exerciseMinutes {
      let kind = log.exerciseType.map { words["exercise.\($0.rawValue)"] } ?? words["exercise"]
      parts.append(words.text("logExercise", ["kind": kind, "minutes": reader.number(minutes)]))
    } else if let kind = log.exerciseType {
      parts.append(words["exercise.\(kind.rawValue)"])
    }
    if let sugar = log.sugar {
      parts.append("\(words["sugar"]): \(words["amount.\(sugar.rawValue)"].lowercased())")
    }
    if let alcohol = log.alcohol {
      parts.append("\(words["alcohol"]): \(words["alcohol.\(alcohol.rawValue)"].lowercased())")
    }
    for (value, key) in [
      (log.officeDay, "officeDay"), (log.sickContact, "sickContact"),
      (log.humidifier, "humidifier"),
    ] where value == true {
      parts.append(words[key])
    }
    return parts.joined(separator: ", ")
  }
}

extension Episode.Illness {
  var emoji: String {
    switch self {
    case .cold: "🤧"
    case .cough: "😷"
    case .fever: "🤒"
    case .sinus: "👃"
    case .allergy: "🌼"
    case .other: "🛌"
    }
  }
}
