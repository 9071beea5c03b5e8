/// The value of a field on its way between a thing and one of its forms: JSON, CSV, a web form, a typed text. With one
/// value between them, n types and m forms need n + m conversions.
package enum Scalar: Sendable, Hashable {
  case null
  case flag(Bool)
  case whole(Int)
  case number(Double)
  case text(String)
  case list([Scalar])
  /// A value for each name.
  case members([String: Scalar])
}

/// A type that a field may have.
package protocol FieldValue: Sendable {
  /// The value of a scalar; nil for one that the type does not take.
  init?(_ scalar: Scalar)
  var scalar: Scalar { get }
}

extension Bool: FieldValue {
  package init?(_ scalar: Scalar) {
    guard case .flag(let flag) = scalar else { return nil }
    self = flag
  }

  package var scalar: Scalar { .flag(self) }
}

extension Int: FieldValue {
  package init?(_ scalar: Scalar) {
    guard case .whole(let number) = scalar else { return nil }
    self = number
  }

  package var scalar: Scalar { .whole(self) }
}

extension Double: FieldValue {
  package init?(_ scalar: Scalar) {
    switch scalar {
    case .whole(let number): self = Double(number)
    case .number(let number): self = number
    default: return nil
    }
  }

  package var scalar: Scalar { .number(self) }
}

extension String: FieldValue {
  package init?(_ scalar: Scalar) {
    guard case .text(let text) = scalar else { return nil }
    self = text
  }

  package var scalar: Scalar { .text(self) }
}

extension Array: FieldValue where Element: FieldValue {
  package init?(_ scalar: Scalar) {
    guard case .list(let items) = scalar else { return nil }
    self = []
    for item in items {
      guard let element = Element(item) else { return nil }
      append(element)
    }
  }

  package var scalar: Scalar { .list(map(\.scalar)) }
}

/// A type that is written as a text.
package protocol WrittenValue: FieldValue, CustomStringConvertible {
  init?(written: String)
}

extension WrittenValue {
  package init?(_ scalar: Scalar) {
    guard case .text(let text) = scalar else { return nil }
    self.init(written: text)
  }

  package var scalar: Scalar { .text(description) }
}

extension FieldValue where Self: RawRepresentable, RawValue == String {
  package init?(_ scalar: Scalar) {
    guard case .text(let text) = scalar else { return nil }
    self.init(rawValue: text)
  }

  package var scalar: Scalar { .text(rawValue) }
}

extension Double {
  /// The number as JSON has it, as Foundation's encoder writes it: `7`, `7.25`, `5e-05`.
  var inJSON: String {
    self == rounded() && abs(self) < 1e15 ? String(Int(self)) : String(self)
  }

  /// The number without trailing zeros: `7`, `7.25`, `0.00005`.
  package func formatted() -> String {
    let shortest = inJSON
    // No field takes an exponent from a text.
    let parts = shortest.split(separator: "e")
    guard abs(self) < 1, parts.count == 2, let exponent = Int(parts[1]) else { return shortest }
    let digits = String(repeating: "0", count: -exponent - 1) + parts[0].filter(\.isNumber)
    return (self < 0 ? "-0." : "0.") + digits
  }
}

extension Scalar: Codable {
  package init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let flag = try? value.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? value.decode(Int.self) {
      self = .whole(number)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let members = try? value.decode([String: Scalar].self) {
      self = .members(members)
    } else {
      self = .list(try value.decode([Scalar].self))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .null: try value.encodeNil()
    case .flag(let flag): try value.encode(flag)
    case .whole(let number): try value.encode(number)
    case .number(let number): try value.encode(number)
    case .text(let text): try value.encode(text)
    case .list(let items): try value.encode(items)
    case .members(let members): try value.encode(members)
    }
  }
}
