internal import Documents
internal import Fields
internal import Hummingbird
internal import Leaflog

/// Plants: reading, adding and editing them.
struct PlantRoutes: Sendable {
  let access: LibraryAccess
  let writing: Writing

  func add(to group: RouterGroup<LeaflogRequestContext>) {
    group.get("plants") { request, _ in try await plants(request) }
    group.get("plants/:name") { request, context in try await plant(request, context) }
    writing.add(.post, "plants", to: group, Self.add)
    writing.add(.patch, "plants/:name", to: group, Self.edit)
    writing.add(.delete, "plants/:name", to: group, Self.delete)
    writing.add(.post, "plants/:name/restore", to: group, Self.restore)
    writing.add(.post, "plants/:name/merge", to: group, Self.merge)
  }

  private func plants(_ request: Request) async throws -> Response {
    var reader = QueryReader(request)
    let deleted = try reader.flag("deleted")
    try reader.finish()
    return try await Response.json(access) { library in
      let today = library.today
      return Listing(
        items: try library.plants.all(deleted: deleted).map { PlantDocument($0, today: today) },
        next: nil)
    }
  }

  private func plant(_ request: Request, _ context: LeaflogRequestContext) async throws -> Response
  {
    try QueryReader(request).finish()
    let name = try context.text("name")
    return try await Response.versioned(request, access) { library in
      let record = try library.plants.record(of: library.plants.named(name))
      return (
        PlantRecordDocument(record, today: library.today), EntityTag(version: record.plant)
      )
    }
  }
}

/// Editing.
extension PlantRoutes {
  static func add(_ call: Call) throws -> Written {
    var body = call.body
    let details = try body.rest(of: PlantDetails.self).made()
    let library = try call.writer()
    return Written(try library.plants.add(details), in: library, .created)
  }

  static func edit(_ call: Call) throws -> Written {
    var body = call.body
    let plant = try call.library.plants.named(call.name("name"))
    let patch = try body.rest(of: PlantDetails.self)
    let library = try call.writer(editing: plant)
    return Written(try library.plants.edit(plant.id) { $0 = patch.applied(to: $0) }, in: library)
  }

  static func delete(_ call: Call) throws -> Written {
    try call.body.finish()
    let plant = try call.library.plants.named(call.name("name"))
    let library = try call.writer(editing: plant)
    try library.plants.delete(plant.id)
    return Written(
      try library.plants.deleted(named: plant.id.description), in: library)
  }

  static func restore(_ call: Call) throws -> Written {
    try call.body.finish()
    let plant = try call.library.plants.deleted(named: call.name("name"))
    let library = try call.writer()
    try library.plants.restore(plant.id)
    return Written(try library.plants.named(plant.id.description), in: library)
  }

  static func merge(_ call: Call) throws -> Written {
    var body = call.body
    let plant = try call.library.plants.named(call.name("name"))
    let other = try call.library.plants.named(body.requiredText("into"))
    try body.finish()
    guard plant.id != other.id else {
      throw Problem(.conflict, "A plant cannot be merged into itself.")
    }
    let library = try call.writer(editing: plant)
    try library.plants.merge(plant.id, into: other.id)
    return Written(try library.plants.named(other.id.description), in: library)
  }
}
