public import Foundation
internal import Imaging
internal import SystemPackage

/// Two photos in one picture.
public struct Comparison: Sendable {
  /// How the two are put together.
  public enum Layout: Sendable {
    /// Side by side, at the same height.
    case sideBySide
    /// One over the other at half opacity, the second aligned with the first if the two match.
    case blended
  }

  private let library: Library

  /// Creates comparisons of photos in a library.
  public init(_ library: Library) { self.library = library }

  /// The result of a comparison.
  public struct Summary: Sendable {
    /// The size of the picture, in pixels.
    public let size: PixelSize
    /// The size of the file, in bytes.
    public let byteCount: Int
    /// The number of days from the first photo to the second; negative if that is earlier. A month or a year counts as
    /// its first day.
    public let dayCount: Int
    /// Whether the second was aligned with the first.
    public let isAligned: Bool
  }

  /// The maximum height of the photos, in pixels.
  private static let maxHeight = 1440

  /// Writes the picture atomically, in the format of the file's extension: .jpg, .png or .webp. It is
  /// upright, in sRGB, without metadata, and captioned with both days and the number of days between.
  ///
  /// - Throws: `LeaflogError` with code `invalidRequest` for a path with another extension or of no file, and `damaged`
  ///   when a photo's file is missing or damaged.
  public func write(
    _ first: Photo, _ second: Photo, _ layout: Layout, to path: String
  ) throws(LeaflogError) -> Summary {
    let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
    guard let format = StillFormat(rawValue: ending) else {
      throw .invalid("\(path) should end in .jpg, .png or .webp: that is what can be written.")
    }
    return try translating {
      try withImagingThread {
        let output = try OutputFile(FilePath(path))
        let days = second.entry.time.localDay.dayNumber - first.entry.time.localDay.dayNumber
        var isAligned = false
        let canvas = try canvas(first, second, layout, days, &isAligned)
        try canvas.picture().write(to: output.temporary.string, as: format)
        return Summary(
          size: canvas.size, byteCount: try output.replace(), dayCount: days, isAligned: isAligned)
      }
    }
  }

  /// The same picture as JPEG.
  ///
  /// - Throws: `LeaflogError` with code `damaged` when a photo's file is missing or damaged.
  public func jpeg(
    _ first: Photo, _ second: Photo, _ layout: Layout
  ) throws(LeaflogError) -> Data {
    try translating {
      try withImagingThread {
        let days = second.entry.time.localDay.dayNumber - first.entry.time.localDay.dayNumber
        var isAligned = false
        return Data(try canvas(first, second, layout, days, &isAligned).picture().jpeg().bytes)
      }
    }
  }

  /// A photo's preview as JPEG, aligned with another's if the two match, in the size of that one.
  ///
  /// - Throws: `LeaflogError` with code `damaged` when a photo's file is missing or damaged.
  public func aligned(_ second: Photo, onto first: Photo) throws(LeaflogError) -> Data {
    let previews = try [first, second].map { photo throws(LeaflogError) in
      SharedBytes(copying: try library.photos.preview(of: photo))
    }
    return try translating {
      try withImagingThread {
        let pictures = try previews.map {
          try PhotoFile(bytes: $0, format: .jpeg).frame(side: DecodedPhoto.previewSide)
        }
        let alignment = try PairAlignment(library, first, pictures[0], second, pictures[1])
        var onto = FrameAlignment.identity
        onto.view = alignment.first.view.inverse.after(alignment.second.view)
        return Data(try pictures[1].aligned(by: onto, size: pictures[0].size).jpeg().bytes)
      }
    }
  }

  private func canvas(
    _ first: Photo, _ second: Photo, _ layout: Layout, _ days: Int, _ isAligned: inout Bool
  ) throws -> PixelCanvas {
    switch layout {
    case .sideBySide: try sideBySide(first, second, days)
    case .blended: try blended(first, second, days, &isAligned)
    }
  }

  private func sideBySide(_ first: Photo, _ second: Photo, _ days: Int) throws -> PixelCanvas {
    let height = min(Self.maxHeight, Self.height(first), Self.height(second))
    let (left, right) = (try frame(first, height: height), try frame(second, height: height))
    let gap = max(4, height / 120)
    let strip = Strip(height: height)
    let width = left.size.width + gap + right.size.width
    var canvas = try PixelCanvas(
      size: PixelSize(width: width, height: height + strip.height), grey: 250)
    try canvas.draw(left, x: 0, y: 0)
    try canvas.draw(right, x: left.size.width + gap, y: 0)
    try strip.write(Self.caption(first), on: &canvas, x: 0, width: left.size.width)
    try strip.write(
      Self.caption(second) + " · " + Self.text(days), on: &canvas, x: left.size.width + gap,
      width: right.size.width)
    return canvas
  }

  private func blended(
    _ first: Photo, _ second: Photo, _ days: Int, _ isAligned: inout Bool
  ) throws -> PixelCanvas {
    let height = min(Self.maxHeight, Self.height(first), Self.height(second))
    let (below, above) = (try frame(first, height: height), try frame(second, height: height))
    let alignment = try PairAlignment(library, first, below, second, above)
    isAligned = alignment.isMatched
    let strip = Strip(height: height)
    var canvas = try PixelCanvas(
      size: PixelSize(width: below.size.width, height: height + strip.height), grey: 250)
    for (photo, alignment, opacity) in [
      (below, alignment.first, 1.0), (above, alignment.second, 0.5),
    ] {
      let placed = try photo.aligned(by: alignment, size: below.size)
      try canvas.draw(placed, x: 0, y: 0, opacity: opacity)
    }
    let isSamePlant = first.entry.plant == second.entry.plant
    let other = isSamePlant ? second.entry.time.date : Self.caption(second)
    try strip.write(
      "\(Self.caption(first)) · \(other) · \(Self.text(days))", on: &canvas, x: 0,
      width: below.size.width)
    return canvas
  }

  /// The white strip below the photos, with the caption.
  private struct Strip {
    let height: Int
    let bottom: Int

    init(height: Int) {
      bottom = height
      self.height = max(20, height / 14)
    }

    /// Writes centred text, smaller if it would not fit.
    func write(_ text: String, on canvas: inout PixelCanvas, x: Int, width: Int) throws {
      var line = height * 6 / 10
      var mask = try TextMask(text, height: line)
      if mask.size.width > width * 95 / 100 {
        line = max(8, line * width * 95 / 100 / mask.size.width)
        mask = try TextMask(text, height: line)
      }
      try canvas.draw(
        mask, x: x + max(0, (width - mask.size.width) / 2),
        y: bottom + (height - mask.size.height) / 2, grey: 30)
    }
  }

  private static func height(_ photo: Photo) -> Int { photo.entry.photo?.size.height ?? maxHeight }

  private static func caption(_ photo: Photo) -> String {
    [photo.entry.plant?.name, photo.entry.time.date].compactMap { $0 }
      .joined(separator: ", ")
  }

  private static func text(_ days: Int) -> String {
    switch days {
    case 0: "the same day"
    case 1, -1: "1 day \(days > 0 ? "later" : "earlier")"
    default: "\(abs(days)) days \(days > 0 ? "later" : "earlier")"
    }
  }

  private func frame(_ photo: Photo, height: Int) throws -> DecodedPhoto {
    let size = photo.entry.photo?.size ?? PixelSize(width: height, height: height)
    let width = Int((Double(size.width) * Double(height) / Double(size.height)).rounded())
    return try library.photos.frame(
      library.photos.bestRendition(of: photo), side: max(width, height))
  }
}

/// The alignment of two photos with each other.
///
/// If the two have too little in common, because months of growth lie between them, the photos of the
/// plant from those months lead from one to the other, as in a time-lapse.
private struct PairAlignment {
  private(set) var first = FrameAlignment.identity
  private(set) var second = FrameAlignment.identity

  var isMatched: Bool { first.isMatched && second.isMatched }

  /// The maximum number of photos used in between; more are not needed.
  private static let maxStepCount = 128

  init(
    _ library: Library, _ first: Photo, _ firstPicture: DecodedPhoto, _ second: Photo,
    _ secondPicture: DecodedPhoto
  ) throws {
    let ends = try [firstPicture, secondPicture].map {
      try $0.frame(side: DecodedPhoto.thumbnailSide)
    }
    let isInOrder = first.entry.time.place <= second.entry.time.place
    let (earlier, later) = isInOrder ? (first, second) : (second, first)
    var steps: [EntryID] = []
    while true {
      var aligner = FrameAligner()
      try aligner.add(ends[isInOrder ? 0 : 1])
      for id in steps { try aligner.add(library.photos.alignmentThumbnail(of: id)) }
      try aligner.add(ends[isInOrder ? 1 : 0])
      if let (start, end) = aligner.alignments(of: 0, steps.count + 1) {
        (self.first, self.second) = isInOrder ? (start, end) : (end, start)
        // Exposures stay as they are, as the photos are to be compared.
        (self.first.exposure, self.second.exposure) = (.identity, .identity)
        return
      }
      guard steps.isEmpty else { return }
      steps = try Self.steps(from: earlier.entry, to: later.entry, library)
      if steps.isEmpty { return }
    }
  }

  /// The photos of the same plant between two, evenly chosen.
  private static func steps(
    from first: Entry, to last: Entry, _ library: Library
  ) throws -> [EntryID] {
    guard let plant = first.plant, plant == last.plant else { return [] }
    let between = try TimeLapsePlan.frames(
      of: plant.id, from: TimelineBound(first.time), to: TimelineBound(last.time), library.catalog
    ).filter {
      $0.id != first.id && $0.id != last.id
        && first.time.place <= $0.time.place && $0.time.place <= last.time.place
    }
    let count = min(between.count, maxStepCount)
    return (0..<count).map { between[$0 * between.count / count].id }
  }
}

extension LibraryPhotos {
  /// The thumbnail that a photo is aligned by; nil if it is lost: the photo then matches nothing, and is
  /// shown as it is.
  func alignmentThumbnail(of id: EntryID) throws -> DecodedPhoto? {
    let photo = try catalog.read { try $0.photos.find(id.description) }
    guard let rendition = photo.renditions.first(where: { $0.role == .thumbnail }),
      let file = try? file(rendition)
    else { return nil }
    return try? PhotoFile(bytes: file.bytes, format: file.format)
      .frame(side: DecodedPhoto.thumbnailSide)
  }
}
