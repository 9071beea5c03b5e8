/// How to align one frame of a time-lapse with the others.
package struct FrameAlignment: Sendable, Hashable {
  /// Maps the upright frame to the film's picture, both in frame widths around the centre.
  package var view: Similarity
  /// Brings the frame to the typical exposure of its scene; a film applies part of it
  /// (``Exposure/tempered``).
  package var exposure: Exposure
  /// The enlargement common to all frames of its scene, so that few of them show their edges; already
  /// included in `view`.
  package var zoom: Double
  /// Whether the frame matched others. If not, it is used as it is.
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
