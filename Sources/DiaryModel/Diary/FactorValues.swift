package import Fields

/// The values of a day's own factors by their names, which are the same regardless of case.
public struct FactorValues: Sendable {
  /// A factor's value, with what is needed to show it.
  public struct Item: Sendable {
    /// The factor's name.
    public let name: String
    /// The value, of the factor's kind.
    public let value: FactorValue
    /// The unit of a number.
    public let unit: String?

    /// The value in English: `2 cups`, `yes`, `garden`.
    package var words: String {
      [value.scalar.shown, unit].compactMap { $0 }.joined(separator: " ")
    }
  }

  /// In the user-defined order of the factors, where they come from a library.
  public private(set) var items: [Item] = []

  /// The values of a day without any.
  public init() {}

  /// Whether no factor has a value.
  public var isEmpty: Bool { items.isEmpty }

  /// The value of a factor. Setting one that there is no factor for, or that it does not take, is refused when the log is
  /// stored.
  public subscript(name: String) -> FactorValue? {
    get { items.first { foldedName($0.name) == foldedName(name) }?.value }
    set {
      let place = items.firstIndex { foldedName($0.name) == foldedName(name) }
      switch (place, newValue) {
      case (let place?, let value?):
        items[place] = Item(name: items[place].name, value: value, unit: items[place].unit)
      case (let place?, nil): items.remove(at: place)
      case (nil, let value?): items.append(Item(name: name, value: value, unit: nil))
      case (nil, nil): break
      }
    }
  }

  /// The values, with their names, choices and units isolated.
  var isolated: FactorValues {
    var values = FactorValues()
    for item in items {
      let value =
        if case .choice(let text) = item.value { FactorValue.choice(text.isolated) } else {
          item.value
        }
      values.append(item.name.isolated, value, unit: item.unit?.isolated)
    }
    return values
  }

  /// Adds a value that is stored.
  package mutating func append(_ name: String, _ value: FactorValue, unit: String?) {
    items.append(Item(name: name, value: value, unit: unit))
  }
}

extension FactorValues: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral values: (String, FactorValue)...) {
    for (name, value) in values { self[name] = value }
  }
}

/// Neither the order nor the units are of the day.
extension FactorValues: Hashable {
  private var byName: [String: FactorValue] {
    Dictionary(items.map { (foldedName($0.name), $0.value) }) { $1 }
  }

  public static func == (first: FactorValues, second: FactorValues) -> Bool {
    first.byName == second.byName
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(byName) }
}

extension FactorValues {
  /// Null without any.
  package var scalar: Scalar {
    isEmpty
      ? .null : .members(Dictionary(items.map { ($0.name, $0.value.scalar) }) { $1 })
  }

  /// Sets the values of some factors and keeps the others, as a merge patch does (RFC 7396): null removes a value, and all
  /// of them where it stands alone.
  ///
  /// - Returns: false for a scalar that is neither null nor a value for each name.
  package mutating func merge(_ scalar: Scalar) -> Bool {
    if scalar == .null { items = [] }
    guard case .members(let values) = scalar else { return scalar == .null }
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      let known = FactorValue(value)
      guard known != nil || value == .null else { return false }
      self[name] = known
    }
    return true
  }
}

extension FactorValues {
  /// The same values under the names that a function gives.
  package func renamed(_ name: (String) -> String) -> FactorValues {
    var renamed = FactorValues()
    for item in items { renamed.append(name(item.name), item.value, unit: item.unit) }
    return renamed
  }

  /// The names with another value than before.
  package func names(changedSince former: FactorValues?) -> [String] {
    items.filter { former?[$0.name] != $0.value }.map(\.name)
  }
}

extension Field where Thing == DailyLog {
  /// The values of own factors: an object with a value for each name.
  static let factors = Field(
    "factors", .members, get: { $0.factors.scalar }, merge: { $0.factors.merge($1) })
}
