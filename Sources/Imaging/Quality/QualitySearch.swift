/// A part of a picture, on which qualities are tried.
protocol QualitySample {
  /// Whether the part is all of the picture.
  var isWhole: Bool { get }
  /// How much lower a sample of tiles scores than its photo, on average.
  static var bias: Double { get }
  /// The sample's score (SSIMULACRA2) when it is compressed like this.
  func score(_ quality: JPEGQuality) throws -> Double
}

/// Finds the lowest JPEG quality at which a photo reaches a target, by trying on a sample of it.
struct QualitySearch<Sample: QualitySample> {
  let sample: Sample

  /// The margin of the sample's score over the target, so that the whole photo rarely falls below it.
  static var margin: Double { 0.25 }
  /// How far from a trial the line is surer than another trial would be worth, in levels.
  private static var reach: Int { 3 }

  /// The lowest quality at which the photo reaches the target; nil when none does. `first`: the level
  /// that is tried first.
  ///
  /// The score is nearly a straight line of the level, so one to three trials find it: each next one
  /// is where the line through the nearest two meets the target.
  func quality(reaching target: PerceptualTarget, first: Int) throws -> JPEGQuality? {
    let goal = target.score + Self.margin
    var trials: [Int: Double] = [:]
    var level = first
    while true {
      trials[level] = try score(JPEGQuality(level: level))
      guard let nearest = trials.min(by: { abs($0.value - goal) < abs($1.value - goal) }) else {
        return nil
      }
      let slope = Self.slope(of: trials, around: nearest.key)
      var next = Int((Double(nearest.key) + (goal - nearest.value) / slope).rounded(.up))
      if let below = trials.filter({ $0.value < goal }).keys.max() { next = max(next, below + 1) }
      if let above = trials.filter({ $0.value >= goal }).keys.min() { next = min(next, above) }
      next = min(max(next, JPEGQuality.range.lowerBound), JPEGQuality.range.upperBound)
      if let known = trials[next] { return known >= goal ? JPEGQuality(level: next) : nil }
      if abs(next - nearest.key) <= Self.reach { return JPEGQuality(level: next) }
      level = next
    }
  }

  /// Points of score that a level brings, from the two trials nearest to one.
  private static func slope(of trials: [Int: Double], around level: Int) -> Double {
    let near = trials.sorted { abs($0.key - level) < abs($1.key - level) }.prefix(2)
    guard let first = near.first, let last = near.last, first.key != last.key else { return 0.45 }
    return max(0.1, (first.value - last.value) / Double(first.key - last.key))
  }

  /// The same, beginning where the last picture of the kind ended, or at `first` for one that is the first.
  func quality(
    reaching target: PerceptualTarget, after history: QualityHistory, of kind: QualityHistory.Kind,
    first: Int
  ) throws -> JPEGQuality? {
    let quality = try quality(reaching: target, first: history.level(of: kind) ?? first)
    if let quality { history.note(quality.level, of: kind) }
    return quality
  }

  /// The photo's score when it is compressed like this, as far as the sample tells.
  func score(_ quality: JPEGQuality) throws -> Double {
    try sample.score(quality) + (sample.isWhole ? 0 : Sample.bias)
  }
}
