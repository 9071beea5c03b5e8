public import Fields
internal import Foundation

/// The severity of a symptom.
public struct Severity: Sendable, Hashable {
  /// 1 (weakest) to 5; the labels of a scale are spread evenly over this range.
  public let value: Double
  /// The label that was given instead of a number.
  public let label: String?

  package static let range = 1.0...5.0
  package static let weakest = Severity(unchecked: range.lowerBound, label: nil)

  /// - Throws: `InvalidValue` outside 1 to 5.
  public init(_ value: Double, label: String? = nil) throws(InvalidValue) {
    guard Self.range.contains(value) else {
      throw InvalidValue("severity", takes: "1 to 5", given: value.formatted())
    }
    self.init(unchecked: value, label: label)
  }

  private init(unchecked value: Double, label: String?) {
    (self.value, self.label) = (value, label)
  }

  /// A severity with a value that was checked.
  func replaced(_ value: Double, label: String?) -> Severity {
    precondition(Self.range.contains(value), "the value was checked")
    return Severity(unchecked: value, label: label)
  }
}

extension Severity: CustomStringConvertible {
  /// The label, or `3 of 5`.
  public var description: String { label ?? "\(value.formatted()) of 5" }
}

/// The labels for severities, besides the numbers 1 to 5.
public struct SeverityScales: Sendable, Hashable {
  /// The scales, each from its weakest label to its strongest.
  public let scales: [[String]]

  /// Mild, moderate, severe.
  public static let standard = SeverityScales(unchecked: [["mild", "moderate", "severe"]])

  private init(unchecked scales: [[String]]) { self.scales = scales }

  /// Parses `mild, moderate, severe; faint, clear, strong, unbearable`: labels from weakest to strongest
  /// separated by commas, scales separated by semicolons.
  ///
  /// - Throws: `InvalidValue` for a scale with fewer than two labels or more than eleven, a label that is
  ///   a number, or a label that occurs twice.
  public init(_ text: String) throws(InvalidValue) {
    scales = text.split(separator: ";").map { scale in
      scale.split(separator: ",", omittingEmptySubsequences: false).map { String($0).tidied ?? "" }
    }
    let labels = scales.joined().map(foldedName)
    func refused(_ takes: String) -> InvalidValue {
      InvalidValue("severity.scales", takes: takes, given: text)
    }
    guard !scales.isEmpty, scales.allSatisfy({ (2...11).contains($0.count) }),
      labels.allSatisfy({ !$0.isEmpty })
    else {
      throw refused(
        "2 to 11 labels from the weakest to the strongest, separated by commas, and scales "
          + "separated by semicolons")
    }
    if let number = labels.first(where: { Double($0) != nil }) {
      throw refused(
        "labels that are no numbers, because 1 to 5 are severities: “\(number)/10” instead of "
          + "“\(number)”")
    }
    let repeated = labels.first { label in labels.count { $0 == label } > 1 }
    if let repeated { throw refused("each label once, but “\(repeated)” occurs twice") }
  }

  /// The scales in the form that `init(_:)` parses.
  public var text: String {
    scales.map { $0.joined(separator: ", ") }.joined(separator: "; ")
  }

  /// Parses a severity: 1 to 5, or a label.
  ///
  /// - Throws: `InvalidValue` for any other text.
  public func severity(_ text: String) throws(InvalidValue) -> Severity {
    if let number = Int(text), (1...5).contains(number) { return try Severity(Double(number)) }
    let wanted = foldedName(text)
    for scale in scales {
      guard let index = scale.firstIndex(where: { foldedName($0) == wanted }) else { continue }
      let value = 1 + 4 * Double(index) / Double(scale.count - 1)
      return try Severity((value * 100).rounded() / 100, label: scale[index])
    }
    let labels = scales.map { $0.joined(separator: ", ") }.joined(separator: ", or ")
    throw InvalidValue("severity", takes: "1 to 5, or \(labels)", given: text)
  }
}

extension SeverityScales {
  /// One for each step of the severity's scale, true up to the severity; five steps for a number.
  package func dots(of severity: Severity) -> [Bool] {
    let wanted = severity.label.map(foldedName)
    let scale = scales.first { scale in scale.contains { foldedName($0) == wanted } }
    let index = scale?.firstIndex { foldedName($0) == wanted }
    let full = index.map { $0 + 1 } ?? Int(severity.value.rounded())
    return (1...(scale?.count ?? 5)).map { $0 <= full }
  }
}
