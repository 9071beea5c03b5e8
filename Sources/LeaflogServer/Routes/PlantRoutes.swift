internal import Fields
internal import Hummingbird
internal import Leaflog

/// Plants: reading, adding and editing them.
struct PlantRoutes: Sendable {
  func add(to api: API) {
    api.get(
      "plants", "plants", .readPhotos, "All plants",
      query: [Query.isDeleted, Self.folder],
      answers: [.json(.answer(Listing<PlantDocument>.self))], plants)
    api.get(
      "plants/\(Path.name)", "plant", .readPhotos, "A plant and its record",
      headers: [.ifMatch, .ifNoneMatch],
      answers: Answer.versioned(.answer(PlantRecordDocument.self)), plant)
    api.write(
      .post, "plants", "addPlant", .writePhotos, "Add a plant", body: Body(.new, PlantDetails.self),
      answers: .created(.answer(PlantDocument.self), [.eTag]), write: Self.add)
    api.write(
      .patch, "plants/\(Path.name)", "editPlant", .writePhotos, "Edit a plant",
      body: Body(.patch, PlantDetails.self),
      isVersioned: true, answers: .json(.answer(PlantDocument.self), .ok, nil, [.eTag]),
      write: Self.edit)
    api.write(
      .delete, "plants/\(Path.name)", "deletePlant", .writePhotos,
      "Delete a plant and move its entries to the trash", isVersioned: true,
      answers: .json(.answer(PlantDocument.self), .ok, nil, [.eTag]), write: Self.delete)
    api.write(
      .post, "plants/\(Path.name)/restore", "restorePlant", .writePhotos,
      "Restore a plant from the trash, with what was deleted with it",
      answers: .json(.answer(PlantDocument.self), .ok, nil, [.eTag]), write: Self.restore)
    api.write(
      .post, "plants/\(Path.name)/merge", "mergePlant", .writePhotos, "Merge a plant into another",
      body: Body([Self.target]), isVersioned: true,
      answers: .json(.answer(PlantDocument.self), .ok, nil, [.eTag]),
      write: Self.merge)
  }

  private static let target = Parameter<String>(
    "into", .text, isRequired: true, "The other plant's name or id.")

  private static let folder = Parameter<String>(
    "folder", .text,
    "Only the plant that photos in a folder with this name belong to, if there is one.")

  private func plants(_ asked: Asked) async throws -> Response {
    let deleted = try asked.query.known(Query.isDeleted)
    let folder = try asked.query.value(Self.folder)
    return try await Response.json(asked.access) { library in
      let today = library.today
      return Listing(
        items: try
          (folder.map { try [library.plants.ofFolder($0)].compactMap(\.self) }
          ?? library.plants.all(deleted: deleted)).map { PlantDocument($0, today: today) },
        next: nil)
    }
  }

  private func plant(_ asked: Asked) async throws -> Response {
    let name = try asked.name(Path.name)
    return try await Response.versioned(asked.request, asked.access) { library in
      let record = try library.plants.record(of: library.plants.find(matching: name))
      return (
        PlantRecordDocument(record, today: library.today), EntityTag(version: record.plant)
      )
    }
  }
}

/// Editing.
extension PlantRoutes {
  static func add(_ call: Call) throws -> Written {
    let details = try call.body.patch(of: PlantDetails.self).made()
    let library = try call.writer()
    return Written(try library.plants.add(details), in: library, .created)
  }

  static func edit(_ call: Call) throws -> Written {
    let plant = try call.library.plants.find(matching: call.name(Path.name))
    let patch = try call.body.patch(of: PlantDetails.self)
    let library = try call.writer(editing: plant)
    return Written(try library.plants.edit(plant.id) { $0 = patch.applied(to: $0) }, in: library)
  }

  static func delete(_ call: Call) throws -> Written {
    let plant = try call.library.plants.find(matching: call.name(Path.name))
    let library = try call.writer(editing: plant)
    try library.plants.delete(plant.id)
    return Written(
      try library.plants.find(plant.id, among: .undeletedFirst), in: library)
  }

  static func restore(_ call: Call) throws -> Written {
    let plant = try call.library.plants.find(matching: call.name(Path.name), among: .deletedFirst)
    let library = try call.writer()
    try library.plants.restore(plant.id)
    return Written(try library.plants.find(plant.id), in: library)
  }

  static func merge(_ call: Call) throws -> Written {
    let plant = try call.library.plants.find(matching: call.name(Path.name))
    let other = try call.library.plants.find(matching: call.body.known(target))
    guard plant.id != other.id else {
      throw Problem(.conflict, "A plant cannot be merged into itself.")
    }
    let library = try call.writer(editing: plant)
    try library.plants.merge(plant.id, into: other.id)
    return Written(try library.plants.find(other.id), in: library)
  }
}
