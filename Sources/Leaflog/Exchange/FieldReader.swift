internal import DiaryModel
internal import Foundation

extension FieldReader {
  /// - Throws: for an unknown name, whose value would be lost.
  func checkNames(of part: String, also others: Set<String> = []) throws {
    let known = DiaryFields.names(of: part).union(others)
    let unknown = allKeys.filter { !known.contains($0.stringValue) }
    guard let first = unknown.min(by: { $0.stringValue < $1.stringValue }) else { return }
    throw MisplacedValue(
      path: codingPath + [first],
      reason: "Unknown field “\(first.stringValue)”; the fields are "
        + known.sorted().joined(separator: ", ") + ".")
  }

  /// The elements of a list that may be missing.
  func list<Element>(
    _ name: FieldName, _ read: (FieldReader) throws -> Element
  ) throws -> [Element] {
    guard contains(name) else { return [] }
    var list = try nestedUnkeyedContainer(forKey: name)
    var elements: [Element] = []
    while !list.isAtEnd {
      elements.append(try read(try list.nestedContainer(keyedBy: FieldName.self)))
    }
    return elements
  }

  func text(_ name: FieldName) throws -> String? { try decodeIfPresent(String.self, forKey: name) }

  /// The parsed value of a text; nil when the field is missing.
  func parsed<Value>(
    _ name: FieldName, of part: String, _ parse: (String) -> Value?
  ) throws -> Value? {
    guard let text = try text(name) else { return nil }
    guard let value = parse(text) else {
      let takes = DiaryFields.takes(name.stringValue, of: part) ?? "something else"
      let invalid = InvalidValue(name.stringValue, takes: takes, given: "“\(text)”")
      throw MisplacedValue(path: codingPath + [name], reason: invalid.descriptionInFile)
    }
    return value
  }

  /// The parsed value of a text that must not be missing.
  func required<Value>(
    _ name: FieldName, of part: String, _ parse: (String) -> Value?
  ) throws -> Value {
    guard let value = try parsed(name, of: part, parse) else {
      throw DecodingError.keyNotFound(
        name, .init(codingPath: codingPath, debugDescription: "missing"))
    }
    return value
  }

  /// A moment; a time without an offset is taken as UTC.
  func moment(_ name: FieldName, of part: String) throws -> Timestamp? {
    try parsed(name, of: part) { text in
      RecordedTime(text)?.withKnownDay.map { EntryTime($0, in: .gmt).instant }
    }
  }

  /// Checks numbers before `JSONDecoder` does, which does not report the position of one that is too
  /// large, or that has a fraction where none is allowed.
  func checkNumbers(whole: [FieldName], fractions: [FieldName] = [], of part: String) throws {
    for name in whole + fractions where contains(name) {
      let isWhole = whole.contains { $0.stringValue == name.stringValue }
      let isTaken: Bool
      do {
        let number = try decodeIfPresent(Double.self, forKey: name) ?? 0
        isTaken = !isWhole || (number == number.rounded() && abs(number) < 1e15)
      } catch DecodingError.typeMismatch {
        continue  // decoding reports it with its position
      } catch {
        isTaken = false
      }
      guard !isTaken else { continue }
      let takes = DiaryFields.takes(name.stringValue, of: part) ?? "a whole number"
      throw MisplacedValue(path: codingPath + [name], takes: takes)
    }
  }

  /// Adds the path of this object's field to the error for a value that `body` does not accept.
  func checking<Value>(_ inner: FieldName? = nil, _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as InvalidValue {
      let path = codingPath + [inner, FieldName(stringValue: error.field)].compactMap { $0 }
      throw MisplacedValue(path: path, reason: error.descriptionInFile)
    }
  }
}
