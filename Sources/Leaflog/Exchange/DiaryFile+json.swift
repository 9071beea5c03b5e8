internal import DiaryCatalog
internal import DiaryModel
internal import Foundation

extension DiaryFile {
  mutating func readJSON(_ zone: TimeZone, dayEnd: Int) throws {
    do throws(JSONSyntax.Failure) { try JSONSyntax.check(source.bytes) } catch {
      throw source.failure(at: error.offset, error.reason)
    }
    let positions = JSONPositions(bytes: source.bytes)
    do {
      if try isOkieDiary(positions) {
        try readOkieDiary(zone, positions)
      } else {
        try readDocument(zone, dayEnd: dayEnd, positions)
      }
    } catch let error as MisplacedValue {
      let offset = positions.value(at: error.path).offset
      guard let takes = error.takes, let field = error.path.last?.stringValue else {
        throw source.failure(at: offset, error.reason)
      }
      let invalid = InvalidValue(field, takes: takes, given: positions.shown(at: offset))
      throw source.failure(at: offset, invalid.descriptionInFile)
    } catch let error as DecodingError {
      throw failure(error, positions)
    }
  }

  /// Whether the file comes from the activity tracker Okie, whose files have activities only.
  private func isOkieDiary(_ positions: JSONPositions) throws(LeaflogError) -> Bool {
    let (format, hasFormat) = positions.value(at: [FieldName("format")])
    guard hasFormat else {
      let activities = positions.value(at: [FieldName("activities")])
      if activities.isExact { return true }
      throw source.failure(
        at: format, "this is no diary: it has neither “format” nor “activities”.")
    }
    guard positions.shown(at: format) == "“\(DiaryFormat.name)”" else {
      throw source.failure(
        at: format, "format takes \(DiaryFormat.name), not \(positions.shown(at: format)).")
    }
    let (version, hasVersion) = positions.value(at: [FieldName("version")])
    guard hasVersion, let number = Int(positions.shown(at: version)), number > 0 else {
      throw source.failure(
        at: version,
        "version takes a whole number"
          + (hasVersion ? ", not \(positions.shown(at: version))." : ", and it is missing."))
    }
    guard number <= DiaryFormat.version else {
      throw source.failure(
        at: version,
        "version \(number) was written by a newer Leaflog; this one reads up to "
          + "\(DiaryFormat.version). Update Leaflog to read it.", .tooNew)
    }
    return false
  }

  private mutating func readDocument(
    _ zone: TimeZone, dayEnd: Int, _ positions: JSONPositions
  ) throws {
    let document = try JSONDecoder().decode(DiaryDocument.self, from: Data(source.bytes))
    batch.plants = document.plants
    batch.activities = document.activities
    batch.quotes = document.quotes
    batch.settings = document.settings
    let quotes = Dictionary(document.quotes.map { ($0.quote.id, $0.quote) }) { first, _ in first }
    for (index, entry) in document.entries.enumerated() {
      let path: [any CodingKey] = [FieldName("entries"), FieldName(intValue: index)]
      let time = try entry.placed(in: zone, from: document.timeZone, dayEnd: dayEnd) {
        MisplacedValue(path: path + [FieldName("localDay")], reason: $0)
      }
      var content = entry.content
      if case .quote(let quote) = content {
        guard let whole = quotes[quote.id] else {
          throw MisplacedValue(
            path: path + [FieldName("quote")],
            reason: "there is no quote with the id \(quote.id) among the file's quotes.")
        }
        content = .quote(whole)
      }
      do throws(InvalidValue) { content = try content.checked(day: time.localDay) } catch {
        let own = FieldName(stringValue: content.kind.rawValue)
        throw MisplacedValue(
          path: path + [own, FieldName(stringValue: error.field)], reason: error.descriptionInFile)
      }
      batch.entries.append(
        ExchangedEntry(
          id: entry.id, time: time, notes: entry.notes, tags: entry.tags,
          plant: entry.plant.map { .id($0) },
          content: content, deletedAt: entry.deletedAt))
    }
    offset = { place in
      let (list, index) = place.member
      return positions.value(at: [FieldName(stringValue: list), FieldName(intValue: index)]).offset
    }
  }

  /// The error of `JSONDecoder` in words: the field, its accepted values and the value found.
  func failure(_ error: DecodingError, _ positions: JSONPositions) -> LeaflogError {
    switch error {
    case .keyNotFound(let key, let context):
      let takes = Self.takes(context.codingPath + [key]).map { " It takes \($0)." } ?? ""
      return source.failure(
        at: positions.value(at: context.codingPath).offset,
        "\(key.stringValue) is missing here.\(takes)")
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      return wrong(context, positions, takes: Self.takes(context.codingPath) ?? Self.name(of: type))
    case .dataCorrupted(let context):
      return wrong(context, positions, takes: Self.takes(context.codingPath))
    @unknown default:
      return source.failure(at: 0, "\(error)")
    }
  }

  private func wrong(
    _ context: DecodingError.Context, _ positions: JSONPositions, takes: String?
  ) -> LeaflogError {
    let offset = positions.value(at: context.codingPath).offset
    let field = context.codingPath.last { $0.intValue == nil }?.stringValue
    guard let takes, let field else { return source.failure(at: offset, context.debugDescription) }
    let given = positions.shown(at: offset)
    return source.failure(
      at: offset, InvalidValue(field, takes: takes, given: given).descriptionInFile)
  }

  private static func name(of type: any Any.Type) -> String {
    switch type {
    case is String.Type: "a text"
    case is any BinaryInteger.Type: "a whole number"
    case is any BinaryFloatingPoint.Type: "a number"
    case is Bool.Type: "true or false"
    case is any ExpressibleByDictionaryLiteral.Type, is any Collection<Any>.Type: "a list"
    default: "an object"
    }
  }

  /// The accepted values of the field at a path.
  private static func takes(_ path: [any CodingKey]) -> String? {
    let names = path.filter { $0.intValue == nil }.map(\.stringValue)
    guard let field = names.last else { return nil }
    // The path leads to an element of a list of objects, not to a field.
    if names.count == 1, path.last?.intValue != nil { return "objects" }
    let part = names.count > 1 ? names[names.count - 2] : ""
    return DiaryFields.takes(field, of: part)
  }
}

extension BatchPlace {
  /// The list of the document that contains it, and its index there.
  var member: (list: String, index: Int) {
    switch self {
    case .plant(let index): ("plants", index)
    case .activity(let index): ("activities", index)
    case .quote(let index): ("quotes", index)
    case .entry(let index): ("entries", index)
    }
  }
}
