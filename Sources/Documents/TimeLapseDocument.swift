package import Leaflog

/// A finished time-lapse in JSON.
package struct TimeLapseDocument: Encodable {
  private struct Failure: Encodable {
    let photo: String
    let message: String
  }

  private let path: String?
  private let frames: Int
  private let aligned: Int
  private let width: Int
  private let height: Int
  private let seconds: Double
  private let byteCount: Int
  private let failed: [Failure]

  /// - Parameter path: the path as it was given, if any.
  package init(_ made: TimeLapseSummary, path: String?) {
    self.path = path
    frames = made.frameCount
    aligned = made.alignedCount
    width = made.size.width
    height = made.size.height
    seconds = made.duration.seconds
    byteCount = made.byteCount
    failed = made.failures.map { Failure(photo: $0.id.description, message: $0.message) }
  }
}
