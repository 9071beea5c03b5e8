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
      headers: [.ifMatch, .ifNoneMatch], answers: Answer.versioned(.answer(Factor.self))
    ) { asked in
      let name = try asked.name(Path.name)
      return try await Response.versioned(asked.request, asked.access) { library in
        let factor = try library.factors.find(matching: name)
        return (factor, EntityTag(version: factor))
      }
    }
    api.write(
      .post, "factors", "addFactor", .writeDiary, "Add a field to the daily log",
      body: Body(.new, FactorDetails.self), answers: .created(.answer(Factor.self), [.eTag])
    ) { call in
      let details = try call.body.patch(of: FactorDetails.self).made()
      return Written(try call.writer().factors.add(details), .created)
    }
    api.write(
      .patch, "factors/\(Path.name)", "editFactor", .writeDiary,
      "Rename, hide or show an own field, or change the values that it takes",
      body: Body(.patch, FactorDetails.self), isVersioned: true,
      answers: .json(.answer(Factor.self), .ok, nil, [.eTag])
    ) { call in
      let factor = try call.library.factors.find(matching: call.name(Path.name))
      let patch = try call.body.patch(of: FactorDetails.self)
      let library = try call.writer(editing: factor)
      return Written(try library.factors.edit(factor.id) { $0 = patch.applied(to: $0) })
    }
    api.write(
      .put, "factors/order", "orderFactors", .writeDiary, "Reorder all own fields",
      body: Body([order]),
      answers: .json(.answer(Listing<Factor>.self))
    ) { call in
      let ids = try call.body.known(order).map { try call.library.factors.find(matching: $0).id }
      return Written(Listing(items: try call.writer().factors.reorder(ids)))
    }
    api.write(
      .delete, "factors/\(Path.name)", "deleteFactor", .writeDiary,
      "Delete an own field with all its values", isVersioned: true,
      answers: .json(.answer(Factor.self), .ok, nil, [.eTag])
    ) { call in
      let factor = try call.library.factors.find(matching: call.name(Path.name))
      try call.writer(editing: factor).factors.delete(factor.id)
      return Written(factor)
    }
  }

  private static let order = Parameter<[String]>(
    "ids", .texts, isRequired: true, "The names or ids of all own fields, each once.")
}
