internal import Foundation
internal import Leaflog

/// A thumbnail that links to its photo, or to the day it stands for.
struct Tile {
  let id: String
  let href: String
  let tint: String
  /// The size of the thumbnail, in pixels.
  let width: Int
  let height: Int
  /// The digest of the thumbnail, which ties its address to these exact bytes.
  let digest: String
  /// The text that distinguishes it in its list.
  let label: String?
  /// The plant's name, shown too where there is room.
  let plantName: String?
  /// The photo's plant and date.
  let alt: String
  /// The number of photos it stands for, if those of a day share one tile.
  let stack: String?
}

/// A photo shown with something that it belongs to.
struct Cover {
  let id: String
  let width: Int
  let height: Int
  let digest: String
  let tint: String
}

extension PhotoSummary {
  /// `#4a5b46`: the mean colour, from the placeholder.
  var tint: String {
    guard placeholder.count > 2 else { return Self.unknownTint }
    let bits = Int(placeholder[0]) | Int(placeholder[1]) << 8 | Int(placeholder[2]) << 16
    let lightness = Double(bits & 63) / 63
    let yellowBlue = Double(bits >> 6 & 63) / 31.5 - 1
    let redGreen = Double(bits >> 12 & 63) / 31.5 - 1
    let blue = lightness - 2 / 3 * yellowBlue
    let red = (3 * lightness - blue + redGreen) / 2
    let levels = [red, red - redGreen, blue].map { Int((255 * min(max($0, 0), 1)).rounded()) }
    return "#" + levels.map { padded16($0) }.joined()
  }

  static var unknownTint: String { "#808080" }

  private func padded16(_ level: Int) -> String {
    (level < 16 ? "0" : "") + String(level, radix: 16)
  }

  /// The size scaled to fit a square, never enlarged.
  func size(within side: Int) -> PixelSize {
    let longer = max(size.width, size.height)
    guard longer > side else { return size }
    func scaled(_ length: Int) -> Int { max(1, (length * side + longer / 2) / longer) }
    return PixelSize(width: scaled(size.width), height: scaled(size.height))
  }

  /// In pixels (the recipe of thumbnails).
  static var thumbnailSide: Int { 512 }
  /// In pixels.
  static var previewSide: Int { 2048 }
}

extension Cover {
  /// Nil for an entry of another kind.
  init?(_ entry: Entry) {
    guard let photo = entry.photo else { return nil }
    let size = photo.size(within: PhotoSummary.thumbnailSide)
    self.init(
      id: entry.id.description, width: size.width, height: size.height,
      digest: photo.thumbnail?.hex ?? "", tint: photo.tint)
  }
}

extension Tile {
  /// The property that differs between the photos of a list.
  enum Label { case plant, age, day }

  /// Nil for an entry other than a photo.
  ///
  /// - Parameters:
  ///   - query: filters to keep, so that the photo's neighbours are those in the list.
  ///   - label: what to show on it.
  ///   - stack: the address of the photos that it stands for, and their number.
  init?(
    _ entry: Entry, keeping query: String = "", label: Label = .plant,
    stack: (href: String, count: Int)? = nil, in context: PageContext
  ) {
    guard let cover = Cover(entry) else { return nil }
    let (reader, words) = (context.reader, context.words)
    let age = entry.plantDay.map { words.text("dayAge", ["day": reader.number($0)]) }
    let name = entry.plant?.name
    self.init(
      id: cover.id, href: stack?.href ?? "/photos/\(cover.id)\(query)", tint: cover.tint,
      width: cover.width, height: cover.height, digest: cover.digest,
      label: label == .day
        ? reader.dayOfMonth(entry.time)
        : label == .age
          ? age.map { .dotted(reader.shortDay(entry.time.localDay), $0) } : name ?? age,
      plantName: label == .day ? name : nil, alt: context.alt(of: entry),
      stack: stack.map { reader.number($0.count) })
  }
}

extension PageContext {
  /// A photo's plant and date.
  func alt(of photo: Entry) -> String {
    let date = reader.day(photo.time)
    return photo.plant.map { words.text("photoAlt", ["plant": $0.name, "date": date]) } ?? date
  }
}

struct PlantLink {
  let id: String
  let name: String
}
