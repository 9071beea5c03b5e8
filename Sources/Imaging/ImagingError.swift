/// An error of reading, decoding or writing an image.
package struct ImagingError: Error, Sendable, CustomStringConvertible {
  package enum Code: String, Sendable {
    /// The file ends before the picture does.
    case truncated
    /// The bytes do not decode.
    case corrupt
    /// More pixels than Leaflog accepts, or a decoder that would need too much memory.
    case tooLarge
    /// A header without any pixels.
    case noPixels
    /// A kind of image that the codecs here do not read.
    case unsupported
    /// It still contains a location, or may.
    case tellsPlace
    /// An encoder failed, or memory ran out; not the image's fault.
    case failed
  }

  package let code: Code
  package let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}
