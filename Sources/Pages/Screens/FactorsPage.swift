internal import Fields
internal import Leaflog

/// The fields that the user has added to the daily log, to edit, hide and move.
package struct FactorsPage: Screen {
  package static let template = "factors"

  struct Row {
    let id: String
    let name: String
    /// The values that it takes, and whether it is hidden.
    let detail: String
    let upLabel: String
    let downLabel: String
  }

  let page: PageFrame
  let rows: [Row]
  let hasRows: Bool
  let canMove: Bool

  package init(_ context: PageContext) throws {
    let words = context.words
    page = try context.frame(words["factors"], at: .today)
    let all = try context.library.factors.all()
    hasRows = !all.isEmpty
    canMove = all.count > 1
    rows = all.map { factor in
      Row(
        id: factor.id.description, name: factor.name,
        detail: [
          context.text(factor.details), factor.details.isHidden ? words["isHidden"] : nil,
        ].compactMap(\.self).joined(separator: " · "),
        upLabel: words.text("moveUp", ["name": factor.name]),
        downLabel: words.text("moveDown", ["name": factor.name]))
    }
  }
}

extension PageContext {
  /// The values that a factor takes: `0–10 cups`, `home, garden`.
  fileprivate func text(_ details: FactorDetails) -> String {
    guard let lowest = details.lowest, let highest = details.highest else {
      return details.kind == .flag ? words["kind.flag"] : details.choices.joined(separator: ", ")
    }
    let range = "\(reader.wholeNumber(lowest))–\(reader.wholeNumber(highest))"
    return [range, details.unit].compactMap(\.self).joined(separator: " ")
  }
}

/// The form of a factor, new or existing.
package struct FactorEditPage: Screen {
  package static let template = "factor-edit"

  let page: PageFrame
  let heading: String
  let problem: PageProblem?
  let action: String
  let rows: [FormRow]
  /// Nil for a new one.
  let existing: Existing?

  struct Existing {
    let hideAction: String
    let deleteAction: String
    let isHidden: Bool
    /// How many days have a value.
    let help: String
  }

  /// - Parameter name: the factor's name or id; nil for a new one.
  package init(_ context: PageContext, _ name: String? = nil, refusal: Refusal? = nil) throws {
    let words = context.words
    let factor = try name.map { try context.library.factors.find(matching: $0) }
    let form = FormBuilder(refusal, context)
    heading = factor?.name ?? words["newFactor"]
    page = try context.frame(heading, at: .today)
    problem = context.problem(refusal)
    let address = factor.map { "/factors/\($0.id)" }
    action = address ?? "/factors"
    let details = factor?.details
    let (kind, unit, choices) = (
      FormRow(form.field("kind", of: details, label: "factorKind")),
      FormRow(form.field("unit", of: details)), FormRow(form.field("choices", of: details))
    )
    let range = FormRow(
      pair: ["lowest", "highest", "step"].map { form.field($0, of: details) })
    let others: [FormRow] =
      switch details?.kind {
      case nil: [kind, range, unit, choices]
      case .flag: []
      case .number: [range, unit]
      case .choice: [choices]
      }
    rows = [FormRow(form.field("name", of: details))] + others
    existing = factor.map { factor in
      Existing(
        hideAction: "/factors/\(factor.id)/hide", deleteAction: "/factors/\(factor.id)/delete",
        isHidden: factor.details.isHidden,
        help: context.reader.count("factorDays", factor.valueCount))
    }
  }
}
