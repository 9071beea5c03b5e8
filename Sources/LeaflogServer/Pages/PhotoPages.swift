internal import Leaflog
internal import Pages

/// A single photo, and its form.
enum PhotoPages {
  static func add(to serving: PageServing) {
    serving.show("photos/:id", .readPhotos, isKept: true) { context, address in
      try PhotoPage(context, photo: address.name("id"), TimelineFilters(address))
    }
    serving.show("photos/:id/edit", .writePhotos) { context, address in
      try PhotoEditPage(context, photo: address.name("id"))
    }
    serving.take("photos/:id", .writePhotos, edit) { context, address, refusal in
      try PhotoEditPage(context, photo: address.name("id"), refusal: refusal)
    }
    serving.take("photos/:id/favourite", .writePhotos) { call in
      let entry = try call.library.photos.entry(matching: call.address.name("id"))
      _ = try call.writer().photos.setFavourite(call.flag("favourite"), for: .photos([entry.id]))
      return "/photos/\(entry.id)"
    }
    serving.take("photos/:id/delete", .writePhotos) { call in
      let entry = try call.library.photos.entry(matching: call.address.name("id"))
      _ = try call.writer().photos.delete(.photos([entry.id]))
      return "/timeline"
    }
  }

  private static func edit(_ call: FormCall) throws -> String {
    let entry = try call.library.photos.entry(matching: call.address.name("id"))
    let library = try call.writer(editing: entry)
    let plant = try call.plant(in: library)
    _ = try library.photos.edit(
      .photos([entry.id]), notes: call.text("notes", replacing: entry.notes) ?? "",
      tags: call.list("tags", replacing: entry.tags),
      plant: PlantEdit(plant), confirmed: call.confirmed
    ) { try call.newTime(of: $0) }
    if let name = call.text("source") {
      guard let source = Redating.Source(rawValue: name) else {
        throw Problem(.badRequest, "“\(name)” is not a date source.")
      }
      _ = try library.photos.redate(.photos([entry.id]), .source(source))
    }
    return "/photos/\(entry.id)"
  }
}

extension FormCall {
  /// The time typed into `at`, where it differs from the entry's, with the entry's offset. Of a photo without a time of
  /// day, it may be a day, a month or a year too.
  func newTime(of entry: Entry) throws -> RecordedTime? {
    guard let text = text("at") else { return nil }
    guard let time = RecordedTime(text), case .wall(let wall) = time else {
      if entry.time.basis == .day, let date = RecordedTime(text), date.isDate {
        return date == entry.time.recorded ? nil : date
      }
      throw InvalidValue("at", takes: "a time such as 2026-03-01T09:30", given: text)
    }
    guard entry.time.basis != .day else { return time }
    // Typed times have no fractions of a second; the entry keeps them unless something else has changed.
    let former = entry.time.wall
    guard "\(wall)".prefix(19) != "\(former)".prefix(19) else { return nil }
    return entry.time.basis == .zoned ? .zoned(wall, entry.time.offset) : time
  }
}
