internal import Hummingbird
internal import Leaflog

/// The parameters of a request's query, each read once. Parameters that nobody reads are refused, as a misspelt filter
/// would otherwise show everything.
struct QueryReader {
  private var values: [String: [String]] = [:]

  init(_ request: Request) {
    for (name, value) in request.uri.queryParameters {
      values[String(name), default: []].append(String(value))
    }
  }

  /// All values of a parameter that may be repeated.
  mutating func all(_ name: String) -> [String] { values.removeValue(forKey: name) ?? [] }

  /// The value of a parameter; nil when it is absent.
  mutating func text(_ name: String) throws -> String? {
    let all = all(name)
    guard all.count <= 1 else { throw Self.refusal("“\(name)” may be given only once.") }
    return all.first
  }

  /// - Parameter example: a valid value, for the error message.
  mutating func value<Value>(
    _ name: String, like example: String, _ read: (String) -> Value?
  ) throws -> Value? {
    guard let text = try text(name) else { return nil }
    guard let value = read(text) else {
      throw Self.refusal("“\(name)” must be a value such as \(example).")
    }
    return value
  }

  mutating func count(
    _ name: String, in range: ClosedRange<Int>, standard: Int
  ) throws -> Int {
    let form = "\(range.lowerBound) to \(range.upperBound)"
    return try value(name, like: form) { Int($0).flatMap { range.contains($0) ? $0 : nil } }
      ?? standard
  }

  mutating func flag(_ name: String) throws -> Bool {
    try value(name, like: "true") { $0 == "true" ? true : $0 == "false" ? false : nil } ?? false
  }

  /// Refuses parameters that have not been read.
  func finish() throws {
    guard let name = values.keys.min() else { return }
    throw Self.refusal("Unknown parameter “\(name)”.")
  }

  static func refusal(_ text: String) -> Problem { Problem(.badRequest, text) }
}

extension QueryReader {
  /// The filters of a timeline. The plant is a name or an id, to be looked up in the library.
  mutating func filter() throws -> (query: TimelineQuery, plant: String?) {
    var query = TimelineQuery()
    for text in all("kind") {
      guard let kind = EntryKind(rawValue: text) else {
        let kinds = EntryKind.allCases.map(\.rawValue).joined(separator: ", ")
        throw Self.refusal("“kind” must be one of \(kinds).")
      }
      query.kinds.insert(kind)
    }
    query.tags = all("tag")
    query.isFavourite = try flag("favourite")
    query.firstDay = try value("from", like: "2026-03-01") { LocalDay($0) }
    query.lastDay = try value("to", like: "2026-03-31") { LocalDay($0) }
    query.deleted = try flag("deleted")
    query.order = try flag("oldestFirst") ? .oldestFirst : .newestFirst
    return (query, try text("plant"))
  }

  /// The position of a page. `at` is the `next` or `previous` of another page: the page begins there, or with `around`
  /// has it in the middle.
  mutating func position() throws -> TimelinePosition {
    let cursor = try value("at", like: "a page's `next`") { Cursor($0) }
    let isMiddle = try flag("around")
    return cursor.map { isMiddle ? .around($0) : .cursor($0) } ?? .start
  }
}
