internal import Leaflog

/// Everything about a photo, a line a field.
struct PhotoText {
  let library: Library
  let context: CommandContext

  /// `drawn`: with its thumbnail.
  func tell(_ photo: Photo, drawn: Bool) throws {
    if context.options.json {
      let document = Document(photo, library)
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
    row("Taken", "\(entry.time.wall)\(zoneText(entry.time)), from \(sourceText(entry.photo))")
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

  private func zoneText(_ time: EntryTime) -> String {
    switch time.basis {
    case .zoned: " \(time.offset)"
    case .wall: " (zone not recorded)"
    case .instant: " \(time.offset) (recorded in UTC)"
    case .day: " (time of day not recorded)"
    }
  }

  private func sourceText(_ photo: PhotoSummary?) -> String {
    switch photo?.captureSource {
    case .sidecar: "an XMP sidecar"
    case .exif: "EXIF"
    case .xmp: "the XMP in the file"
    case .gps: "GPS"
    case .takeout: "Google Takeout's JSON"
    case .filename: "the file's name"
    case .mtime: "the file's modification time"
    case .manual, nil: "you"
    }
  }

  private struct Document: Encodable {
    struct RenditionPart: Encodable {
      let role: String
      let blob: String
      let byteCount: Int
      let mediaType: String
      let width: Int
      let height: Int
      let recipe: String
      let path: String
    }

    let entry: EntryDocument
    let originalName: String
    let sourceMediaType: String
    let placeholder: [UInt8]
    let warnings: [String]
    let renditions: [RenditionPart]
    let sourcePaths: [String]

    init(_ photo: Photo, _ library: Library) {
      entry = EntryDocument(photo.entry)
      originalName = photo.originalName
      sourceMediaType = photo.sourceMediaType
      placeholder = photo.placeholder
      warnings = photo.warnings.map(\.rawValue)
      renditions = photo.renditions.map {
        RenditionPart(
          role: $0.role.rawValue, blob: $0.blob.hex, byteCount: $0.byteCount,
          mediaType: $0.mediaType, width: $0.size.width, height: $0.size.height,
          recipe: $0.recipe, path: library.photos.path(of: $0))
      }
      sourcePaths = photo.sourcePaths
    }

    private enum Key: CodingKey {
      case originalName, sourceMediaType, placeholder, warnings, renditions, sourcePaths
    }

    /// The entry's own keys, and the photo's beside them.
    func encode(to encoder: any Encoder) throws {
      try entry.encode(to: encoder)
      var object = encoder.container(keyedBy: Key.self)
      try object.encode(originalName, forKey: .originalName)
      try object.encode(sourceMediaType, forKey: .sourceMediaType)
      try object.encode(placeholder, forKey: .placeholder)
      try object.encode(warnings, forKey: .warnings)
      try object.encode(renditions, forKey: .renditions)
      try object.encode(sourcePaths, forKey: .sourcePaths)
    }
  }
}
