internal import Fields
package import Leaflog

/// The fields of a JSON request, each read once. Fields that nobody reads are refused, as a misspelt option would
/// otherwise do more than was asked for.
package struct JobFields {
  private var values: [String: Scalar]

  init(_ request: [String: Scalar]) { values = request.filter { $0.value != .null } }

  static func refusal(_ text: String) -> LeaflogError { LeaflogError(.invalidRequest, text) }

  package mutating func text(_ name: String) throws -> String? {
    switch values.removeValue(forKey: name) {
    case nil: return nil
    case .text(let text)?: return text
    default: throw Self.refusal("“\(name)” must be a string.")
    }
  }

  /// Reads a flag; `standard` when it is absent.
  package mutating func flag(_ name: String, standard: Bool = false) throws -> Bool {
    switch values.removeValue(forKey: name) {
    case nil: return standard
    case .flag(let flag)?: return flag
    default: throw Self.refusal("“\(name)” must be true or false.")
    }
  }

  package mutating func number(
    _ name: String, in range: ClosedRange<Double>
  ) throws -> Double? {
    let number: Double
    switch values.removeValue(forKey: name) {
    case nil: return nil
    case .whole(let integer)?: number = Double(integer)
    case .number(let value)?: number = value
    default: number = .nan
    }
    guard range.contains(number) else {
      throw Self.refusal(
        "“\(name)” must be a number from \(Self.text(range.lowerBound)) to "
          + "\(Self.text(range.upperBound)).")
    }
    return number
  }

  package mutating func count(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
    switch values.removeValue(forKey: name) {
    case nil: return nil
    case .whole(let count)? where range.contains(count): return count
    default:
      throw Self.refusal(
        "“\(name)” must be an integer from \(range.lowerBound) to \(range.upperBound).")
    }
  }

  /// Reads a value written as text.
  ///
  /// - Parameter example: a valid value, for the error message.
  package mutating func value<Value>(
    _ name: String, like example: String, _ read: (String) -> Value?
  ) throws -> Value? {
    guard let text = try text(name) else { return nil }
    guard let value = read(text) else {
      throw Self.refusal("“\(name)” must be a value such as \(example).")
    }
    return value
  }

  /// Reads one of a few values by its name.
  package mutating func choice<Value: RawRepresentable & CaseIterable>(
    _ name: String, of type: Value.Type = Value.self
  ) throws -> Value? where Value.RawValue == String {
    guard let text = try text(name) else { return nil }
    guard let value = Value(rawValue: text) else {
      let names = Value.allCases.map(\.rawValue).joined(separator: ", ")
      throw Self.refusal("“\(name)” must be one of \(names).")
    }
    return value
  }

  package mutating func day(_ name: String) throws -> LocalDay? {
    try value(name, like: "2026-03-01") { LocalDay($0) }
  }

  /// Checks that a required value is present.
  package func required<Value>(_ name: String, _ value: Value?) throws -> Value {
    guard let value else { throw Self.refusal("“\(name)” is missing.") }
    return value
  }

  /// Refuses fields that have not been read.
  func finish() throws {
    guard let name = values.keys.min() else { return }
    throw Self.refusal("Unknown field “\(shortened(name))”.")
  }

  /// The number without a trailing `.0`.
  private static func text(_ number: Double) -> String {
    Int(exactly: number).map(String.init) ?? String(number)
  }
}
