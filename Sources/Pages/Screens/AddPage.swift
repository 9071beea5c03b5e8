package import Leaflog

/// The form for adding photos.
package struct AddPage: Screen {
  package static let template = "add"

  let page: PageFrame
  let problem: PageProblem?
  let outcomes: Outcomes?
  let plantChoice: PlantChoice
  let newPlant: FormField
  let form: AddForm
  let latest: String?

  /// The titles of what was added, for the script: a number of photos, and of photos of one plant.
  let addedOne: String
  let addedOther: String
  let addedToOne: String
  let addedToOther: String
  /// The same of photos that somebody else has chosen on this device.
  let othersOne: String
  let othersOther: String
  /// The id of the reader's token, with which photos are sent that are chosen here; nil without one.
  let token: String?
  /// The meanings of codes of problems, as JSON; nil where the service's own sentences are in the reader's language.
  let reasons: String?

  struct Outcomes {
    let title: String
    let hasTiles: Bool
    let tiles: [Tile]
    let files: [File]
    /// The number of the change that added them; nil where nothing was added.
    let change: String?
    /// The way to the plant, where all are of one.
    let plantLink: Link?
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
  ///   - change: the number of the change that added them.
  package init(
    _ context: PageContext, plant: String?, added: [FileOutcome] = [], change: Int64? = nil,
    refusal: Refusal? = nil
  ) throws {
    let words = context.words
    let fields = FieldReader(refusal, context.words)
    problem = refusal?.problem(context.words)
    outcomes = added.isEmpty ? nil : try Outcomes(added, change, in: context)
    (addedOne, addedOther) = (words["addedTitle.one"], words["addedTitle.other"])
    (addedToOne, addedToOther) = (words["addedTo.one"], words["addedTo.other"])
    (othersOne, othersOther) = (words["photosOfOthers.one"], words["photosOfOthers.other"])
    token = context.holder?.id.description
    reasons = words.isEnglish ? nil : words.reasons
    plantChoice = try PlantChoice(fields, plant, in: context)
    newPlant = FormBuilder(refusal, context).field(
      "newPlant", label: "orNewPlant", stored: nil, .init(maxLength: 200))
    form = AddForm(
      date: fields.field("date", nil),
      notes: fields.field("notes", nil))
    latest = try context.latest
    page = try context.frame(context.words["addPhotos"], at: .add)
  }
}

/// The question of what to add, for browsers without scripts; others show it as a sheet.
package struct AddWhatPage: Screen {
  package static let template = "add-what"

  let page: PageFrame
  let choices: HTML

  package init(_ context: PageContext) throws {
    page = try context.frame(context.words["addWhat"], at: .add)
    choices = page.addChoices
  }
}

extension AddPage.Outcomes {
  fileprivate init(
    _ files: [FileOutcome], _ change: Int64?, in context: PageContext
  ) throws {
    let (reader, words) = (context.reader, context.words)
    let added = files.compactMap { file in
      if case .added(let photo) = file.result { photo } else { nil }
    }
    let entries = try context.library.photos.entries(.photos(added.map(\.id)))
    let plants = Set(entries.map(\.plant))
    let plant = plants.count == 1 ? plants.first ?? nil : nil
    tiles = entries.compactMap { Tile($0, label: .day, in: context) }.named(reader)
    hasTiles = !tiles.isEmpty
    title =
      plant.map {
        words.plural("addedTo", added.count, as: reader.number(added.count))
          .replacing("{plant}", with: $0.name)
      } ?? reader.count("addedTitle", added.count)
    self.files = files.map { AddPage.File($0, reader) }
    self.change = change.map { "\($0)" }
    plantLink = plant.map {
      Link(href: "/plants/\($0.id)", label: words.text("showPlant", ["name": $0.name]))
    }
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
      let source = photo.captureSource == .mtime ? words["fromFile"] : nil
      self = told(
        .dotted(words.text("outcome.added", ["plant": plant, "date": date]), source), photo.id)
    case .duplicate(let id), .updated(let id): self = told(words["photoThere"], id)
    case .restored(let id): self = told(words["photoRestored"], id)
    case .skipped: self = told(words["photoSkipped"])
    case .failed(let reason, let message):
      self = told(
        .dotted(
          words["photoFailed"], words.problem(message, of: "failure.\(reason.rawValue)")),
        isBad: true)
    }
  }
}
