/// The fields of a form that could not be taken, as they were typed, and why.
package struct TypedForm: Sendable {
  /// By the fields' names; of those that are repeated, all.
  package var values: [String: [String]]
  /// By the fields' names.
  package var errors: [String: String]

  package init(values: [String: [String]], errors: [String: String] = [:]) {
    (self.values, self.errors) = (values, errors)
  }

  package subscript(name: String) -> String? { values[name]?.first }
}

/// Why a page is shown again instead of what was asked for.
package struct Refusal: Sendable {
  /// Whether somebody else has changed meanwhile what was edited.
  package let isConflict: Bool
  private let detail: String?
  package let typed: TypedForm

  package init(isConflict: Bool, detail: String?, typed: TypedForm) {
    (self.isConflict, self.detail, self.typed) = (isConflict, detail, typed)
  }

  func problem(_ words: Words) -> PageProblem {
    PageProblem(title: words["problem.form"], detail: detail)
  }
}
