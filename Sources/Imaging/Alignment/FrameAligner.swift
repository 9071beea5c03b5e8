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
    for record in closedScenes + openScenes.map(\.record) {
      for (index, alignment) in record.alignments { result[index] = alignment }
    }
    return result
  }
}
