internal import CVips
package import DiaryModel

/// How to align one frame of a time-lapse with the others.
package struct FrameAlignment: Sendable, Hashable {
  /// Maps the upright frame to the film's picture, both in frame widths around the centre.
  package var view: Similarity
  /// Brings the frame to the typical exposure of its scene; a film applies part of it
  /// (``Exposure/tempered``).
  package var exposure: Exposure
  /// The enlargement common to all frames of its scene, so that few of them show their edges; already
  /// included in `view`.
  package var zoom: Double
  /// Whether the frame matched others. If not, it is used as it is.
  package var isMatched: Bool
  /// The number of its scene, in the order of their first frames; nil if it did not match.
  package var scene: Int?

  package static let identity = FrameAlignment(
    view: .identity, exposure: .identity, zoom: 1, isMatched: false)

  package init(view: Similarity, exposure: Exposure, zoom: Double = 1, isMatched: Bool = true) {
    self.view = view
    self.exposure = exposure
    self.zoom = zoom
    self.isMatched = isMatched
  }
}

/// The first of a time-lapse's two passes: finds, from thumbnails in order of time, the position of
/// each frame relative to the others, and its exposure. It keeps alignments of frames, not their pixels.
package struct FrameAligner: ~Copyable {
  private var frameCount = 0
  /// The scenes that later frames may still belong to, the most recently used last.
  private var openScenes: [Scene] = []
  private var closedScenes: [SceneRecord] = []

  /// A camera may be moved permanently, or a hand may be in the picture for a day: later frames may
  /// continue any of this many scenes.
  private static let maxOpenSceneCount = 3

  /// A correlation from which the search stops.
  private static let sureCorrelation = 0.5

  package init() {}

  /// Adds the next frame: 8-bit, grey or RGB. A missing one (nil) matches nothing.
  package mutating func add(_ thumbnail: DecodedPhoto?) throws {
    let index = frameCount
    frameCount += 1
    guard let thumbnail else { return }
    let frame = try FeaturePyramid(thumbnail.picture)
    guard frame.hasContent else { return }
    if let (place, match) = bestScene(for: frame) {
      var scene = openScenes.remove(at: place)
      scene.add(frame, index: index, match: match)
      openScenes.append(scene)
      return
    }
    if openScenes.count == Self.maxOpenSceneCount {
      closedScenes.append(openScenes.remove(at: 0).record)
    }
    openScenes.append(Scene(first: frame, index: index))
  }

  /// The most recent scene if the frame matches it well, otherwise the one that it matches best.
  private func bestScene(for frame: FeaturePyramid) -> (Int, Registration.Match)? {
    var best: (place: Int, match: Registration.Match)?
    for place in openScenes.indices.reversed() {
      guard let match = openScenes[place].match(frame) else { continue }
      if match.correlation > best?.match.correlation ?? 0 { best = (place, match) }
      if match.correlation > Self.sureCorrelation { break }
    }
    return best.map { ($0.place, $0.match) }
  }

  /// The alignments of two frames with each other, by way of all frames of their scene in between; nil
  /// when they do not show the same scene.
  package consuming func alignments(
    of first: Int, _ second: Int
  ) -> (first: FrameAlignment, second: FrameAlignment)? {
    for var record in closedScenes + openScenes.map(\.record) {
      record.members.removeAll { $0.index != first && $0.index != second }
      let found = Dictionary(uniqueKeysWithValues: record.alignments)
      if let first = found[first], let second = found[second] { return (first, second) }
    }
    return nil
  }

  /// The alignment of each frame. The crop and the exposure of each scene are those of its typical frame.
  package consuming func alignments() -> [FrameAlignment] {
    var result = [FrameAlignment](repeating: .identity, count: frameCount)
    let scenes = (closedScenes + openScenes.map(\.record)).map(\.alignments).filter { !$0.isEmpty }
    let ordered = scenes.sorted { ($0.first?.index ?? 0) < ($1.first?.index ?? 0) }
    for (number, scene) in ordered.enumerated() {
      for (index, alignment) in scene {
        result[index] = alignment
        result[index].scene = number
      }
    }
    return result
  }
}

extension DecodedPhoto {
  /// The upright picture as a frame of a film: 8-bit sRGB, moved by an alignment, and exposed by it as
  /// far as that suits a film.
  ///
  /// It is fitted into `size`, with black bars if its aspect ratio differs. Where a moved frame does not
  /// reach the edge of the film, its own edge is continued.
  package func filmFrame(by alignment: FrameAlignment, size: PixelSize) throws -> DecodedPhoto {
    let placed = try placed(by: alignment.view, size: size).inMemory()
    let exposed = try placed.exposedWithoutClipping(by: alignment.exposure.tempered)
    return DecodedPhoto(picture: exposed, warnings: warnings, isPlain: true)
  }

  /// A frame of a film, moved and exposed exactly by an alignment.
  package func aligned(by alignment: FrameAlignment, size: PixelSize) throws -> DecodedPhoto {
    let frame = try placed(by: alignment.view, size: size).exposed(by: alignment.exposure)
    return DecodedPhoto(picture: try frame.inMemory(), warnings: warnings, isPlain: true)
  }

  private func placed(by view: Similarity, size: PixelSize) throws -> VipsPicture {
    var source = picture
    if source.bandCount != 3 || source.interpretation != VIPS_INTERPRETATION_sRGB {
      source = try Vips.image { leaflog_to_srgb(source.pointer) }
    }
    let fit = min(
      Double(size.width) / Double(source.width), Double(size.height) / Double(source.height))
    // The interpolator reads sixteen pixels, however many of them an output pixel covers.
    if fit < 0.75 { source = try Vips.image { leaflog_resize(source.pointer, fit, fit) } }
    let scale = min(
      Double(size.width) / Double(source.width), Double(size.height) / Double(source.height))
    let turn = scale * view.factor
    let from = SIMD2(Double(source.width - 1), Double(source.height - 1)) / 2
    let to = SIMD2(Double(size.width - 1), Double(size.height - 1)) / 2
    let moved = Similarity(factor: turn, shift: .zero)(from)
    let shift = to + scale * Double(source.width) * view.shift - moved
    // Another aspect ratio leaves bars, which stay black.
    let slack = max(
      abs(Double(size.width) - scale * Double(source.width)),
      abs(Double(size.height) - scale * Double(source.height)))
    // Wide enough for the largest plausible movement.
    let margin = slack < 4 ? max(source.width, source.height) / 2 : 0
    let wide = try Vips.image { leaflog_extend(source.pointer, CInt(margin)) }
    let offset = Similarity(factor: turn, shift: .zero)(SIMD2(repeating: Double(margin)))
    return try Vips.image {
      leaflog_affine(
        wide.pointer, turn.x, -turn.y, turn.y, turn.x, shift.x - offset.x, shift.y - offset.y,
        CInt(size.width), CInt(size.height))
    }
  }
}
