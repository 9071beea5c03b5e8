internal import Fields
internal import Hummingbird
internal import Leaflog

/// The parameters of a request's query, as they are declared. Others are refused, as a misspelt filter would otherwise
/// show everything.
struct QueryReader {
  private var values: [String: [String]] = [:]
  private let names: Set<String>

  /// - Throws: a problem for a parameter that is not declared, or is given more often than it can be.
  init(_ request: Request, _ declared: [any AnyParameter] = []) throws {
    for (name, value) in try encodedFields(request.uri.query ?? "") {
      values[name, default: []].append(value)
    }
    names = Set(declared.map(\.name))
    if let name = values.keys.filter({ !names.contains($0) }).min() {
      throw Self.refusal(name, .unknown, "Unknown parameter “\(name)”.")
    }
    for parameter in declared where values[parameter.name].map({ $0.count > 1 }) ?? false {
      if case .list = parameter.shape.rule { continue }
      throw Self.refusal(
        parameter.name, .notTaken, "“\(parameter.name)” may be given only once.")
    }
  }

  /// The value of a parameter, or its standard; nil when it is absent.
  func value<Value>(_ parameter: Parameter<Value>) throws -> Value? {
    guard let texts = texts(parameter.shape) else {
      if parameter.shape.isRequired {
        throw Self.refusal(parameter.name, .missing, "“\(parameter.name)” is missing.")
      }
      return try parameter.absent()
    }
    // The plus sign of an offset from UTC is easily left unencoded, and no time has a space.
    let value = parameter.read(texts) ?? parameter.read(texts.map { $0.replacing(" ", with: "+") })
    guard let value else {
      throw Self.refusal(
        parameter.name, .notTaken,
        "“\(parameter.name)” must be \(parameter.shape.rule.takes(.json)).")
    }
    return value
  }

  /// The value of a parameter that is required, or has a standard.
  func known<Value>(_ parameter: Parameter<Value>) throws -> Value {
    guard let value = try value(parameter) else {
      preconditionFailure("\(parameter.name) is required or has a standard")
    }
    return value
  }

  /// The text of a parameter as it was given; nil when it is absent.
  func text(_ parameter: any AnyParameter) -> String? { texts(parameter.shape)?.first }

  private func texts(_ shape: Shape) -> [String]? {
    precondition(names.contains(shape.name), "\(shape.name) is declared")
    return values[shape.name]
  }

  static func refusal(
    _ parameter: String, _ code: InvalidValue.Problem.Code, _ text: String
  ) -> Problem {
    Problem(
      .badRequest, text,
      errors: [Problem.InvalidField(field: parameter, code: code, message: text)])
  }
}

/// A timeline that was asked for, before it is looked up in the library.
struct AskedTimeline: Sendable {
  /// The filters that do not depend on a library.
  let query: TimelineQuery
  /// A name or an id.
  let plant: String?
  /// Days, or times in the library's zone.
  let first: RecordedTime?
  let last: RecordedTime?

  var order: TimelineQuery.Order { query.order }

  func query(in library: Library) throws -> TimelineQuery {
    var query = query
    query.plant = try plant.map {
      try library.plants.reference(
        matching: $0, among: query.deleted ? .undeletedFirst : .undeleted
      ).id
    }
    query.first = first.map { TimelineBound(library.placed($0)) }
    query.last = last.map { TimelineBound(library.placed($0)) }
    return query
  }
}

/// The fields of a query or of a form, in which a plus sign stands for a space
/// (application/x-www-form-urlencoded; WHATWG URL, 5.1).
func encodedFields(_ text: String) throws -> [(name: String, value: String)] {
  try text.split(separator: "&").map { pair in
    let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      .map { part -> String? in
        // As nearly all are, and a thumbnail's digest in any case.
        if !part.utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "%") }) {
          return String(part)
        }
        return part.replacing("+", with: " ").removingPercentEncoding
      }
    guard let name = parts[0], let value = parts.count > 1 ? parts[1] : "" else {
      throw Problem(.badRequest, "“\(shortened(String(pair)))” is not encoded as UTF-8.")
    }
    return (name, value)
  }
}

/// The parameters of queries.
enum Query {
  static let words = Parameter<String>(
    "q", .text, isRequired: true, "Words and phrases in double quotes.")
  static let someWords = Parameter<String>("q", .text, "Words and phrases in double quotes.")
  static let kinds = Parameter<[EntryKind]>("kind", .choices(), "Can be repeated.")
  static let tags = Parameter<[String]>("tag", .texts, "Can be repeated.")
  static let isFavourite = Parameter<Bool>("favourite", .flag, standard: false)
  static let first = Parameter<RecordedTime>("from", .time)
  static let last = Parameter<RecordedTime>("to", .time)
  static let isDeleted = Parameter<Bool>(
    "deleted", .flag, standard: false, "Those in the trash.")
  static let isOldestFirst = Parameter<Bool>("oldestFirst", .flag, standard: false)
  static let plant = Parameter<String>("plant", .text, "A plant's name or id.")
  static let position = Parameter<Cursor>(
    "at", .position, "A page's `next` or `previous`: where the page begins.")
  static let place = Parameter<TimelinePlace>(
    "at", .place,
    "Where the page begins: a page's `next` or `previous`, a day, or the id of an entry, which comes first."
  )
  static let isMiddle = Parameter<Bool>(
    "around", .flag, standard: false, "Whether `at` is the middle of the page.")
  static let limit = Parameter<Int>("limit", .whole(1...1000), standard: 50)
  static let unit = Parameter<BucketUnit>("by", .choice, standard: .month)
  static let day = Parameter<LocalDay>("on", .day)
  static let dayCount = Parameter<Int>("days", .whole(LibraryInsights.dayCounts), standard: 90)
  static let month = Parameter<CalendarMonth>("month", .month)
  static let beginning = Parameter<String>("startingWith", .text)
  static let before = Parameter<String>(
    "before",
    Kind(
      .written(
        TextForm(
          takes: "a page's next", pattern: "^[0-9]{1,18}$",
          isTaken: { $0.wholeMatch(of: /[0-9]{1,18}/) != nil }))),
    "A page's `next`.")
  static let digest = Parameter<String>(
    "digest", .text,
    "The SHA-256 of its bytes, if known: a file that still has it may be cached forever.")

  /// The filters of a timeline.
  static let filter: [any AnyParameter] = [
    kinds, tags, isFavourite, first, last, isDeleted, isOldestFirst, plant,
  ]
  /// The place of a page, and its length.
  static let page: [any AnyParameter] = [place, isMiddle, limit]
  static let quotePage: [any AnyParameter] = [position, isMiddle, limit]
}

extension QueryReader {
  /// The filters of a timeline.
  func filter() throws -> AskedTimeline {
    var query = TimelineQuery()
    query.kinds = Set(try value(Query.kinds) ?? [])
    query.tags = try value(Query.tags) ?? []
    query.isFavourite = try known(Query.isFavourite)
    query.deleted = try known(Query.isDeleted)
    query.order = try known(Query.isOldestFirst) ? .oldestFirst : .newestFirst
    return AskedTimeline(
      query: query, plant: try value(Query.plant), first: try value(Query.first),
      last: try value(Query.last))
  }

  /// The position of a page of quotes. `at` is the `next` or `previous` of another page: the page begins there, or with
  /// `around` has it in the middle.
  func position() throws -> TimelinePosition {
    let cursor = try value(Query.position)
    let isMiddle = try known(Query.isMiddle)
    return cursor.map { isMiddle ? .around($0) : .cursor($0) } ?? .start
  }

  /// The position of a page of the timeline, to be looked up in the library: `at` can also be a day or an entry.
  func place(_ order: TimelineQuery.Order) throws -> @Sendable (Library) throws -> TimelinePosition
  {
    let place = try value(Query.place)
    let isMiddle = try known(Query.isMiddle)
    let heading = order.heading
    return { library in
      guard let place else { return .start }
      return try isMiddle
        ? .around(place.middle(in: library)) : .cursor(place.start(heading, in: library))
    }
  }
}

/// Where a page of the timeline begins, as it is written.
struct TimelinePlace: WrittenValue {
  private enum Place {
    case cursor(Cursor)
    case day(LocalDay)
    case entry(String)
  }

  private let place: Place
  let description: String

  init?(written text: String) {
    if let cursor = Cursor(text) {
      place = .cursor(cursor)
    } else if let day = LocalDay(text) {
      place = .day(day)
    } else if writtenID(text) == text {
      place = .entry(text)
    } else {
      return nil
    }
    description = text
  }

  /// The position before the first entry of a page.
  ///
  /// - Parameter heading: the direction of the page; a cursor has its own.
  func start(_ heading: Cursor.Heading, in library: Library) throws -> Cursor {
    switch place {
    case .cursor(let cursor): cursor
    case .day(let day): .day(day, heading: heading)
    case .entry(let id):
      try library.diary.entry(matching: id).cursor(heading: heading).including(heading)
    }
  }

  /// The position in the middle of a page: the entry, or the beginning of the day.
  func middle(in library: Library) throws -> Cursor {
    switch place {
    case .cursor(let cursor): cursor
    case .day(let day): .day(day, heading: .newer)
    case .entry(let id): try library.diary.entry(matching: id).cursor(heading: .older)
    }
  }
}

extension Kind<TimelinePlace> {
  fileprivate static let place = Kind(
    .written(
      TextForm(
        takes: "a page's `next` or `previous`, a day such as 2026-03-01, or the id of an entry",
        pattern: "^(\(Cursor.pattern)|\(TimePattern.day)|[0-9a-f]{32})$")))
}
