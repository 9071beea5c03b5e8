internal import Foundation
internal import Language
internal import Leaflog

/// The fields of a form, as typed, or else as stored.
struct FieldReader {
  private let typed: TypedForm?
  private let words: Words

  init(_ refusal: Refusal?, _ words: Words) { (typed, self.words) = (refusal?.typed, words) }

  func text(_ name: String, _ stored: String?) -> String? {
    typed.map { $0[name] } ?? stored
  }

  func field(_ name: String, _ stored: String?) -> FormValue {
    FormValue(text(name, stored), error: error(name))
  }

  func error(_ name: String) -> String? { typed?.errors[name] }

  func flag(_ name: String, _ stored: Bool) -> Bool {
    typed.map { $0[name] == "true" } ?? stored
  }

  /// The values of a repeated field.
  func all(_ name: String, _ stored: [String]) -> [String] {
    typed.map { $0.values[name] ?? [] } ?? stored
  }

  /// The fields of a list.
  func list(_ name: String, _ stored: [String], suggestions: [String]) -> ListField {
    let new = typed?.newItems(of: name)
    guard new != nil || !stored.isEmpty else {
      return ListField(
        name, [], hasItems: false, new: text(name, nil), suggestions: suggestions)
    }
    return ListField(
      name, all(name, stored), hasItems: true, new: new, suggestions: suggestions)
  }

  /// Answers of which one, or none, may be chosen.
  func radios(
    _ name: String, _ stored: String?, _ values: [String], label: (String) -> String
  ) -> [Radio] {
    let chosen = text(name, stored) ?? ""
    let unset = Radio(value: "", label: words["notSaid"], isChosen: chosen.isEmpty, isUnset: true)
    return [unset]
      + values.map { Radio(value: $0, label: label($0), isChosen: $0 == chosen, isUnset: false) }
  }

  func options(
    _ name: String, _ stored: String?, _ values: [(value: String, label: String)]
  ) -> [Option] {
    let chosen = text(name, stored)
    return values.map { Option(value: $0.value, label: $0.label, isChosen: $0.value == chosen) }
  }
}

extension Refusal {
  /// The fields whose stored values, or those of the form as it was saved before, differ from what was typed.
  ///
  /// - Parameter href: the address of a fresh form.
  func conflict(at href: String, _ fields: [FormField], _ words: Words) -> Conflict? {
    guard isConflict else { return nil }
    let rows = fields.compactMap { field -> Conflict.Row? in
      let stored = former.map { $0.form.text(of: field) } ?? field.stored ?? ""
      let typed = self.typed.text(of: field)
      return stored == typed
        ? nil
        : Conflict.Row(label: field.label, stored: field.read(stored), typed: field.read(typed))
    }
    return Conflict(
      title: words[former == nil ? "conflictTitle" : "conflictSaved"],
      href: former?.place ?? href, hasRows: !rows.isEmpty, rows: rows)
  }
}

extension TypedForm {
  /// The items of a field, in one line.
  fileprivate func text(of field: FormField) -> String {
    ((values[field.name] ?? []) + [newItems(of: field.name) ?? ""])
      .filter { !$0.isEmpty }.joined(separator: ", ")
  }
}

extension PageContext {
  /// The message of a rejected form; a conflict has its own part.
  func problem(_ refusal: Refusal?) -> PageProblem? {
    guard let refusal, !refusal.isConflict else { return nil }
    return refusal.problem(words)
  }

  /// An entry of this kind that is not in the trash.
  func entry(_ id: String, of kind: EntryKind) throws -> Entry {
    let entry = try library.diary.entry(matching: id, of: kind)
    guard entry.deletedAt == nil else {
      throw LeaflogError(.notFound, "\(entry.id) is in the trash.")
    }
    return entry
  }

  /// Plants to choose from.
  func plantOptions(chosen: String?) throws -> [Option] {
    try plantNames().map {
      Option(value: $0.value, label: $0.label, isChosen: $0.value == chosen)
    }
  }

  /// The ids and names of all plants, by name.
  func plantNames() throws -> [(value: String, label: String)] {
    try library.plants.references().map { ($0.id.description, $0.name) }
  }

  func tagNames() throws -> [String] { try library.diary.tags().map(\.name) }
}

extension PlantChoice.PlantTile: HTMLPart {
  var html: HTML {
    #"<label><input type="radio" name="plant" value="\#(value)"\#(" checked", if: isChosen)>\#(photo?.html ?? #"<span class="blank">\#(HTML.icon("plants"))</span>"#)<span>\#(name)</span></label>"#
  }
}

/// The plants of a library to choose one from, by picture and name.
struct PlantChoice {
  /// Whether no plant is chosen.
  let isNone: Bool
  let plants: [PlantTile]

  struct PlantTile {
    let value: String
    let name: String
    let photo: Cover?
    let isChosen: Bool
  }

  /// The chosen one first, then those with the newest photos.
  init(_ fields: FieldReader, _ stored: String?, in context: PageContext) throws {
    let chosen = fields.text("plant", stored)
    plants = try context.library.plants.covers().map { found in
      let id = found.plant.id.description
      return (
        found.lastPhotoDay?.dayNumber ?? .min,
        PlantTile(
          value: id, name: found.plant.name, photo: found.photo.flatMap { Cover($0) },
          isChosen: id == chosen)
      )
    }.sorted { ($0.1.isChosen ? 1 : 0, $0.0) > ($1.1.isChosen ? 1 : 0, $1.0) }.map(\.1)
    isNone = !plants.contains(where: \.isChosen)
  }
}
