package import Foundation

/// EXIF's Orientation (0x0112), as programs change it in place when somebody turns a photo.
package enum OrientationTag {
  /// A file whose tag has another value; nothing else changes.
  ///
  /// - Parameter file: with one such tag, of type SHORT.
  package static func set(_ value: UInt8, in file: Data) -> Data {
    var file = file
    let (big, little): ([UInt8], [UInt8]) = (
      [0x01, 0x12, 0, 3, 0, 0, 0, 1], [0x12, 0x01, 3, 0, 1, 0, 0, 0]
    )
    if let entry = file.firstRange(of: big) {
      file[entry.upperBound + 1] = value
    } else if let entry = file.firstRange(of: little) {
      file[entry.upperBound] = value
    }
    return file
  }
}
