package import DiaryModel

/// An image file in memory, fresh from an encoder.
package struct EncodedImage: Sendable {
  package let bytes: ByteBuffer
  package let format: ImageFormat
  package let size: PixelSize
  /// The encoder's settings and their version.
  package let recipe: String
}
