internal import Fields
internal import Leaflog
internal import Pages

/// The timeline, its sections, and actions on several entries at once.
enum TimelinePages {
  static func add(to serving: PageServing) {
    serving.show("timeline", .readPhotos, isKept: true) { context, address in
      let on = address.day("on").map { SectionStart($0) }
      return try TimelinePage(context, TimelineFilters(address), from: on ?? SectionStart(address))
    }
    serving.show("timeline/section", .readPhotos, isKept: true) { context, address in
      guard let section = address["month"].flatMap({ SectionSpan($0) }),
        let part = address.number("part")
      else { throw Problem(.badRequest, "Give the month or year of the section, and its part.") }
      return try SectionContent(
        TimelineFilters(address), section: section, part: part, in: context)
    }
    serving.show("timeline/selection", .writePhotos) { context, address in
      try SelectionPage(context, TimelineFilters(address))
    }
    serving.data("timeline/ids", .readPhotos) { context, address in
      let day = address.day("on").map { $0...$0 }
      let ends = address["from"].flatMap { from in
        address["to"].map { (EntryID(stored: from), EntryID(stored: $0)) }
      }
      return SelectableIDs(
        try TimelineFilters(address).photos(
          in: context.library, days: day ?? address["month"].flatMap { SectionSpan($0)?.days },
          between: ends))
    }
    for (path, action) in [
      ("entries/delete", delete), ("entries/tags", tag), ("photos/move", move),
      ("photos/redate", redate),
    ] {
      serving.take(path, .writePhotos, action) { context, address, refusal in
        try SelectionPage(context, TimelineFilters(address), refusal: refusal)
      }
    }
  }

  @Sendable private static func delete(_ call: FormCall) throws -> String {
    let selected = try call.selected()
    if let kind = selected.kind { _ = try call.writer().diary.delete(selected.ids, of: kind) }
    return "/timeline"
  }

  @Sendable private static func tag(_ call: FormCall) throws -> String {
    let ids = try call.selected().ids
    let tags = (call.text("tags") ?? "").separatedByCommas
    let operation = try call.required("operation")
    guard !ids.isEmpty else { return "/timeline" }
    let diary = try call.writer().diary
    if operation == "remove" {
      _ = try diary.removeTags(tags, from: ids)
    } else {
      _ = try diary.addTags(tags, to: ids)
    }
    return "/timeline"
  }

  @Sendable private static func move(_ call: FormCall) throws -> String {
    let ids = try call.selected().ids
    guard !ids.isEmpty else { return "/timeline" }
    let library = try call.writer()
    _ = try library.photos.move(.photos(ids), to: call.plant(in: library))
    return "/timeline"
  }

  @Sendable private static func redate(_ call: FormCall) throws -> String {
    let ids = try call.selected().ids
    let redating: Redating
    if let name = call.text("source") {
      guard let source = Redating.Source(rawValue: name) else {
        throw Problem(.badRequest, "“\(name)” is not a date source.")
      }
      redating = .source(source)
    } else {
      guard case .some(let hours) = try call.decimal("shiftHours"), abs(hours) < 1_000_000 else {
        throw Problem(.badRequest, "Give the hours to shift by, or a source of the date.")
      }
      redating = .shift(.seconds(Int64((hours * 3600).rounded())))
    }
    if !ids.isEmpty { _ = try call.writer().photos.redate(.photos(ids), redating) }
    return "/timeline"
  }
}

extension SectionStart {
  /// Nil where the address names no month or year.
  init?(_ address: PageServing.Address) {
    guard let span = address["month"].flatMap({ SectionSpan($0) }) else { return nil }
    self.init(span, part: address.number("part") ?? 1)
  }
}

extension TimelineFilters {
  init(_ address: PageServing.Address) {
    self.init()
    kind = address["kind"].flatMap { EntryKind(rawValue: $0) }
    (plant, tag) = (address["plant"], address["tag"])
    day = address.day("day")
    only = address["only"].flatMap { Only(rawValue: $0) }
    zoom = address["zoom"].flatMap { Zoom(rawValue: $0) } ?? .days
    isSelecting = address["select"] == "true"
    isGrid = address["grid"] == "true"
  }
}

extension FormCall {
  /// The entries that the form acts on, and the kind of the first: those that it lists, as far as they are still there, or all
  /// photos that match the filters in its address, if their number is still the one that its page has said.
  func selected() throws -> (ids: [EntryID], kind: EntryKind?) {
    if let said = text("count") {
      let ids = try TimelineFilters(address).photos(in: library)
      guard said == "\(ids.count)" else { throw FormFault("count", "error.countChanged") }
      return (ids, .photo)
    }
    let listed = (form.values["id"] ?? []).map { EntryID(stored: $0) }
    guard !listed.isEmpty else { throw FormFault("id", "nothingSelected") }
    let kinds = try library.timeline.kinds(of: listed)
    let ids = listed.filter { kinds[$0] != nil }
    goneCount = listed.count - ids.count
    return (ids, ids.first.flatMap { kinds[$0] })
  }

  /// The plant named by `newPlant`, added if it does not exist, or by `plant`; nil for none.
  func plant(in library: Library) throws -> PlantID? {
    if let name = text("newPlant") {
      let known = try library.plants.references().first { foldedName($0.name) == foldedName(name) }
      return try known?.id ?? library.plants.add(PlantDetails(name: name)).id
    }
    return try text("plant").map { try library.plants.reference(matching: $0).id }
  }

  /// A number; nil where nothing was typed.
  func decimal(_ name: String) throws -> Double? { try number(name).flatMap { Double($0) } }
}
