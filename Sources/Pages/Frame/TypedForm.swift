internal import Language
package import Leaflog

/// The fields of a rejected form, as typed, and the reasons.
package struct TypedForm: Sendable {
  /// The values by field name; repeated fields have several.
  package var values: [String: [String]]
  /// The errors by field name.
  package var errors: [String: String]

  package init(values: [String: [String]], errors: [String: String] = [:]) {
    (self.values, self.errors) = (values, errors)
  }

  package subscript(name: String) -> String? { values[name]?.first }

  /// The new items that were typed for a list whose stored items have fields of their own; nil for a list without.
  package func newItems(of list: String) -> String? { self[ListField.nameOfNew(list)] }
}

/// The reason why a form is shown again.
package struct Refusal: Sendable {
  /// Whether somebody else has changed the edited entry in the meantime.
  package let isConflict: Bool
  private let detail: String?
  package let typed: TypedForm
  /// The reasons why it may be a mistake, which the form asks to confirm.
  let doubts: [Doubt]
  /// The form as it was saved before, where the same form comes again with other words.
  let former: Former?

  struct Former: Sendable {
    let form: TypedForm
    /// The page that it led to.
    let place: String
  }

  package init(
    isConflict: Bool, detail: String?, typed: TypedForm, doubts: [Doubt] = []
  ) {
    (self.isConflict, self.detail, self.typed) = (isConflict, detail, typed)
    (self.doubts, former) = (doubts, nil)
  }

  /// A form that was saved already, with other words.
  package init(former: TypedForm, at place: String, typed: TypedForm) {
    (isConflict, detail, doubts, self.typed) = (true, nil, [], typed)
    self.former = Former(form: former, place: place)
  }

  func problem(_ words: Words) -> PageProblem {
    PageProblem(title: words["problem.form"], detail: detail)
  }
}
