internal import Language
internal import Leaflog

/// An entry other than a photo, on one line of a timeline.
struct EntryLine {
  let id: String
  /// The entry, for those who swipe to delete it; nil where it is deleted already.
  let swipe: String?
  let href: String
  let emoji: String
  /// The kind in one word, for those who do not see the emoji; nil where the title is the kind.
  let kind: String?
  /// The time of day; nil where only the day is known.
  let clock: String?
  let title: String
  let detail: String
}

extension EntryLine {
  func html(_ words: Words) -> HTML {
    #"<a class="line" id="e-\#(id)" href="\#(href)"\#(attribute: "data-swipe", swipe)\#(attribute: "data-delete", swipe.map { _ in words["delete"] }) data-sign="\#(emoji)">\#(kind.map { #"<b class="unseen">\#($0): </b>"# as HTML })<span dir="auto">\#(clock.map { "<time>\($0)</time> " as HTML })<strong>\#(title)</strong> \#(detail)</span></a>"#
  }

  /// Nil for a photo.
  ///
  /// - Parameter list: the address of the list, to which forms return.
  init?(_ entry: Entry, returningTo list: PageAddress? = nil, in context: PageContext) {
    let words = context.words
    var kind: String? = words["singular.\(entry.kind.rawValue)"]
    let (id, day) = (entry.id.description, entry.time.localDay)
    let back = list.map { [("back", "\($0.text)#e-\(id)")] } ?? []
    let notes = PageAddress("/entries/\(id)", back).text
    let (href, emoji, title): (String, String, String)
    var about: [String?] = []
    switch entry.content {
    case .photo: return nil
    case .symptom(let symptom):
      (href, emoji, title) = (PageAddress("/symptoms/\(id)", back).text, "🤕", symptom.name)
      about += [context.severity(symptom.severity)]
    case .dailyLog(let log):
      let address = PageAddress("/log", [("on", "\(day)")] + back)
      (href, emoji, title, kind) = (address.text, "📋", words["dailyLog"], nil)
      about += [context.summary(log)]
    case .episode(let episode):
      let address = PageAddress("/episodes/\(id)", back)
      (href, emoji, title) = (address.text, episode.type.emoji, context.name(episode.type))
    case .mood(let mood):
      (href, emoji, title) = (notes, mood.emoji, context.name(mood))
    case .quote(let quote):
      (href, emoji, title) = ("/quotes", "💬", quote.text)
      about += [quote.author]
    case .completion(let completion):
      let activity = completion.activity
      (href, emoji, title) = (notes, activity.emoji, activity.name)
    }
    about += [entry.notes]
    self.init(
      id: id, swipe: entry.deletedAt == nil ? id : nil,
      // The trash is the place of a deleted entry.
      href: entry.deletedAt == nil ? href : "/me/trash", emoji: emoji, kind: kind,
      clock: context.reader.clock(entry.time), title: title, detail: about.joined(by: " · "))
  }
}

extension PageContext {
  func name(_ mood: Mood) -> String { words["mood.\(mood.rawValue)"] }

  func name(_ type: Episode.Illness) -> String { words["type.\(type.rawValue)"] }

  /// The label, or the number out of five.
  func severity(_ severity: Severity) -> String {
    severity.label.map(label)
      ?? words.text("ofFive", ["number": reader.exactNumber(severity.value)])
  }

  /// A step of a scale; those of the standard scale are in the reader's language.
  func label(_ step: String) -> String { words.texts["scale.\(step)"] ?? step }

  /// A log as a sentence; empty when no field was recorded.
  func summary(_ log: DailyLog) -> String {
    var parts: [String] = []
    let quality = log.sleepQuality.map { words["logSleepQuality.\($0)"] }
    if let hours = log.sleepHours {
      let hours = reader.exactNumber(hours)
      parts.append(
        quality.map { words.text("logSleptWell", ["how": $0, "hours": hours]) }
          ?? words.text("logSlept", ["hours": hours]))
    } else if let quality {
      parts.append(words.text("logSleptHow", ["how": quality]))
    }
    if let stress = log.stress { parts.append(words["logStress.\(stress)"]) }
    if let minutes = log.exerciseMinutes {
      let kind = log.exerciseType ?? .other
      if minutes > 0 {
        let text = words["logExercise.\(kind.rawValue)"]
        parts.append(text.replacing("{minutes}", with: reader.number(minutes)))
      }
    } else if let kind = log.exerciseType {
      parts.append(words["logMoved.\(kind.rawValue)"])
    }
    if let sugar = log.sugar { parts.append(words["logSugar.\(sugar.rawValue)"]) }
    if let alcohol = log.alcohol { parts.append(words["logAlcohol.\(alcohol.rawValue)"]) }
    for (value, key) in [
      (log.officeDay, "logOffice"), (log.sickContact, "logContact"),
      (log.humidifier, "logHumidifier"),
    ] where value == true {
      parts.append(words[key])
    }
    parts += log.factors.items.map { item in
      let value =
        switch item.value {
        case .flag(let flag): words[flag ? "changedValue.yes" : "changedValue.no"]
        case .number(let number):
          [reader.wholeNumber(number), item.unit].compactMap(\.self).joined(separator: " ")
        case .choice(let text), .typed(let text): text
        }
      return words.text("logFactor", ["name": item.name, "value": value])
    }
    parts = parts.map(\.isolated)
    guard let last = parts.popLast() else { return "" }
    if parts.isEmpty { return last }
    return words.text("logAnd", ["first": parts.joined(separator: ", "), "last": last])
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
