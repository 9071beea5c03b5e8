internal import Fields
internal import Leaflog
internal import Pages

/// The timeline, its sections, and actions on several entries at once.
enum TimelinePages {
  static func add(to serving: PageServing) {
    serving.show("timeline", .readPhotos) { context, address in
      let on = address.day("on").map { SectionStart($0) }
      return try TimelinePage(context, TimelineFilters(address), from: on ?? SectionStart(address))
    }
    serving.show("timeline/section", .readPhotos) { context, address in
      guard let section = address["month"].flatMap({ SectionSpan($0) }),
        let part = address.number("part")
      else { throw Problem(.badRequest, "Give the month or year of the section, and its part.") }
      return try SectionContent(
        TimelineFilters(address), section: section, part: part, in: context)
    }
    serving.take("entries/delete", .writePhotos, delete)
    serving.take("entries/tags", .writePhotos, tag)
    serving.take("photos/move", .writePhotos, move)
    serving.take("photos/redate", .writePhotos, redate)
  }

  private static func delete(_ call: FormCall) throws -> String {
    let entries = try call.entries()
    let kind = entries.first?.kind ?? .photo
    _ = try call.writer().diary.delete(kind, entries.map(\.id))
    return "/timeline"
  }

  private static func tag(_ call: FormCall) throws -> String {
    let ids = try call.entries().map(\.id)
    let tags = (call.text("tags") ?? "").separatedByCommas
    let diary = try call.writer().diary
    if try call.required("operation") == "remove" {
      _ = try diary.removeTags(tags, from: ids)
    } else {
      _ = try diary.addTags(tags, to: ids)
    }
    return "/timeline"
  }

  private static func move(_ call: FormCall) throws -> String {
    let ids = try call.entries().map(\.id)
    let library = try call.writer()
    _ = try library.photos.move(.photos(ids), to: call.plant(in: library))
    return "/timeline"
  }

  private static func redate(_ call: FormCall) throws -> String {
    let ids = try call.entries().map(\.id)
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
    _ = try call.writer().photos.redate(.photos(ids), redating)
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
  /// The selected entries.
  func entries() throws -> [Entry] {
    let ids = form.values["id"] ?? []
    guard !ids.isEmpty else { throw Problem(.badRequest, "Select something first.") }
    return try ids.map { try library.diary.entry($0) }
  }

  /// The plant named by `newPlant`, added if it does not exist, or by `plant`; nil for none.
  func plant(in library: Library) throws -> PlantID? {
    if let name = text("newPlant") {
      let known = try library.plants.references().first { foldedName($0.name) == foldedName(name) }
      return try known?.id ?? library.plants.add(PlantDetails(name: name)).id
    }
    return try text("plant").map { try library.plants.reference($0).id }
  }

  /// A number; nil where nothing was typed.
  func decimal(_ name: String) throws -> Double? { try number(name).flatMap { Double($0) } }
}
