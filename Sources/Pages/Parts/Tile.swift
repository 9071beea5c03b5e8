internal import Foundation
internal import Leaflog

/// A photo as a small picture that leads to it, or to the day that it stands for.
struct Tile {
  let id: String
  let href: String
  let tint: String
  /// Of the thumbnail, in pixels.
  let width: Int
  let height: Int
  /// The digest of the thumbnail, which makes its address that of these bytes alone.
  let digest: String
  /// `day 97`, or the plant's name.
  let label: String?
  /// Its plant and date.
  let alt: String
  /// How many photos it stands for, where those of a day are one tile.
  let stack: String?
}

/// A photo beside something that it belongs to.
struct Cover {
  let id: String
  let width: Int
  let height: Int
  let digest: String
  let tint: String
}

extension PhotoSummary {
  /// `#4a5b46`: the mean colour that its placeholder tells.
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

  /// Its size within a square, never enlarged.
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
  /// Nil for an entry that is no photo.
  ///
  /// - Parameters:
  ///   - query: filters to keep, so that the photo's neighbours are those of the list.
  ///   - isOfPlant: whether all photos of the list are the same plant's.
  ///   - stack: the address of the photos that it stands for, and how many they are.
  init?(
    _ entry: Entry, keeping query: String = "", isOfPlant: Bool = false,
    stack: (href: String, count: Int)? = nil, in context: PageContext
  ) {
    guard let cover = Cover(entry) else { return nil }
    let (reader, words) = (context.reader, context.words)
    let age = entry.plantDay.map { words.text("dayAge", ["day": reader.number($0)]) }
    let name = entry.plant?.name
    self.init(
      id: cover.id, href: stack?.href ?? "/photos/\(cover.id)\(query)", tint: cover.tint,
      width: cover.width, height: cover.height, digest: cover.digest,
      label: isOfPlant ? age : name ?? age,
      alt: context.alt(of: entry),
      stack: stack.map { reader.number($0.count) })
  }
}

extension PageContext {
  /// A photo's plant and date.
  func alt(of photo: Entry) -> String {
    let date = reader.day(photo.time.localDay)
    return photo.plant.map { words.text("photoAlt", ["plant": $0.name, "date": date]) } ?? date
  }
}
