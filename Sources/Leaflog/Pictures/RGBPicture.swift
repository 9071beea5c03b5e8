public import DiaryModel

/// A picture as samples, ready to draw.
public struct RGBPicture: Sendable {
  /// Columns and rows.
  public let size: PixelSize
  /// Red, green and blue in sRGB, a byte each: rows from the top, pixels from the left, no padding,
  /// so 3 × width × height bytes.
  public let samples: [UInt8]
}
