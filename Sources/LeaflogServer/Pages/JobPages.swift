internal import Fields
internal import Leaflog
internal import Pages

/// Pages that post jobs and show their outcome: films, and work on the library.
struct JobPages: Sendable {
  let jobs: JobQueue

  func add(to serving: PageServing) {
    serving.show("plants/:name/film", .readDiary) { context, address in
      try film(context, address, nil)
    }
    serving.take("plants/:name/film", .readDiary, makeFilm, again: film)
    serving.show("me/store", .administer) { context, _ in
      try StorePage(context, jobs: documents(context))
    }
    serving.take("me/store", .administer, work) { context, _, refusal in
      try StorePage(context, jobs: documents(context), refusal: refusal)
    }
    serving.show("me/reset", .administer) { context, address in
      try ResetPage(context, address["scope"].flatMap { ResetScope(rawValue: $0) } ?? .diary)
    }
    serving.take("me/reset", .administer, reset) { context, _, refusal in
      try ResetPage(
        context, refusal.typed["scope"].flatMap { ResetScope(rawValue: $0) } ?? .diary,
        refusal: refusal)
    }
    serving.take("jobs/:id/retry", .readDiary) { call in
      call.startedJob = try jobs.retry(call.address.name("id"), for: call.jobClient)
      return "/me/store"
    }
    serving.take("jobs/:id/delete", .readDiary) { call in
      _ = try jobs.delete(call.address.name("id"), for: call.jobClient)
      return "/me/store"
    }
  }

  /// Deletes everything for good once the library's name was typed. The list of jobs names what is deleted, so it goes,
  /// too; one that is at work would bring some of it back.
  @Sendable private func reset(_ call: FormCall) throws -> String {
    guard let scope = ResetScope(rawValue: try call.required("scope")) else {
      throw Problem(.badRequest, "Give the scope of the reset as diary or everything.")
    }
    guard call.text("name") == call.library.name else { throw FormFault("name", "error.resetName") }
    let all = try jobs.all(for: call.scope)
    guard all.allSatisfy(\.state.isEnd) else { throw FormFault("name", "error.resetJobs") }
    for job in all { _ = try jobs.delete(job.id, for: call.jobClient) }
    try call.writer().store.reset(scope, confirmedBy: call.library.name)
    return "/me/store"
  }

  /// The jobs, newest first.
  private func documents(_ context: PageContext) throws -> [JobDocument] {
    try jobs.documents(for: JobClient(context.scope, context.holder))
  }

  @Sendable private func film(
    _ context: PageContext, _ address: PageServing.Address, _ refusal: Refusal?
  ) throws -> any Screen {
    try FilmPage(
      context, of: address.name("name"), on: address.day("day"), jobs: documents(context),
      refusal: refusal)
  }

  @Sendable private func makeFilm(_ call: FormCall) throws -> String {
    let plant = try call.library.plants.reference(matching: call.address.name("name"))
    var fields: [String: Scalar] = [
      "kind": .text("timelapse"), "plant": .text(plant.id.description),
    ]
    for name in ["format", "from", "to", "pace", "at"] {
      fields[name] = call.text(name).map { .text($0) }
    }
    let hours = ["hoursFrom", "hoursTo"].map { call.text($0) }
    if hours.contains(where: { $0 != nil }) {
      fields["between"] = .text("\(hours[0] ?? "00:00")-\(hours[1] ?? "24:00")")
    }
    for name in ["fps", "size"] { fields[name] = try call.number(name) }
    for name in ["align", "exposure", "onePerDay", "light", "dateStamp"] {
      fields[name] = .flag(call.flag(name))
    }
    call.startedJob = try jobs.add(fields, for: call.jobClient)
    return "/plants/\(plant.id)/film#jobs"
  }

  /// Posts a job on the library. Deleting and recompressing are dry runs unless the form says otherwise.
  @Sendable private func work(_ call: FormCall) throws -> String {
    let kind = try call.required("kind")
    var fields: [String: Scalar] = ["kind": .text(kind)]
    switch kind {
    case "verify": fields["full"] = .flag(call.flag("full"))
    case "recompress": fields["dryRun"] = .flag(call.form["dryRun"] != "false")
    case "prune":
      fields["dryRun"] = .flag(call.form["dryRun"] != "false")
      fields["olderThan"] = .text("30d")
    case "backup": fields["to"] = .text(try call.required("to"))
    default: throw Problem(.badRequest, "“\(kind)” is not a job on the library.")
    }
    call.startedJob = try jobs.add(fields, for: call.jobClient)
    return "/me/store#jobs"
  }
}
