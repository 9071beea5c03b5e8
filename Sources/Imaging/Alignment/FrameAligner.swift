/// The first of a time-lapse's two passes: finds, from thumbnails in order of time, how each frame
/// lies against the others and how it is exposed. It keeps the alignment of each frame and no pixels.
package struct FrameAligner: ~Copyable {
  private var frameCount = 0
  /// Those that later frames may still belong to, the one that last got a frame last.
  private var openScenes: [Scene] = []
  private var closedScenes: [SceneRecord] = []

  /// A camera may be moved for good, or a hand be in the picture for a day: frames may go on in any of
  /// this many views.
  private static let maxOpenSceneCount = 3

  /// A correlation that leaves no need to look further.
  private static let sureCorrelation = 0.5

  package init() {}

  /// Takes the next frame: 8 bit, grey or RGB. One that is lost matches nothing.
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

  /// The last scene if the frame matches that well, else the one that it matches best.
  private func bestScene(for frame: FeaturePyramid) -> (Int, Registration.Match)? {
    var best: (place: Int, match: Registration.Match)?
    for place in openScenes.indices.reversed() {
      guard let match = openScenes[place].match(frame) else { continue }
      if match.correlation > best?.match.correlation ?? 0 { best = (place, match) }
      if match.correlation > Self.sureCorrelation { break }
    }
    return best.map { ($0.place, $0.match) }
  }

  /// How two of the frames lie against each other, by way of all that their scene saw in between;
  /// nil when they do not show one scene.
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

  /// One for each frame. The crop and the exposure of each scene are those of its typical frame.
  package consuming func alignments() -> [FrameAlignment] {
    var result = [FrameAlignment](repeating: .identity, count: frameCount)
    for record in closedScenes + openScenes.map(\.record) {
      for (index, alignment) in record.alignments { result[index] = alignment }
    }
    return result
  }
}
