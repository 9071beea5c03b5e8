internal import Fields
internal import Hummingbird
internal import Leaflog

/// Fields that users add to the daily log. Their values are in the log itself.
enum FactorRoutes {
  static func add(to api: API) {
    api.get(
      "factors", "factors", .readDiary, "All own fields of the daily log, in their order",
      answers: [.json(.answer(Listing<Factor>.self))]
    ) { asked in try await Response.json(asked.access) { Listing(items: try $0.factors.all()) } }
    api.get(
      "factors/\(Path.name)", "factor", .readDiary, "An own field of the daily log",
      answers: [.json(.answer(Factor.self))]
    ) { asked in
      let name = try asked.name(Path.name)
      return try await Response.json(asked.access) { try $0.factors.named(name) }
    }
    api.write(
      .post, "factors", "addFactor", .writeDiary, "Add a field to the daily log",
      body: Body(.new, FactorDetails.self), answers: .created(.answer(Factor.self))
    ) { call in
      let details = try call.body.patch(of: FactorDetails.self).made()
      let factor = try call.writer().factors.add(details)
      return Written(factor, .created, at: "factors/\(factor.id)")
    }
    api.write(
      .patch, "factors/\(Path.name)", "editFactor", .writeDiary,
      "Rename, hide or show an own field, or change the values that it takes",
      body: Body(.patch, FactorDetails.self), answers: .json(.answer(Factor.self))
    ) { call in
      let factor = try call.library.factors.named(call.name(Path.name))
      let patch = try call.body.patch(of: FactorDetails.self)
      return Written(try call.writer().factors.edit(factor.id) { $0 = patch.applied(to: $0) })
    }
    api.write(
      .put, "factors/order", "orderFactors", .writeDiary, "Reorder all own fields",
      body: Body([order]),
      answers: .json(.answer(Listing<Factor>.self))
    ) { call in
      let ids = try call.body.known(order).map { try call.library.factors.named($0).id }
      return Written(Listing(items: try call.writer().factors.reorder(ids)))
    }
    api.write(
      .delete, "factors/\(Path.name)", "deleteFactor", .writeDiary,
      "Delete an own field with all its values",
      answers: .json(.answer(Factor.self))
    ) { call in
      let factor = try call.library.factors.named(call.name(Path.name))
      try call.writer().factors.delete(factor.id)
      return Written(factor)
    }
  }

  private static let order = Parameter<[String]>(
    "ids", .texts, isRequired: true, "The names or ids of all own fields, each once.")
}
