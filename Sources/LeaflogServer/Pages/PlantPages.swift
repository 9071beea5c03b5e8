internal import Documents
internal import Leaflog
internal import Pages

/// Plants: all, one, editing, merging and deleting them.
enum PlantPages {
  static func add(to serving: PageServing) {
    serving.show("plants") { context, address in
      try PlantsPage(
        context, sort: address["sort"].flatMap { PlantsPage.Sort(rawValue: $0) } ?? .photo,
        location: address["location"])
    }
    serving.show("plants/new") { context, _ in try PlantEditPage(context) }
    serving.show("plants/:name") { context, address in
      try PlantPage(
        context, of: address.name("name"), from: SectionStart(address))
    }
    serving.show("plants/:name/edit") { context, address in
      try PlantEditPage(context, of: address.name("name"))
    }
    serving.data("plants/:name/frames") { context, address in
      try FilmFrames(context, of: address.name("name"), on: address.day("day"))
    }
    serving.take("plants", add) { context, _, refusal in
      try PlantEditPage(context, refusal: refusal)
    }
    serving.take("plants/:name", edit, again: again)
    serving.take("plants/:name/merge", merge, again: again)
    serving.take("plants/:name/delete", delete, again: again)
  }

  private static let again:
    @Sendable (PageContext, PageServing.Address, Refusal) throws -> any Screen = {
      try PlantEditPage($0, of: $1.name("name"), refusal: $2)
    }

  private static func fields(_ call: FormCall, replacing plant: Plant?) -> [String: JSONValue] {
    [
      "name": call.line("name", replacing: plant?.name),
      "scientificName": call.line("scientificName", replacing: plant?.scientificName),
      "location": call.line("location", replacing: plant?.location),
      "notes": call.text("notes", replacing: plant?.notes),
    ].mapValues { .string($0 ?? "") }
  }

  private static func add(_ call: FormCall) throws -> String {
    try call.perform(PlantRoutes.add, fields(call, replacing: nil))
    let plant = try call.library.plants.named(call.required("name"))
    return "/plants/\(plant.id)"
  }

  private static func edit(_ call: FormCall) throws -> String {
    let plant = try call.library.plants.named(call.address.name("name"))
    try call.perform(PlantRoutes.edit, fields(call, replacing: plant))
    return "/plants/\(plant.id)"
  }

  private static func merge(_ call: FormCall) throws -> String {
    let other = try call.library.plants.named(call.required("into"))
    try call.perform(PlantRoutes.merge, ["into": .string(other.id.description)])
    return "/plants/\(other.id)"
  }

  private static func delete(_ call: FormCall) throws -> String {
    _ = try call.required("confirm")
    try call.perform(PlantRoutes.delete, [:])
    return "/plants"
  }
}
