/// A symptom felt at a time.
public struct Symptom: Sendable, Hashable {
  /// As it was typed: free text on one line, such as `headache`.
  public var name: String
  public var severity: Severity
  /// Medications taken for it.
  public var medications: [String]

  public init(name: String, severity: Severity, medications: [String] = []) {
    self.name = name
    self.severity = severity
    self.medications = medications
  }

  /// The validated symptom, with a trimmed name and trimmed medications without duplicates.
  ///
  /// - Throws: `InvalidValue` when the name is empty or has several lines.
  package func checked() throws(InvalidValue) -> Symptom {
    var checked = self
    checked.name = try oneLine(name, field: "name", upTo: 200)
    checked.medications = medications.tidied
    return checked
  }
}

/// A name on one line, trimmed.
///
/// - Parameter limit: in characters.
package func oneLine(
  _ text: String, field: String, upTo limit: Int = .max
) throws(InvalidValue) -> String {
  guard let tidy = text.tidied else {
    throw InvalidValue(field, given: text, problem: "must not be empty")
  }
  guard !tidy.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
    throw InvalidValue(
      field, given: text, problem: "must be one line without control characters")
  }
  guard tidy.count <= limit else {
    throw InvalidValue(
      field, given: text, problem: "must have at most \(limit) characters, not \(tidy.count)")
  }
  return tidy
}

extension Symptom: Codable {
  private enum Key: CodingKey { case name, severity, severityLabel, medications }

  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    name = try object.decode(String.self, forKey: .name)
    severity = try Severity(
      object.decode(Double.self, forKey: .severity),
      label: object.decodeIfPresent(String.self, forKey: .severityLabel))
    medications = try object.decodeIfPresent([String].self, forKey: .medications) ?? []
  }

  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(name, forKey: .name)
    try object.encode(severity.value, forKey: .severity)
    try object.encodeIfPresent(severity.label, forKey: .severityLabel)
    try object.encode(medications, forKey: .medications)
  }
}
