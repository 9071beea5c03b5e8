/// Formats made of boxes: HEIF, whose offsets forbid moving anything, and JPEG XL.
extension LocationRemoval {
  private static let heifBoxes: Set<String> = [
    "ftyp", "meta", "mdat", "moov", "moof", "mfra", "sidx", "styp", "free", "skip",
  ]
  private static let metaBoxes: Set<String> = [
    "hdlr", "pitm", "iloc", "iinf", "iref", "iprp", "idat", "dinf", "grpl", "ipro", "free",
  ]
  private static let movieBoxes: Set<String> = ["mvhd", "trak", "mvex", "free"]
  private static let trackBoxes: Set<String> = ["tkhd", "tref", "trgr", "edts", "mdia", "free"]

  /// Cleans or blanks in place the items that are not pictures, and turns boxes that no picture needs into
  /// free space.
  static func heif(
    _ bytes: UnsafeRawBufferPointer, _ format: ImageFormat
  ) throws(ImagingError) -> ByteEdits {
    var edits = ByteEdits()
    func boxes(_ range: Range<Int>) throws(ImagingError) -> [ISOBox] {
      guard range.lowerBound <= range.upperBound, let boxes = ISOBox.boxes(in: range, of: bytes)
      else { throw refusal(format, "its boxes do not fit together") }
      return boxes
    }
    func keep(_ known: Set<String>, of boxes: [ISOBox]) {
      for box in boxes where !known.contains(box.type) {
        edits.overwrite(box.typeOffset, with: Array("free".utf8))
        edits.blank(box.payload)
      }
    }
    let all = try boxes(0..<bytes.count)
    keep(heifBoxes, of: all)
    for movie in all where movie.type == "moov" {
      let children = try boxes(movie.payload)
      keep(movieBoxes, of: children)
      for track in children where track.type == "trak" {
        keep(trackBoxes, of: try boxes(track.payload))
      }
    }
    for meta in all where meta.type == "meta" {
      let children = try boxes(min(meta.start + 4, meta.range.upperBound)..<meta.range.upperBound)
      keep(metaBoxes, of: children)
      try cleanItems(&edits, HEIFItems(children, in: bytes), bytes, format)
      for properties in children where properties.type == "iprp" {
        for container in try boxes(properties.payload) where container.type == "ipco" {
          // A user description (ISO/IEC 23008-12, 6.5.20), and private properties.
          for property in try boxes(container.payload)
          where ["udes", "uuid"].contains(property.type) {
            edits.blank(property.payload)
          }
        }
      }
    }
    return edits
  }

  private static func cleanItems(
    _ edits: inout ByteEdits, _ items: HEIFItems, _ bytes: UnsafeRawBufferPointer,
    _ format: ImageFormat
  ) throws(ImagingError) {
    guard let metadata = items.metadata else {
      throw refusal(format, "its items are not understood")
    }
    for item in metadata {
      guard let range = item.range else { throw refusal(format, "its metadata lies in pieces") }
      guard item.type == "Exif" else {
        edits.blank(range, with: item.type == "mime" ? 0x20 : 0)
        continue
      }
      if !cleanEXIFBox(&edits, bytes, range) { edits.blank(range) }
    }
  }

  /// Cleans EXIF as HEIF and JPEG XL hold it.
  private static func cleanEXIFBox(
    _ edits: inout ByteEdits, _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>
  ) -> Bool {
    guard let start = TIFFStructure.headerOffset(in: bytes.rebased(range)) else { return false }
    return cleanEXIF(&edits, bytes, (range.lowerBound + start)..<range.upperBound)
  }

  /// The picture's boxes (ISO/IEC 18181-2, 9). The box that restores a JPEG is not one of them, as it
  /// contains that JPEG's own metadata.
  private static let jxlBoxes: Set<String> = ["JXL ", "ftyp", "jxll", "jxlc", "jxlp", "jxli"]

  static func jxl(_ bytes: UnsafeRawBufferPointer) throws(ImagingError) -> ByteEdits {
    var edits = ByteEdits()
    if bytes.starts(with: [0xFF, 0x0A]) { return edits }  // nothing but the picture
    guard let boxes = ISOBox.boxes(in: 0..<bytes.count, of: bytes) else {
      throw refusal(.jxl, "its boxes do not fit together")
    }
    for box in boxes where !jxlBoxes.contains(box.type) {
      if box.type == "brob" { throw refusal(.jxl, "its metadata is compressed") }
      if box.type == "Exif", cleanEXIFBox(&edits, bytes, box.payload) { continue }
      edits.remove(box.range)
    }
    return edits
  }
}
