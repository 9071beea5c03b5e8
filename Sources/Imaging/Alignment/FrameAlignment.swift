/// How to bring one frame of a time-lapse onto the others.
package struct FrameAlignment: Sendable, Hashable {
  /// From the frame, upright, to the film's picture; both in widths of the frame around the centre.
  package var view: Similarity
  /// Brings the frame to the typical exposure of its scene; a film does part of that
  /// (``Exposure/tempered``).
  package var exposure: Exposure
  /// The enlargement that all frames of its scene have in common, so that few of them show where
  /// they end; it is in `view` already.
  package var zoom: Double
  /// Whether it matched others. If not it is used as it is.
  package var isMatched: Bool

  package static let identity = FrameAlignment(
    view: .identity, exposure: .identity, zoom: 1, isMatched: false)

  package init(view: Similarity, exposure: Exposure, zoom: Double = 1, isMatched: Bool = true) {
    self.view = view
    self.exposure = exposure
    self.zoom = zoom
    self.isMatched = isMatched
  }
}
