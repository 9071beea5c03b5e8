internal import Foundation

/// The first of a time-lapse's two passes: finds, from thumbnails in order of time, how each frame
/// lies against the others and how it is exposed. What it keeps of each frame is its alignment alone.
package struct FrameAligner: ~Copyable {
  private var frameCount = 0
  /// Those that later frames may still belong to, the one that last got a frame last.
  private var openScenes: [Scene] = []
  private var closedMembers: [[Scene.Member]] = []

  /// A camera may be moved for good, or a hand be in the picture for a day: frames may go on in any of
  /// this many views.
  private static let maxOpenSceneCount = 3

  /// A correlation that leaves no need to look further.
  private static let sureCorrelation = 0.5

  package init() {}

  /// Takes the next frame: 8 bit, grey or RGB.
  package mutating func add(_ thumbnail: DecodedPhoto) throws {
    let index = frameCount
    frameCount += 1
    let frame = try FeaturePyramid(thumbnail.picture)
    guard frame.hasContent else { return }
    if let (place, match) = bestScene(for: frame) {
      var scene = openScenes.remove(at: place)
      scene.add(frame, index: index, match: match)
      openScenes.append(scene)
      return
    }
    if openScenes.count == Self.maxOpenSceneCount {
      closedMembers.append(openScenes.remove(at: 0).members)
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

  /// One for each frame. The crop and the exposure of each scene are those of its typical frame.
  package consuming func alignments() -> [FrameAlignment] {
    var result = [FrameAlignment](repeating: .identity, count: frameCount)
    for members in closedMembers + openScenes.map(\.members) where members.count > 1 {
      let typical = members.typical
      for member in members {
        result[member.index] = FrameAlignment(
          view: typical.view.inverse.after(member.view),
          exposure: member.exposure.relative(to: typical.exposure), isMatched: true)
      }
    }
    return result
  }
}

extension [Scene.Member] {
  /// The median of each property.
  fileprivate var typical: Scene.Member {
    func median(_ value: (Scene.Member) -> Double) -> Double {
      map(value).sorted()[(count - 1) / 2]
    }
    let scale = median { $0.view.scale }
    let angle = median { $0.view.angle }
    let shift = SIMD2(median { $0.view.shift.x }, median { $0.view.shift.y })
    var gain = SIMD3<Double>.one
    for channel in 0..<3 { gain[channel] = median { $0.exposure.gain[channel] } }
    var exposure = Exposure(gain: gain, white: 1)
    for index in 0..<ColourCorrection.coefficientCount {
      exposure.colour.coefficients[index] = median { $0.exposure.colour.coefficients[index] }
    }
    return Scene.Member(
      index: 0, view: Similarity(scale: scale, angle: angle, shift: shift), exposure: exposure)
  }
}

extension Exposure {
  fileprivate func relative(to typical: Exposure) -> Exposure {
    var gain = self.gain / typical.gain
    gain.clamp(
      lowerBound: SIMD3(repeating: Self.gains.lowerBound),
      upperBound: SIMD3(repeating: Self.gains.upperBound))
    // A channel that needs more gain than that lifts the others with it.
    let white = white > 0 ? min(1, max(white / typical.meanGain, gain.max())) : 0
    var result = Exposure(gain: gain, white: white)
    // To first order, which is enough for what these are limited to.
    for index in 0..<ColourCorrection.coefficientCount {
      result.colour.coefficients[index] =
        colour.coefficients[index] - typical.colour.coefficients[index]
    }
    return result
  }
}
