internal import DiaryModel
internal import Synchronization

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
