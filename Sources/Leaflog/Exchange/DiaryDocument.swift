internal import DiaryCatalog
internal import DiaryModel
internal import Foundation

/// A field's name in the file.
struct FieldName: CodingKey, ExpressibleByStringLiteral {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
  init(intValue: Int) { (stringValue, self.intValue) = ("\(intValue)", intValue) }
  init(stringLiteral: String) { self.init(stringValue: stringLiteral) }
}

/// A value that is valid JSON but not valid in a diary, with its path.
struct MisplacedValue: Error {
  let path: [any CodingKey]
  /// The reason, as a sentence.
  var reason = ""
  /// The accepted values, if the message should name the value found instead.
  var takes: String?
}

typealias FieldWriter = KeyedEncodingContainer<FieldName>
typealias FieldReader = KeyedDecodingContainer<FieldName>

/// A plant, activity, quote or entry in a JSON document. The names of the fields and their accepted
/// values are in `DiaryFields`.
protocol DiaryPart {
  /// The member of the document that lists them.
  static var part: String { get }
  func write(to fields: inout FieldWriter) throws
}

/// A part, wrapped for the encoder.
struct WrittenPart<Part: DiaryPart>: Encodable {
  let part: Part

  func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: FieldName.self)
    try part.write(to: &fields)
  }
}

extension FieldWriter {
  mutating func write(_ time: Timestamp?, _ name: FieldName) throws {
    try encodeIfPresent(time.map { RecordedTime.instant($0).iso8601 }, forKey: name)
  }
}

extension ExchangedPlant: DiaryPart {
  static var part: String { "plants" }

  func write(to fields: inout FieldWriter) throws {
    try fields.encode(id.description, forKey: "id")
    try fields.encode(details.name, forKey: "name")
    try fields.encodeIfPresent(details.scientificName, forKey: "scientificName")
    try fields.encodeIfPresent(details.location, forKey: "location")
    try fields.encodeIfPresent(details.notes, forKey: "notes")
    try fields.write(createdAt, "createdAt")
    try fields.write(deletedAt, "deletedAt")
  }
}

extension ExchangedQuote: DiaryPart {
  static var part: String { "quotes" }

  func write(to fields: inout FieldWriter) throws {
    try fields.encode(quote.id, forKey: "id")
    try fields.encode(quote.text, forKey: "text")
    try fields.encodeIfPresent(quote.author, forKey: "author")
    try fields.encodeIfPresent(quote.source, forKey: "source")
    try fields.encode(quote.origin, forKey: "origin")
    if !days.isEmpty { try fields.encode(days, forKey: "days") }
    try fields.write(createdAt, "createdAt")
    try fields.write(deletedAt, "deletedAt")
  }
}

extension Entry: DiaryPart {
  static var part: String { "entries" }

  /// Writes only the ids of quotes and activities, which have lists of their own.
  func write(to fields: inout FieldWriter) throws {
    try fields.encode(id.description, forKey: "id")
    try fields.encode(kind.rawValue, forKey: "kind")
    try fields.encode(time.recorded.iso8601, forKey: "occurredAt")
    // A moment is written like a clock time in UTC; its basis tells them apart.
    if time.basis == .instant {
      try fields.encode(time.basis.rawValue, forKey: "timeBasis")
    } else if time.localDay != time.wall.day {
      try fields.encode(time.localDay, forKey: "localDay")
    }
    try fields.encodeIfPresent(plant?.id.description, forKey: "plant")
    try fields.encodeIfPresent(notes, forKey: "notes")
    if !tags.isEmpty { try fields.encode(tags, forKey: "tags") }
    try fields.write(deletedAt, "deletedAt")
    switch content {
    case .photo: preconditionFailure("photos are no part of an exported diary")
    case .symptom(let symptom): try fields.encode(symptom, forKey: "symptom")
    case .dailyLog(let log): try fields.encode(log, forKey: "dailyLog")
    case .episode(let episode): try fields.encode(episode, forKey: "episode")
    case .mood(let mood): try fields.encode(mood, forKey: "mood")
    case .quote(let quote): try fields.encode(quote.id, forKey: "quote")
    case .completion(let completion):
      var own = fields.nestedContainer(keyedBy: FieldName.self, forKey: "completion")
      try own.encode(completion.activity.id, forKey: "activity")
      try own.encode(completion.source, forKey: "source")
    }
  }
}
