internal import Fields
internal import Leaflog
internal import Pages

/// Plants: all, one, editing, merging and deleting them.
enum PlantPages {
  static func add(to serving: PageServing) {
    serving.show("plants", .readPhotos, isKept: true) { context, address in
      try PlantsPage(
        context, sort: address["sort"].flatMap { PlantsPage.Sort(rawValue: $0) } ?? .photo,
        location: address["location"])
    }
    serving.show("plants/new", .writePhotos) { context, _ in try PlantEditPage(context) }
    serving.show("plants/:name", .readPhotos, isKept: true) { context, address in
      try PlantPage(
        context, of: address.name("name"), from: SectionStart(address))
    }
    serving.show("plants/:name/edit", .writePhotos) { context, address in
      try PlantEditPage(context, of: address.name("name"))
    }
    serving.data("plants/:name/frames", .readPhotos) { context, address in
      try FilmFrames(context, of: address.name("name"), on: address.day("day"))
    }
    serving.take("plants", .writePhotos, add) { context, _, refusal in
      try PlantEditPage(context, refusal: refusal)
    }
    serving.take("plants/:name", .writePhotos, edit, again: again)
    serving.take("plants/:name/merge", .writePhotos, merge, again: again)
    serving.take("plants/:name/delete", .writePhotos, delete, again: again)
  }

  private static let again:
    @Sendable (PageContext, PageServing.Address, Refusal) throws -> any Screen = {
      try PlantEditPage($0, of: $1.name("name"), refusal: $2)
    }

  private static func add(_ call: FormCall) throws -> String {
    let patch = try call.patch(of: PlantDetails?.none)
    try call.finish()
    return "/plants/\(try call.writer().plants.add(patch.made()).id)"
  }

  private static func edit(_ call: FormCall) throws -> String {
    let plant = try call.library.plants.find(matching: call.address.name("name"))
    let patch = try call.patch(of: plant.details)
    try call.finish()
    _ = try call.writer(editing: plant).plants.edit(plant.id) { $0 = patch.applied(to: $0) }
    return "/plants/\(plant.id)"
  }

  private static func merge(_ call: FormCall) throws -> String {
    let plant = try call.library.plants.find(matching: call.address.name("name"))
    let other = try call.library.plants.find(matching: call.required("into"))
    try call.writer(editing: plant).plants.merge(plant.id, into: other.id)
    return "/plants/\(other.id)"
  }

  private static func delete(_ call: FormCall) throws -> String {
    _ = try call.required("confirm")
    let plant = try call.library.plants.find(matching: call.address.name("name"))
    try call.writer(editing: plant).plants.delete(plant.id)
    return "/plants"
  }
}
