/// How to bring one frame of a time-lapse onto the others.
package struct FrameAlignment: Sendable, Hashable {
  /// From the frame, upright, to the film's picture; both in widths of the frame around the centre.
  package var view: Similarity
  package var exposure: Exposure
  /// Whether it matched others. If not it is used as it is.
  package var isMatched: Bool

  package static let identity = FrameAlignment(
    view: .identity, exposure: .identity, isMatched: false)

  package init(view: Similarity, exposure: Exposure, isMatched: Bool) {
    self.view = view
    self.exposure = exposure
    self.isMatched = isMatched
  }
}
