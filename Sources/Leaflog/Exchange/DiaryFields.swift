internal import DiaryModel

/// The names and accepted values of an exchanged diary's fields.
enum DiaryFields {
  static let id = "32 hexadecimal digits"
  static let quoteID = "32 hexadecimal digits, or b and a number"
  static let day = "a day such as 2026-03-01"
  static let time = "a time such as 2026-03-01T09:30, or a day"
  static let moment = "a time such as 2026-03-01T09:30:00Z"
  static let ranks = 0...1_000_000

  /// The accepted values of a field; nil for an unknown field.
  ///
  /// - Parameter part: a member of the document such as `entries`, or the kind of entry that has the field.
  static func takes(_ field: String, of part: String) -> String? { table[part]?[field] }

  /// The fields of a part, by name.
  static func names(of part: String) -> Set<String> { Set(table[part, default: [:]].keys) }

  private static let table: [String: [String: String]] = {
    var table: [String: [String: String]] = [
      "": [
        "format": "\(DiaryFormat.name)", "version": "a whole number", "plants": "a list",
        "activities": "a list", "quotes": "a list", "entries": "a list", "settings": "an object",
        "timeZone": "a time zone such as Europe/Berlin",
      ],
      "plants": [
        "id": id, "name": "a text", "scientificName": "a text", "location": "a text",
        "notes": "a text", "createdAt": moment, "deletedAt": moment,
      ],
      "activities": columns(CSVColumn<ActivityCells>.all).merging(
        ["createdAt": moment, "deletedAt": moment, "plant": id]
      ) { $1 },
      "quotes": [
        "id": quoteID, "text": "a text", "author": "a text", "source": "a text",
        "origin": Quote.Origin.alternatives, "createdAt": moment, "deletedAt": moment,
        "days": "days such as 2026-03-01",
      ],
      "entries": [
        "id": id, "kind": kinds, "occurredAt": time, "timeBasis": "instant",
        "localDay": day, "plant": id,
        "notes": "a text", "tags": "a list of texts", "deletedAt": moment,
        "mood": Mood.alternatives,
        "quote": quoteID,
        "symptom": "an object", "dailyLog": "an object", "episode": "an object",
        "completion": "an object",
      ],
      "settings": [
        "severityScales": "labels from the weakest to the strongest",
        "quoteSource": "bundled or zenquotes", "reminder": "on or off",
        "reminderTime": "a time of day such as 20:00",
        "reminderParts": "some of \(ReminderPart.oneOf) with commas between",
        "reportName": "one line of at most 200 characters",
      ],
      "completion": ["activity": id, "source": "a text"],
    ]
    table["symptom"] = columns(CSVColumn<Symptom>.all)
    table["dailyLog"] = columns(CSVColumn<DailyLog>.all)
    table["episode"] = columns(CSVColumn<Episode>.all)
    for (part, fields) in ["symptom": ["medications"], "episode": ["medications"]] {
      for field in fields { table[part]?[field] = "a list of texts" }
    }
    for field in ["officeDay", "sickContact", "humidifier"] {
      table["dailyLog"]?[field] = "true or false"
    }
    return table
  }()

  /// The kinds of entry without files.
  static let kinds: String = {
    let names = EntryKind.allCases.filter { $0 != .photo }.map(\.rawValue)
    return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }()

  private static func columns<Row>(_ columns: [CSVColumn<Row>]) -> [String: String] {
    Dictionary(columns.map { ($0.name, $0.takes) }, uniquingKeysWith: { $1 })
  }
}

/// The name and version of the diary's JSON format.
enum DiaryFormat {
  static let name = "leaflog-diary"
  static let version = 1
}

/// An id as people and other programs write it: 32 hexadecimal digits, or a UUID.
func writtenID(_ text: String) -> String? {
  let digits = text.filter { $0 != "-" }.lowercased()
  guard digits.utf8.count == EntryID.digitCount,
    digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
  else { return nil }
  return digits
}

extension QuoteID {
  /// Parses a quote's id; nil if the text is not one.
  init?(written text: String) {
    let isBundled =
      text.hasPrefix("b") && (2...9).contains(text.utf8.count)
      && text.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
    guard let id = isBundled ? text : writtenID(text) else { return nil }
    self.init(stored: id)
  }
}
