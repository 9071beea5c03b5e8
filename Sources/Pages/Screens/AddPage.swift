package import Leaflog

/// The form for adding photos.
package struct AddPage: Screen {
  package static let template = "add"

  let page: PageFrame
  let zone: String
  let problem: PageProblem?
  let outcomes: Outcomes?
  let plantOptions: [Option]
  let newPlant: FormField
  let form: AddForm
  let latest: String

  struct Outcomes {
    let title: String
    let files: [File]
  }

  struct File {
    let name: String
    let href: String?
    let text: String
    let isBad: Bool
  }

  struct AddForm {
    let date: FormValue
    let notes: FormValue
  }

  /// - Parameters:
  ///   - plant: the plant chosen in the list.
  ///   - added: the photos that came with the form.
  package init(
    _ context: PageContext, plant: String?, added: [FileOutcome] = [], refusal: Refusal? = nil
  ) throws {
    let fields = FieldReader(refusal, context.words)
    zone = context.reader.zone.identifier
    problem = refusal?.problem(context.words)
    outcomes = added.isEmpty ? nil : Outcomes(added, context.reader)
    plantOptions = fields.options(
      "plant", plant, try context.plantNames())
    newPlant = FormBuilder(refusal, context).field(
      "newPlant", label: "orNewPlant", stored: nil, .init(maxLength: 200))
    form = AddForm(
      date: fields.field("date", nil),
      notes: fields.field("notes", nil))
    latest = context.latest
    page = try context.frame(context.words["addPhotos"], at: .add)
  }
}

/// The question of what to add, for browsers without scripts; others show it as a sheet.
package struct AddWhatPage: Screen {
  package static let template = "add-what"

  let page: PageFrame

  package init(_ context: PageContext) throws {
    page = try context.frame(context.words["addWhat"], at: .add)
  }
}

extension AddPage.Outcomes {
  fileprivate init(_ files: [FileOutcome], _ reader: Reader) {
    let count = files.count { if case .added = $0.result { true } else { false } }
    self.init(
      title: reader.count("addedTitle", count), files: files.map { AddPage.File($0, reader) })
  }
}

extension AddPage.File {
  fileprivate init(_ file: FileOutcome, _ reader: Reader) {
    let words = reader.words
    func told(_ text: String, _ photo: EntryID? = nil, isBad: Bool = false) -> AddPage.File {
      AddPage.File(
        name: file.path, href: photo.map { "/photos/\($0)" }, text: text, isBad: isBad)
    }
    switch file.result {
    case .added(let photo):
      let date = reader.day(photo.time)
      let plant = photo.plantName ?? words["noPlant"]
      self = told(words.text("outcome.added", ["plant": plant, "date": date]), photo.id)
    case .duplicate(let id), .updated(let id): self = told(words["photoThere"], id)
    case .restored(let id): self = told(words["photoRestored"], id)
    case .skipped: self = told(words["photoSkipped"])
    case .failed: self = told(words["photoFailed"], isBad: true)
    }
  }
}
