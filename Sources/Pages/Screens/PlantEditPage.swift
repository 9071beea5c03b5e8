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
  let rows: [FormRow]
  let existing: ExistingPlant?

  struct ExistingPlant {
    let id: String
    let others: [Option]
    let deleteHelp: String
  }

  /// - Parameter name: the plant's name or id; nil means a new plant.
  package init(_ context: PageContext, of name: String? = nil, refusal: Refusal? = nil) throws {
    let (words, library) = (context.words, context.library)
    let plant = try name.map { try library.plants.find(matching: $0) }
    let typed = refusal?.typed
    let all = try library.plants.all()
    page = try context.frame(words[plant == nil ? "newPlant" : "editPlant"], at: .plants)
    let address = plant.map { "/plants/\($0.id)" } ?? "/plants"
    backHref = context.back ?? address
    backLabel = context.back == nil ? plant?.name ?? words["plants"] : words["back"]
    heading = page.title
    action = address
    version = plant?.versionDigest
    let form = FormBuilder(refusal, context)
    let locations = Set(all.compactMap(\.details.location)).sorted()
    // A new plant has no former names.
    rows = PlantDetails.fields.names.filter { plant != nil || $0 != "aliases" }.map { name in
      FormRow(
        form.field(
          name, of: plant?.details, suggestions: name == "location" ? locations : []))
    }
    conflict = refusal?.conflict(at: "\(address)/edit", rows.fields, words)
    problem = context.problem(refusal)
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
