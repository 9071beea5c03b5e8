internal import Fields
internal import Hummingbird
internal import Leaflog
internal import Pages

/// Fields that users add to the daily log: the list, and their forms.
enum FactorPages {
  static func add(to serving: PageServing) {
    serving.show("factors", .readDiary, isKept: true) { context, _ in try FactorsPage(context) }
    serving.show("factors/new", .writeDiary) { context, _ in try FactorEditPage(context) }
    serving.show("factors/:name", .readDiary) { context, address in
      try FactorEditPage(context, address.name("name"))
    }
    serving.take("factors", .writeDiary, make) { context, _, refusal in
      try FactorEditPage(context, refusal: refusal)
    }
    serving.take("factors/:name", .writeDiary, edit) { context, address, refusal in
      try FactorEditPage(context, address.name("name"), refusal: refusal)
    }
    serving.take("factors/:name/hide", .writeDiary) { call in
      let factor = try factor(call)
      _ = try call.writer().factors.edit(factor.id) { $0.isHidden = call.flag("hidden") }
      return "/factors"
    }
    serving.take("factors/:name/move", .writeDiary) { call in
      let factor = try factor(call)
      if let place = try call.nextPlace(from: factor.rank, of: call.library.factors.all().count) {
        _ = try call.writer().factors.reorder(factor.id, to: .number(place))
      }
      return "/factors"
    }
    serving.take("factors/:name/delete", .writeDiary) { call in
      let factor = try factor(call)
      _ = try call.writer().factors.delete(factor.id)
      return "/factors"
    }
  }

  private static func factor(_ call: FormCall) throws -> Factor {
    try call.library.factors.find(matching: call.address.name("name"))
  }

  private static func make(_ call: FormCall) throws -> String {
    let patch: Patch<FactorDetails> = try call.patch(of: nil, besides: ["isHidden"])
    try call.attempt { _ = try patch.made().checked() }
    try call.finish()
    _ = try call.writer().factors.add(patch.made())
    return "/factors"
  }

  private static func edit(_ call: FormCall) throws -> String {
    let factor = try factor(call)
    let patch = try call.patch(of: factor.details, besides: ["kind", "isHidden"])
    try call.attempt { _ = try patch.applied(to: factor.details).checked(over: factor.details) }
    try call.finish()
    _ = try call.writer().factors.edit(factor.id) { $0 = patch.applied(to: $0) }
    return "/factors"
  }
}
