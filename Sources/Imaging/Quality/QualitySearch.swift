internal import DiaryModel
internal import Synchronization

/// A part of a picture, on which qualities are tried.
protocol QualitySample {
  /// Whether the part is the whole picture.
  var isWhole: Bool { get }
  /// How much lower a sample of tiles scores than its photo, on average.
  var bias: Double { get }
  /// The sample's score (SSIMULACRA2) when it is compressed at a quality.
  func score(_ quality: JPEGQuality) throws -> Double
}

/// Finds the lowest JPEG quality at which a photo reaches a target, by trials on a sample of it.
struct QualitySearch<Sample: QualitySample> {
  let sample: Sample

  /// The lowest quality at which the photo reaches the target; nil when none does.
  ///
  /// The score is nearly linear in the level, with jumps where a step departs from that of the photo itself.
  /// Each next trial is where the line through the nearest two meets the target, until one level reaches it
  /// and the one below does not: two trials from a good guess.
  ///
  /// - Parameter first: the level to try first, which affects only the number of trials.
  func quality(reaching target: PerceptualTarget, first: Int) throws -> JPEGQuality? {
    var trials = Trials(goal: target.score)
    var level = first
    while true {
      trials.note(level, try score(JPEGQuality(level: level)))
      guard let next = trials.next else { return trials.lowest.map { JPEGQuality(level: $0) } }
      level = next
    }
  }

  /// The same, starting at the level of the last picture of the kind, or at `first` if there was none.
  func quality(
    reaching target: PerceptualTarget, after history: QualityHistory, of kind: QualityHistory.Kind,
    first: Int
  ) throws -> JPEGQuality? {
    let quality = try quality(reaching: target, first: history.level(of: kind) ?? first)
    if let quality { history.note(quality.level, of: kind) }
    return quality
  }

  /// The photo's score at a quality, estimated from the sample.
  func score(_ quality: JPEGQuality) throws -> Double {
    try sample.score(quality) + (sample.isWhole ? 0 : sample.bias)
  }
}

/// The scores of the levels that have been tried.
private struct Trials {
  let goal: Double
  private var scores: [Int: Double] = [:]
  /// The lowest level that reaches the goal.
  private(set) var lowest: Int?
  /// The highest level below it that does not.
  private var under = JPEGQuality.range.lowerBound - 1
  /// The number of trials after which the search bisects, as the line may creep from one level to the next.
  private static let maxLineCount = 4

  init(goal: Double) { self.goal = goal }

  mutating func note(_ level: Int, _ score: Double) {
    scores[level] = score
    if score >= goal { lowest = level } else { under = level }
  }

  /// The level to try next; nil when none is left in between.
  var next: Int? {
    let over = lowest ?? JPEGQuality.range.upperBound + 1
    guard over - under > 1 else { return nil }
    let level = scores.count < Self.maxLineCount ? levelByLine : (under + over) / 2
    return min(max(level, under + 1), over - 1)
  }

  /// The lowest level that should reach the goal, by the line through the two trials nearest to it.
  private var levelByLine: Int {
    let near = scores.sorted { (abs($0.value - goal), $0.key) < (abs($1.value - goal), $1.key) }
    guard let nearest = near.first else { return under }
    // Points of score per level: mostly 0.4 to 1, more at low levels.
    var slope = nearest.value > goal ? 1 : 0.7
    if near.count > 1 {
      slope = max(0.2, (near[0].value - near[1].value) / Double(near[0].key - near[1].key))
    }
    return nearest.key + Int(min(max((goal - nearest.value) / slope, -64), 64).rounded(.up))
  }
}

/// The levels found for the last photos of each size, at which the search for the next one starts: photos of a
/// series, and those of one camera, have similar levels.
package final class QualityHistory: Sendable {
  struct Kind: Hashable {
    let size: PixelSize
    let target: PerceptualTarget
    let bandCount: Int
  }

  /// More sizes than cameras have.
  private static let maxKindCount = 1000
  private let levels = Mutex<[Kind: Int]>([:])

  package init() {}

  func level(of kind: Kind) -> Int? { levels.withLock { $0[kind] } }

  func note(_ level: Int, of kind: Kind) {
    levels.withLock { levels in
      if levels.count >= Self.maxKindCount { levels.removeAll() }
      levels[kind] = level
    }
  }
}
