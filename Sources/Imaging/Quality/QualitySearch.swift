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
  /// How far over the goal a score is near enough, in points: where a lower level would save less than it
  /// costs to find it.
  var excess = 0.4

  /// How far under the goal, in points, a score may be for a level or two more to be taken without a trial.
  private static var lack: Double { 0.75 }
  /// More are needed only where scores jump from level to level.
  private static var maxTrialCount: Int { 4 }

  /// The lowest quality at which the photo reaches the target, or nearly the lowest; nil when none does.
  /// `first`: the level that is tried first.
  ///
  /// The score is nearly a line of the level, so one to three trials find it: each next one is where the line
  /// through the nearest two meets the goal. It has jumps where a step leaves the one that the photo came
  /// with, but hardly ever falls, so a level that was not tried is taken only over one that was almost good.
  func quality(reaching target: PerceptualTarget, first: Int) throws -> JPEGQuality? {
    let goal = target.score
    var trials = Trials()
    var level = first
    while true {
      trials.scores[level] = try score(JPEGQuality(level: level))
      let next = trials.level(reaching: goal)
      let isTried = trials.scores[next].map { $0 >= goal } ?? false
      if let enough = trials.above(goal) {
        if isTried || enough.score < goal + excess || trials.scores.count >= Self.maxTrialCount {
          return JPEGQuality(level: enough.level)
        }
      } else if trials.scores[next] != nil {
        return nil
      }
      if let under = trials.below(goal), under.score >= goal - Self.lack, next <= under.level + 2 {
        return JPEGQuality(level: next)
      }
      level = next
    }
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

/// The scores of the levels that have been tried.
private struct Trials {
  var scores: [Int: Double] = [:]

  /// The lowest level that reaches the goal.
  func above(_ goal: Double) -> (level: Int, score: Double)? {
    scores.filter { $0.value >= goal }.min { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The highest level that does not.
  func below(_ goal: Double) -> (level: Int, score: Double)? {
    scores.filter { $0.value < goal }.max { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The lowest level that should reach the goal by the line through the two that come nearest to it; one
  /// that has been tried when there is none between.
  func level(reaching goal: Double) -> Int {
    let near = scores.sorted { abs($0.value - goal) < abs($1.value - goal) }
    let range = JPEGQuality.range
    guard let nearest = near.first else { return range.lowerBound }
    // Points of score that a level brings: mostly 0.4 to 1, more among low levels.
    var slope = nearest.value > goal ? 1 : 0.7
    if near.count > 1 {
      slope = max(0.2, (near[0].value - near[1].value) / Double(near[0].key - near[1].key))
    }
    let distance = min(max((goal - nearest.value) / slope, -64), 64)
    let lowest = below(goal).map { $0.level + 1 } ?? range.lowerBound
    let highest = above(goal)?.level ?? range.upperBound
    let level = nearest.key + Int(distance.rounded(.up))
    return min(max(level, lowest, range.lowerBound), highest)
  }
}
