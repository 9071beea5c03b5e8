internal import Documents
internal import Leaflog

/// All details of a photo, one field per line.
struct PhotoText {
  let library: Library
  let context: CommandContext

  /// Prints a photo; `drawn` adds its thumbnail.
  func tell(_ photo: Photo, drawn: Bool) throws {
    if context.options.json {
      let document = PhotoDocument(photo, pathsIn: library)
      return context.output.print(json: try ShownDocument(document, of: photo.entry, in: library))
    }
    printText(photo)
    if drawn { try draw(photo) }
  }

  private func draw(_ photo: Photo) throws {
    if let drawing = TerminalPictures(context) {
      drawing.write(try library.photos.thumbnailPixels(of: photo), in: .single)
    } else if !context.options.quiet {
      context.error.print(TerminalPictures.absence)
    }
  }

  private func printText(_ photo: Photo) {
    let fields = FieldList(
      terminal: context.output.terminal, nameWidth: 12, isSingleLine: true)
    func row(_ name: String, _ value: String?) {
      fields.lines(name, value).forEach(context.output.print)
    }
    let entry = photo.entry
    row("Photo", entry.id.description)
    row("Plant", entry.plant.map { $0.name + (entry.plantDay.map { ", day \($0)" } ?? "") })
    row("Taken", "\(timeText(entry.time)), from \(sourceText(photo))")
    row("Notes", entry.notes)
    row("Tags", entry.tags.listed)
    if entry.photo?.isFavourite == true { row("Favourite", "★") }
    if let summary = entry.photo {
      row("Size", "\(summary.size) px")
      row(
        "Stored",
        "\(Quantities.bytes(summary.storedByteCount)) of \(Quantities.bytes(summary.sourceByteCount))"
      )
      row("SHA-256", summary.sourceDigest.hex)
    }
    for rendition in photo.renditions {
      row(
        rendition.role.rawValue,
        "\(Quantities.bytes(rendition.byteCount)), \(rendition.size) px, \(rendition.recipe)")
      row("", library.photos.path(of: rendition))
    }
    for path in photo.sourcePaths { row("Imported", path) }
    for warning in photo.warnings { row("Note", warning.explanation) }
    if entry.deletedAt != nil { row("", "In the trash.") }
  }

  private func timeText(_ time: EntryTime) -> String {
    switch (time.basis, time.precision) {
    case (.zoned, _): "\(time.wall) \(time.offset)"
    case (.wall, _): "\(time.wall) (zone not recorded)"
    case (.instant, _): "\(time.wall) \(time.offset) (recorded in UTC)"
    case (.day, nil): "\(time.date) (time of day not recorded)"
    case (.day, .month): "\(TimelineText.heading(time)) (day not recorded)"
    case (.day, .year): "\(TimelineText.heading(time)) (month not recorded)"
    }
  }

  private func sourceText(_ photo: Photo) -> String {
    if photo.warnings.contains(.dateIsChangeTime) { return "EXIF DateTime" }
    if photo.warnings.contains(.dateIsImportTime) { return "the time of the import" }
    return switch photo.entry.photo?.captureSource {
    case .sidecar: "an XMP sidecar"
    case .exif: "EXIF"
    case .xmp: "the XMP in the file"
    case .iptc: "the IPTC data in the file"
    case .png: "the PNG's text Creation Time"
    case .gps: "GPS"
    case .takeout: "Google Takeout's JSON"
    case .filename: "the file's name"
    case .mtime: "the file's modification time"
    case .manual, nil: "you"
    }
  }

}
