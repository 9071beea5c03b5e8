internal import DiaryModel
internal import Foundation

extension FieldReader {
  /// - Throws: for an unknown name, as its value would be lost.
  func checkNames(of part: String, also others: Set<String> = []) throws {
    let known = DiaryFields.names(of: part).union(others)
    let unknown = allKeys.filter { !known.contains($0.stringValue) }
    guard let first = unknown.min(by: { $0.stringValue < $1.stringValue }) else { return }
    throw MisplacedValue(
      path: codingPath + [first],
      reason: "“\(first.stringValue)” is not known here; the fields are "
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

  /// A text that means something; nil when it is missing.
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

  /// One that may not be missing.
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
      RecordedTime(text).map { EntryTime($0, in: .gmt).instant }
    }
  }

  /// `JSONDecoder` does not say where a number stands that is too large, or has a fraction where none
  /// may be: this looks at them before it does.
  func checkNumbers(whole: [FieldName], fractions: [FieldName] = [], of part: String) throws {
    for name in whole + fractions where contains(name) {
      let isWhole = whole.contains { $0.stringValue == name.stringValue }
      let isTaken: Bool
      do {
        let number = try decodeIfPresent(Double.self, forKey: name) ?? 0
        isTaken = !isWhole || (number == number.rounded() && abs(number) < 1e15)
      } catch DecodingError.typeMismatch {
        continue  // which is told with its place
      } catch {
        isTaken = false
      }
      guard !isTaken else { continue }
      let takes = DiaryFields.takes(name.stringValue, of: part) ?? "a whole number"
      throw MisplacedValue(path: codingPath + [name], takes: takes)
    }
  }

  /// Places the error for a value that `body` does not accept at this object's field.
  func checking<Value>(_ inner: FieldName? = nil, _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as InvalidValue {
      let path = codingPath + [inner, FieldName(stringValue: error.field)].compactMap { $0 }
      throw MisplacedValue(path: path, reason: error.descriptionInFile)
    }
  }
}
