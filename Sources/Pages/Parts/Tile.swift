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
  let hasNotes: Bool
  /// The name of the link or the box, for those who do not see the photo.
  var alt: String
  /// The number of photos it stands for, if those of a day share one tile.
  let stack: String?
}

extension Tile: HTMLPart {
  var html: HTML {
    #"<a class="tile" href="\#(href)" data-photo="\#(id)" data-tint="\#(tint)"\#(attribute: "data-label", label)\#(" data-notes", if: hasNotes)\#(attribute: "data-stack", stack)>\#(picture)</a>"#
  }

  /// The tile as a box to tick.
  var choice: HTML {
    #"<label class="tile" data-tint="\#(tint)"\#(attribute: "data-label", label)\#(" data-notes", if: hasNotes)><input type="checkbox" name="id" value="\#(id)">\#(picture)</label>"#
  }

  /// The photo, as wide as there is room.
  var wide: HTML {
    #"<a class="wide-photo" href="\#(href)" data-photo="\#(id)" data-tint="\#(tint)"><img src="/api/v1/photos/\#(id)/preview" width="\#(width)" height="\#(height)" alt="\#(alt)" loading="lazy" decoding="async"></a>"#
  }

  private var picture: HTML {
    #"<img src="/api/v1/photos/\#(id)/thumbnail?digest=\#(digest)" width="\#(width)" height="\#(height)" alt="\#(alt)" loading="lazy" decoding="async">"#
  }
}

/// A photo shown with something that it belongs to.
struct Cover {
  let id: String
  let width: Int
  let height: Int
  let digest: String
  let tint: String
}

extension Cover: HTMLPart {
  /// The thumbnail.
  var html: HTML {
    #"<img src="/api/v1/photos/\#(id)/thumbnail?digest=\#(digest)" width="\#(width)" height="\#(height)" alt="" data-tint="\#(tint)" loading="lazy" decoding="async">"#
  }
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
  /// The text on a photo, which distinguishes it from the others of a list.
  enum Label {
    case plant
    /// `day 98`
    case age
    /// `Day 98 · 4 Jun`
    case ageAndDate
    /// `4 Jun`
    case date
    /// `Thu 4`
    case day
    /// `June`
    case month
  }

  /// Nil for an entry other than a photo.
  ///
  /// - Parameters:
  ///   - query: filters to keep, so that the photo's neighbours are those in the list.
  ///   - label: the text on it.
  ///   - namesPlant: false on the plant's own page.
  ///   - stack: the address of the photos that it stands for, and their number.
  init?(
    _ entry: Entry, keeping query: String = "", label: Label = .plant, namesPlant: Bool = true,
    stack: (href: String, count: Int)? = nil, in context: PageContext
  ) {
    guard let cover = Cover(entry) else { return nil }
    self.init(
      id: cover.id, href: stack?.href ?? "/photos/\(cover.id)\(query)", tint: cover.tint,
      width: cover.width, height: cover.height, digest: cover.digest,
      label: label.text(of: entry, context), hasNotes: stack == nil && entry.notes != nil,
      alt: context.name(
        of: entry, namesPlant: namesPlant, age: label.age(of: entry, context),
        standingFor: stack?.count),
      stack: stack.map { context.reader.number($0.count) })
  }
}

extension Tile {
  /// A photo that stands for all those of a day or a month.
  init?(
    _ photo: Entry, label: Label, standingFor count: Int, at href: String,
    in context: PageContext
  ) {
    guard let cover = Cover(photo) else { return nil }
    let text = label.text(of: photo, context)
    self.init(
      id: cover.id, href: href, tint: cover.tint, width: cover.width, height: cover.height,
      digest: cover.digest, label: text, hasNotes: false,
      alt: .dotted(text, context.reader.count("countPhotos", count)), stack: nil)
  }
}

extension Tile.Label {
  /// The age that it shows.
  fileprivate func age(of photo: Entry, _ context: PageContext) -> String? {
    let isShown =
      switch self {
      case .plant: photo.plant == nil
      case .age, .ageAndDate: true
      case .date, .day, .month: false
      }
    guard isShown, let day = photo.plantDay else { return nil }
    return context.words.text("dayAge", ["day": context.reader.number(day)])
  }

  /// Nil where nothing is known.
  fileprivate func text(of photo: Entry, _ context: PageContext) -> String? {
    let (reader, words) = (context.reader, context.words)
    let age = photo.plantDay.map { words.text("dayAge", ["day": reader.number($0)]) }
    return switch self {
    case .plant: photo.plant?.name ?? age
    case .age: age
    case .ageAndDate: .dotted(age?.capitalizedFirst, reader.shortDay(photo.time))
    case .date: reader.shortDay(photo.time)
    case .day: reader.dayOfMonth(photo.time)
    case .month: reader.monthName(photo.time.localDay)
    }
  }
}

extension [Tile] {
  /// The tiles, of which none beside each other have the same name: `Basil, 4 June, 2 of 7`.
  func named(_ reader: Reader) -> [Tile] {
    var totals: [String: Int] = [:]
    for tile in self { totals[tile.alt, default: 0] += 1 }
    guard totals.count < count else { return self }
    var numbers: [String: Int] = [:]
    return map { tile in
      guard let total = totals[tile.alt], total > 1 else { return tile }
      let number = numbers[tile.alt, default: 0] + 1
      numbers[tile.alt] = number
      var numbered = tile
      numbered.alt +=
        ", "
        + reader.words.text(
          "position", ["at": reader.number(number), "total": reader.number(total)])
      return numbered
    }
  }
}

extension PageContext {
  /// A photo in words: its plant, age, day, time, the beginning of its note, and whether it is a favourite.
  ///
  /// - Parameter count: the number of photos that it stands for, those of its plant and day.
  fileprivate func name(
    of photo: Entry, namesPlant: Bool, age: String?, standingFor count: Int?
  ) -> String {
    let shared = [namesPlant ? photo.plant?.name : nil, age, reader.day(photo.time)]
    guard count == nil else {
      return (shared + [count.map { reader.count("countPhotos", $0) }]).joined(by: ", ")
    }
    // A note of several hundred words would be read before anything else can be.
    let note = photo.notes.map { notes in
      let first = notes.split(maxSplits: 8, whereSeparator: \.isWhitespace).prefix(8)
      return String(first.joined(separator: " ").prefix(60))
    }
    let favourite = photo.photo?.isFavourite == true ? words["favourite"] : nil
    return (shared + [reader.clock(photo.time), note, favourite]).joined(by: ", ")
  }

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
