/// The look of the pages on a device: light, dark or as the system, and an accent. It is kept in a cookie, so that the
/// first paint has it, with scripts and without.
package struct Appearance: Sendable, Hashable {
  package enum Theme: String, CaseIterable, Sendable { case system, light, dark }

  /// The colours that pass 4.5:1 on the light ground and on the dark one; the stylesheet has them.
  package enum Accent: String, CaseIterable, Sendable { case leaf, teal, blue, plum, rose }

  package static let cookieName = "leaflog-look"

  package var theme = Theme.system
  package var accent = Accent.leaf

  package init() {}

  /// Reads a cookie such as `dark.blue`; what it does not say, or says in other words, is as it was at first.
  package init(cookie: String?) {
    let parts = (cookie ?? "").split(separator: ".").map(String.init)
    theme = parts.first.flatMap { Theme(rawValue: $0) } ?? theme
    accent = parts.last.flatMap { Accent(rawValue: $0) } ?? accent
  }

  package var cookie: String { "\(theme.rawValue).\(accent.rawValue)" }
}

/// The look as the head of a page has it.
struct PageLook {
  let theme: String
  let accent: String
  /// The value of the element `meta` that is named `color-scheme` (CSS Color Adjustment 1, 2.2).
  let scheme: String
  /// The colour of the browser's own bars; nil where the system chooses between two.
  let ground: String?

  init(_ appearance: Appearance) {
    (theme, accent) = (appearance.theme.rawValue, appearance.accent.rawValue)
    switch appearance.theme {
    case .system: (scheme, ground) = ("light dark", nil)
    case .light: (scheme, ground) = ("light", "#faf8f3")
    case .dark: (scheme, ground) = ("dark", "#131512")
    }
  }
}
