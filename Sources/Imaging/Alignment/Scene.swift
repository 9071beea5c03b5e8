/// A view shared by frames of a series, as their running mean so far.
///
/// Frames are registered against this running mean rather than against the previous frame, so that
/// small errors do not add up to a drift. The mean forgets slowly and so follows growth; each pixel's
/// variation is kept with it, and pixels that vary count less.
struct Scene {
  private(set) var record: SceneRecord
  private var reference: [FeaturePyramid.Level]
  private var differences: [FloatPlane]
  private var light: [Radiance]
  /// Whether the light is that of frames without colours.
  private let isGrey: Bool
  /// From the scene's view to the last frame's.
  private var lastView = Similarity.identity

  /// How many frames the mean remembers.
  private static let memory: Float = 16
  /// The least correlation of a match. Pictures of different things reach a third of it.
  static let minCorrelation = 0.3

  init(first frame: FeaturePyramid, index: Int) {
    let finest = frame.levels[0].grid
    record = SceneRecord(
      aspect: Double(finest.height) / Double(finest.width),
      members: [
        .init(
          index: index, view: .identity, exposure: .unclipped, fault: frame.fault,
          isGrey: frame.isGrey)
      ])
    isGrey = frame.isGrey
    reference = frame.levels
    differences = frame.levels.map {
      FloatPlane(width: $0.values.width, height: $0.values.height)
    }
    let size = frame.light.red
    let seen = FloatPlane(width: size.width, height: size.height)
    seen.samples.update(repeating: 1, count: seen.stride * seen.height)
    light = frame.light.channels.map {
      Radiance(width: size.width, height: size.height)
        .adding($0, seen: seen, gain: 1, memory: Self.memory)
    }
  }

  /// The match of a frame; nil when it does not match.
  func match(_ frame: FeaturePyramid) -> Registration.Match? {
    guard frame.levels.first?.grid == reference.first?.grid else { return nil }
    let match = Registration(reference: weighted(), frame: frame.levels, last: lastView).match()
    return match.flatMap { $0.correlation >= Self.minCorrelation ? $0 : nil }
  }

  /// Adds a frame that matches.
  mutating func add(_ frame: FeaturePyramid, index: Int, match: Registration.Match) {
    let warped = warpedLight(of: frame, by: match.view)
    let found = zip(light, warped.channels).map {
      $0.comparison(with: $1, seen: warped.seen)
    }
    var exposure = Exposure(comparisons: found)
    let isComparable = frame.isGrey == isGrey
    if isComparable {
      exposure.colour =
        ColourFit(
          frame: warped.channels, seen: warped.seen, light: light, gain: exposure.gain
        ).correction
    } else {
      exposure.gain = SIMD3(repeating: exposure.meanGain)
    }
    let corrected = exposure.colour.applied(to: warped.channels)
    record.members.append(
      .init(
        index: index, view: match.view.inverse, exposure: exposure, fault: frame.fault,
        isGrey: frame.isGrey))
    lastView = match.view
    // A frame without colours would fade those of the others.
    if isComparable {
      light = zip(light, corrected).enumerated().map { channel, pair in
        pair.0.adding(
          pair.1, seen: warped.seen, gain: exposure.gain[channel], memory: Self.memory)
      }
    }
    blend(frame, by: match.view)
  }

  /// The reference with a weight for each pixel: less where frames differed.
  private func weighted() -> [FeaturePyramid.Level] {
    zip(reference, differences).map { level, differences in
      FeaturePyramid.Level(
        values: level.values,
        weights: level.weights.combined(with: differences) { $0 * 0.5 / (0.5 + $1) },
        grid: level.grid)
    }
  }

  private func warpedLight(
    of frame: FeaturePyramid, by view: Similarity
  ) -> (channels: [FloatPlane], seen: FloatPlane) {
    guard let grid = frame.levels.first?.grid.halved else { return ([], frame.light.red) }
    let seen = FloatPlane(width: grid.width, height: grid.height)
    let everywhere = FloatPlane(width: grid.width, height: grid.height)
    everywhere.samples.update(repeating: 1, count: everywhere.stride * everywhere.height)
    let channels = frame.light.channels.map { channel in
      let target = FloatPlane(width: grid.width, height: grid.height)
      FloatPlane.warp(channel, everywhere, by: grid.inPixels(view), into: target, seen)
      return target
    }
    return (channels, seen)
  }

  private mutating func blend(_ frame: FeaturePyramid, by view: Similarity) {
    let rate = 1 / min(Float(record.members.count), Self.memory)
    for (index, level) in frame.levels.enumerated() {
      let known = reference[index]
      let warped = FloatPlane(width: known.grid.width, height: known.grid.height)
      let seen = FloatPlane(width: known.grid.width, height: known.grid.height)
      FloatPlane.warp(
        level.values, level.weights, by: known.grid.inPixels(view), into: warped, seen)
      let change = warped.combined(with: known.values, -)
      // Pixels not seen before are taken over as they are.
      let share = seen.combined(with: known.weights) { new, old in
        new * (rate * old + (SIMD8(repeating: 1) - old))
      }
      let step = change.combined(with: share, *)
      differences[index] = differences[index].combined(
        with: change.combined(with: change, *).combined(with: seen, *)
          .combined(with: known.weights, *)
      ) { $0 + ($1 - $0) * rate }
      reference[index] = FeaturePyramid.Level(
        values: known.values.combined(with: step, +),
        weights: known.weights.combined(with: seen) { old, new in
          pointwiseMax(old, new)
        }, grid: known.grid)
    }
  }
}

extension RGBTile {
  var channels: [FloatPlane] { [red, green, blue] }
}

extension Exposure {
  /// The exposure of the frame by which its scene's light is measured.
  fileprivate static let unclipped = Exposure(
    gain: .one, white: .infinity)

  /// Combines the channels' comparisons; a channel without one follows the others.
  fileprivate init(comparisons: [(gain: Double, white: Double?)?]) {
    let known = comparisons.compactMap { $0?.gain }
    let typical = known.isEmpty ? 1 : known.reduce(0, +) / Double(known.count)
    let whites = comparisons.compactMap { $0?.white }
    self.init(gain: SIMD3(repeating: typical), white: whites.max() ?? 0)
    for (channel, comparison) in comparisons.enumerated() {
      gain[channel] = comparison?.gain ?? typical
    }
  }
}

/// The positions and exposures of a scene's frames: the part of a scene that is kept when its pictures
/// are dropped.
struct SceneRecord {
  /// A frame's position, from the frame to the scene, and its exposure, as gains into the scene's light.
  struct Member {
    let index: Int
    let view: Similarity
    let exposure: Exposure
    /// How badly the camera exposed it.
    let fault: ExposureFault
    /// Whether it has no colours.
    let isGrey: Bool
  }

  /// Height by width.
  let aspect: Double
  var members: [Member]

  /// The largest enlargement used to hide that the frames' edges do not coincide.
  private static let maxZoom = 1.08
  /// The share of frames that should fill the picture; the rest may have been knocked far off.
  private static let coveredShare = 0.9

  /// The alignments by the frames' indices; empty for a single frame.
  var alignments: [(index: Int, FrameAlignment)] {
    guard members.count > 1 else { return [] }
    let view = typicalView.inverse
    let exposure = typicalExposure
    let isGrey = isMostlyGrey
    let views = members.map { view.after($0.view) }
    let zoom = zoom(views)
    return zip(members, views).map { member, view in
      let alignment = FrameAlignment(
        view: Similarity(scale: zoom).after(view),
        // Colours that one of them does not have cannot be compared.
        exposure: member.exposure.relative(
          to: exposure, inBrightnessAlone: member.isGrey || isGrey), zoom: zoom, isMatched: true)
      return (member.index, alignment)
    }
  }

  private func median(_ value: (Member) -> Double) -> Double { Self.median(members, value) }

  private static func median(_ members: [Member], _ value: (Member) -> Double) -> Double {
    members.map(value).sorted()[(members.count - 1) / 2]
  }

  /// The median of each property, so that no single frame, not even the first, determines the crop.
  private var typicalView: Similarity {
    Similarity(
      scale: median { $0.view.scale }, angle: median { $0.view.angle },
      shift: [median { $0.view.shift.x }, median { $0.view.shift.y }])
  }

  /// The median of the well-exposed frames, however many others are too bright or too dark.
  private var typicalExposure: Exposure {
    let isGrey = isMostlyGrey
    let members = wellExposed.filter { $0.isGrey == isGrey }
    var exposure = Exposure.identity
    for channel in 0..<3 {
      exposure.gain[channel] = Self.median(members) { $0.exposure.gain[channel] }
    }
    for index in 0..<ColourCorrection.coefficientCount {
      exposure.colour.coefficients[index] = Self.median(members) {
        $0.exposure.colour.coefficients[index]
      }
    }
    return exposure
  }

  /// Whether the scene's typical exposure is that of frames without colours.
  private var isMostlyGrey: Bool {
    let members = wellExposed
    return members.count { $0.isGrey } * 2 > members.count
  }

  /// The frames without an exposure fault, or the best quarter if there are fewer.
  private var wellExposed: [Member] {
    let sorted = members.sorted { $0.fault < $1.fault }
    let quarter = (sorted.count + 3) / 4
    let faultless = sorted.prefix { $0.fault == .none }
    return Array(sorted.prefix(max(quarter, faultless.count)))
  }

  /// The least enlargement with which most frames fill the picture.
  private func zoom(_ views: [Similarity]) -> Double {
    let corners =
      [SIMD2(-0.5, -aspect / 2), [0.5, -aspect / 2], [-0.5, aspect / 2]]
      + [[0.5, aspect / 2]]
    let needed = views.map { view in
      var zoom = 1.0
      while zoom < Self.maxZoom {
        let back = Similarity(scale: zoom).after(view).inverse
        let isFull = corners.map { back($0) }.allSatisfy {
          abs($0.x) <= 0.501 && abs($0.y) <= aspect / 2 + 0.001
        }
        if isFull { break }
        zoom += 0.0025
      }
      return min(zoom, Self.maxZoom)
    }
    return needed.sorted()[Int(Double(needed.count - 1) * Self.coveredShare)]
  }
}

extension Exposure {
  fileprivate func relative(to typical: Exposure, inBrightnessAlone: Bool) -> Exposure {
    var gain = self.gain / typical.gain
    if inBrightnessAlone { gain = SIMD3(repeating: meanGain / typical.meanGain) }
    gain.clamp(
      lowerBound: SIMD3(repeating: Self.gains.lowerBound),
      upperBound: SIMD3(repeating: Self.gains.upperBound))
    // A channel that needs more gain than that lifts the others with it, up to full scale.
    let isLifted = gain.max() > 1
    let white =
      white > 0 || isLifted ? min(1, max(white / typical.meanGain, gain.max())) : 0
    var result = Exposure(gain: gain, white: white)
    if inBrightnessAlone { return result }
    // To first order, which suffices within the limits.
    for index in 0..<ColourCorrection.coefficientCount {
      result.colour.coefficients[index] =
        colour.coefficients[index] - typical.colour.coefficients[index]
    }
    return result
  }
}
