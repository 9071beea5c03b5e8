/// A position on a page, in points from its top left corner.
package struct Point: Sendable, Hashable {
  package var x: Double
  package var y: Double

  package init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }
}

/// An area of a page, in points from its top left corner.
package struct Rectangle: Sendable, Hashable {
  package var x: Double
  package var y: Double
  package var width: Double
  package var height: Double

  package init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  package var maxX: Double { x + width }
  package var maxY: Double { y + height }

  /// Whether the two share more than `tolerance` in both directions.
  package func overlaps(_ other: Rectangle, tolerance: Double = 0) -> Bool {
    min(maxX, other.maxX) - max(x, other.x) > tolerance
      && min(maxY, other.maxY) - max(y, other.y) > tolerance
  }

  package func contains(_ other: Rectangle, tolerance: Double = 0) -> Bool {
    other.x >= x - tolerance && other.maxX <= maxX + tolerance && other.y >= y - tolerance
      && other.maxY <= maxY + tolerance
  }
}

/// An opaque sRGB colour; components are 0 to 1.
package struct Color: Sendable, Hashable {
  package let red: Double
  package let green: Double
  package let blue: Double

  /// `0xRRGGBB`
  package init(_ code: UInt32) {
    red = Double(code >> 16 & 255) / 255
    green = Double(code >> 8 & 255) / 255
    blue = Double(code & 255) / 255
  }

  private init(red: Double, green: Double, blue: Double) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// The mixture between this colour (0) and another (1).
  func mixed(with other: Color, _ share: Double) -> Color {
    func between(_ a: Double, _ b: Double) -> Double { a + (b - a) * share }
    return Color(
      red: between(red, other.red), green: between(green, other.green),
      blue: between(blue, other.blue))
  }
}

extension Color {
  static let paper = Color(0xFFFFFF)
  static let ink = Color(0x1F2A30)
  /// A contrast of seven to one on paper, so that small print is legible.
  static let quiet = Color(0x51606A)
  static let rule = Color(0xD5DCE0)
  static let faint = Color(0xEEF2F3)
  static let accent = Color(0x2F7D64)

  /// The colour for a severity from 1, the weakest, to 5: the stronger, the darker, so that it can be
  /// distinguished in black and white.
  static func severity(_ value: Double) -> Color {
    Color(0xBFE3D3).mixed(with: Color(0x12483A), min(1, max(0, (value - 1) / 4)))
  }
}
