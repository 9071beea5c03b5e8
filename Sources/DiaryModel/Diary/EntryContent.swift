/// The part of an entry specific to its kind, besides its time, notes, tags and plant.
public enum EntryContent: Sendable, Hashable {
  case photo(PhotoSummary)
  case symptom(Symptom)
  case dailyLog(DailyLog)
  case episode(Episode)
  case mood(Mood)
  case quote(Quote)
  case completion(Completion)

  public var kind: EntryKind {
    switch self {
    case .photo: .photo
    case .symptom: .symptom
    case .dailyLog: .dailyLog
    case .episode: .episode
    case .mood: .mood
    case .quote: .quote
    case .completion: .completion
    }
  }
}

extension EntryContent {
  /// The text that searches match, besides the notes.
  package var searchWords: String? {
    switch self {
    case .photo, .dailyLog: nil
    case .symptom(let symptom):
      ([symptom.name, symptom.severity.label].compactMap { $0 } + symptom.medications)
        .joined(separator: "\n")
    case .episode(let episode):
      ([episode.type.words] + episode.symptoms.map(\.words) + episode.medications
        + [episode.doctorVisit, episode.testResult].compactMap { $0 }).joined(separator: "\n")
    case .mood(let mood): "\(mood.words) \(mood.emoji)"
    case .quote(let quote):
      [quote.text, quote.author, quote.source].compactMap { $0 }.joined(separator: "\n")
    case .completion(let completion): completion.activity.words
    }
  }

  /// The content, validated and with its texts and lists tidied.
  ///
  /// - Parameter day: the entry's day.
  /// - Throws: `InvalidValue` for the first field with an invalid value.
  package func checked(day: LocalDay) throws(InvalidValue) -> EntryContent {
    switch self {
    case .symptom(let symptom): .symptom(try symptom.checked())
    case .dailyLog(let log): .dailyLog(try log.checked())
    case .episode(let episode): .episode(try episode.checked(start: day))
    case .photo, .mood, .quote, .completion: self
    }
  }
}

extension EntryKind: CodingKey {}

extension EntryContent {
  /// Encodes it under the name of its kind: `"mood": "happy"`. A photo's content is not encoded, as it is
  /// meaningless without its file.
  package func encode(to object: inout KeyedEncodingContainer<EntryKind>) throws {
    switch self {
    case .photo: break
    case .symptom(let symptom): try object.encode(symptom, forKey: .symptom)
    case .dailyLog(let log): try object.encode(log, forKey: .dailyLog)
    case .episode(let episode): try object.encode(episode, forKey: .episode)
    case .mood(let mood): try object.encode(mood, forKey: .mood)
    case .quote(let quote): try object.encode(quote, forKey: .quote)
    case .completion(let completion): try object.encode(completion, forKey: .completion)
    }
  }

  /// Decodes the value under the name of a kind.
  package init(_ kind: EntryKind, from object: KeyedDecodingContainer<EntryKind>) throws {
    self =
      switch kind {
      case .photo:
        throw DecodingError.dataCorrupted(
          .init(
            codingPath: object.codingPath, debugDescription: "A photo comes with its file only."))
      case .symptom: .symptom(try object.decode(Symptom.self, forKey: kind))
      case .dailyLog: .dailyLog(try object.decode(DailyLog.self, forKey: kind))
      case .episode: .episode(try object.decode(Episode.self, forKey: kind))
      case .mood: .mood(try object.decode(Mood.self, forKey: kind))
      case .quote: .quote(try object.decode(Quote.self, forKey: kind))
      case .completion: .completion(try object.decode(Completion.self, forKey: kind))
      }
  }
}
