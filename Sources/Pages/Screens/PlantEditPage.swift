internal import Documents
internal import Leaflog

/// The fields of a plant, new or existing, and how to merge or delete it.
package struct PlantEditPage: Screen {
  package static let template = "plant-edit"

  let page: PageFrame
  let backHref: String
  let backLabel: String
  let heading: String
  let action: String
  let version: String?
  let problem: PageProblem?
  let conflict: Conflict?
  let form: PlantForm
  let locationNames: [String]
  let existing: ExistingPlant?

  struct PlantForm {
    let name: Field
    let scientificName: Field
    let location: Field
    let notes: Field
  }

  struct ExistingPlant {
    let id: String
    let others: [Option]
    let deleteHelp: String
  }

  /// - Parameter name: the plant's name or id; nil means a new plant.
  package init(_ context: PageContext, of name: String? = nil, refusal: Refusal? = nil) throws {
    let (words, library) = (context.words, context.library)
    let plant = try name.map { try library.plants.named($0) }
    let typed = refusal?.typed
    let all = try library.plants.all()
    page = try context.frame(words[plant == nil ? "newPlant" : "editPlant"], at: .plants)
    backHref = plant.map { "/plants/\($0.id)" } ?? "/plants"
    backLabel = plant?.name ?? words["plants"]
    heading = page.title
    action = backHref
    version = plant?.versionDigest
    conflict =
      refusal?.isConflict == true ? plant.flatMap { Conflict($0, typed, words) } : nil
    problem = conflict == nil ? refusal?.problem(words) : nil
    func field(_ name: String, _ stored: String?) -> Field {
      Field(typed?[name] ?? stored, error: typed?.errors[name])
    }
    let isNameless = typed?["name"]?.allSatisfy(\.isWhitespace) == true
    form = PlantForm(
      name: isNameless
        ? Field(typed?["name"], error: words["error.nameMissing"])
        : field("name", plant?.name),
      scientificName: field("scientificName", plant?.scientificName),
      location: field("location", plant?.location), notes: field("notes", plant?.notes))
    locationNames = Set(all.compactMap(\.location)).sorted()
    existing = try plant.map { plant in
      let entries = try library.plants.holdings(of: plant.id).entries.values.reduce(0, +)
      return ExistingPlant(
        id: plant.id.description,
        others: all.filter { $0.id != plant.id }.map {
          let id = $0.id.description
          return Option(value: id, label: $0.name, isChosen: id == typed?["into"])
        }, deleteHelp: context.reader.count("deletePlantHelp", entries))
    }
  }
}

extension Conflict {
  /// A plant's stored fields beside the typed ones.
  fileprivate init(_ plant: Plant, _ typed: TypedForm?, _ words: Words) {
    let fields = [
      ("name", plant.name), ("scientificName", plant.scientificName),
      ("location", plant.location), ("notes", plant.notes),
    ]
    self.init(
      href: "/plants/\(plant.id)/edit",
      rows: fields.compactMap { name, stored in
        guard let text = typed?[name], text != stored ?? "" else { return nil }
        return Conflict.Row(label: words[name], stored: stored ?? "", typed: text)
      })
  }
}
