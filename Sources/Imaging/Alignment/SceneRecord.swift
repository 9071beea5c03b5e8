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
