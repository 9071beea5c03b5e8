internal import DiaryCatalog

/// A name that symptoms were logged under.
public struct SymptomName: Sendable, Hashable {
  /// The most recent spelling.
  public let name: String
  /// The number of entries under the name.
  public let count: Int
  /// The day on which it was last logged.
  public let lastDay: LocalDay
}

/// The number and mean severity of a symptom's entries in a span of days.
public struct SymptomBucket: Sendable, Hashable {
  /// The name of the span, in the format of its unit.
  public let name: String
  /// At least one.
  public let count: Int
  /// The mean severity, 1 to 5.
  public let averageSeverity: Double
}

extension LibraryDiary {
  /// The usual delay of logging a symptom; entries older than that need confirmation.
  public static let usualSymptomDelay = Duration.seconds(48 * 3600)

  /// Whether a symptom of that time is logged later than usual.
  func isLate(_ time: EntryTime) -> Bool {
    let delay = moment.milliseconds - time.instant.milliseconds
    return delay > Self.usualSymptomDelay.components.seconds * 1000
  }

  /// Logs a symptom. It can be undone.
  ///
  /// - Throws: `LeaflogError` with code `invalidRequest` for a time in the future, or no name, and `unconfirmed` for a
  ///   time that is longer ago than usual.
  public func addSymptom(
    _ symptom: Symptom, at time: RecordedTime? = nil, notes: String? = nil, tags: [String] = [],
    confirmed: Set<Doubt.Confirmation> = []
  ) throws(LeaflogError) -> Entry {
    let placed = try placed(time ?? now)
    try confirmed.check(isLate(placed) ? [.late(placed)] : [])
    return try add(.symptom(symptom), at: placed, notes: notes, tags: tags, as: .symptomAdd)
  }

  /// Edits a symptom; fields that are nil stay as they are, empty notes are removed. It can be
  /// undone.
  ///
  /// - Throws: `LeaflogError` with code `invalidRequest` for a time in the future and an invalid value, and `notFound`
  ///   when it does not exist any more.
  public func editSymptom(
    _ entry: Entry, at time: RecordedTime? = nil, notes: String? = nil, tags: [String]? = nil,
    _ body: ((inout Symptom) throws -> Void)? = nil
  ) throws(LeaflogError) -> EditResult {
    var moved: EntryTime?
    if let time { moved = try placed(time, replacing: entry.time) }
    return try change(
      entry, time: moved, notes: notes, tags: tags,
      content: body.map { body in
        { content in
          guard case .symptom(var symptom) = content else { return content }
          try body(&symptom)
          return .symptom(symptom)
        }
      }, as: .symptomEdit)
  }

  /// A page of symptoms, most recent first.
  ///
  /// - Parameters:
  ///   - name: only this one, regardless of case; nil takes all.
  ///   - limit: 1 to 1000 entries.
  /// - Throws: `LeaflogError` with code `invalidRequest` for another limit.
  public func symptoms(
    named name: String? = nil, from first: LocalDay? = nil, to last: LocalDay? = nil,
    at position: TimelinePosition = .start, limit: Int = 50
  ) throws(LeaflogError) -> Page<Entry> {
    let query = TimelineQuery(kinds: [.symptom], firstDay: first, lastDay: last)
    guard let name else { return try library.timeline.page(query, at: position, limit: limit) }
    try Timeline.check(limit)
    return try read { try $0.symptoms.page(named: name, query, at: position, limit: limit) }
  }

  /// The symptom names with a prefix, regardless of case, the frequently and recently logged ones first.
  ///
  /// The weight of an entry halves every thirty days.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func symptomNames(
    startingWith prefix: String = "", today: LocalDay
  ) throws(LeaflogError) -> [SymptomName] {
    try read { try $0.symptoms.names(startingWith: prefix, today: today) }
      .map { SymptomName(name: $0.name, count: $0.count, lastDay: $0.lastDay) }
  }

  /// The number and mean severity of symptoms per span, oldest first; spans without any are left out.
  ///
  /// - Parameter name: only this one, regardless of case; nil takes all together.
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func symptomBuckets(
    by unit: BucketUnit, name: String? = nil, from first: LocalDay? = nil, to last: LocalDay? = nil
  ) throws(LeaflogError) -> [SymptomBucket] {
    // Times are in order, days need not be: one time zone can be a day ahead of another.
    var severities: [String: [Double]] = [:]
    for entry in try entries(of: .symptom, from: first, to: last) {
      guard case .symptom(let symptom) = entry.content,
        name.map({ foldedName($0) == foldedName(symptom.name) }) ?? true
      else { continue }
      severities[unit.bucketName(of: entry.time.localDay), default: []]
        .append(symptom.severity.value)
    }
    return severities.sorted { $0.key < $1.key }.map { name, severities in
      SymptomBucket(
        name: name, count: severities.count,
        averageSeverity: severities.reduce(0, +) / Double(severities.count))
    }
  }

  /// The labels for severities.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func severityScales() throws(LeaflogError) -> SeverityScales {
    try translating {
      try catalog.read { try $0.settings[.severityScales] }.map { try SeverityScales($0) }
        ?? .standard
    }
  }
}
