package import Fields

/// A symptom felt at a time.
public struct Symptom: Sendable, Hashable {
  /// As it was typed: free text on one line, such as `headache`.
  public var name: String
  /// 1 (weakest) to 5, and the label that was given instead of a number.
  public var severity: Severity
  /// Medications taken for it.
  public var medications: [String]

  /// Creates a symptom, which is validated when it is stored.
  public init(name: String, severity: Severity, medications: [String] = []) {
    self.name = name
    self.severity = severity
    self.medications = medications
  }

  /// The validated symptom, with a trimmed name and trimmed medications without duplicates.
  ///
  /// - Throws: `InvalidValue` when the name is empty or has several lines.
  package func checked() throws(InvalidValue) -> Symptom {
    var checked = try Self.fields.checked(self)
    checked.medications = checked.medications.tidied
    return checked
  }
}

extension Symptom: EntryPart {
  package static let kind = EntryKind.symptom
  package var content: EntryContent { .symptom(self) }

  package static let blank = Symptom(name: "", severity: .weakest)

  package static let fields = Fields<Symptom>([
    Field("name", \.name, .line(200)),
    Field("severity", \.severityValue, .number(Severity.range)),
    Field("severityLabel", \.severityLabel, .verbatim),
    Field("medications", \.medications, .texts, standard: []),
  ]).named("Symptom")

  /// A new number has no label, unless one is set after it.
  private var severityValue: Double {
    get { severity.value }
    set { severity = severity.replaced(newValue, label: nil) }
  }

  private var severityLabel: String? {
    get { severity.label }
    set { severity = severity.replaced(severity.value, label: newValue) }
  }
}
