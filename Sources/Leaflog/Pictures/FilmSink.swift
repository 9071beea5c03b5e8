internal import Foundation
internal import Glibc
internal import Imaging
internal import SystemPackage

/// A writer of a film's frames.
protocol FilmSink: Sendable {
  /// The bytes to write for a frame; several frames can be encoded at a time. `delay`: how long this one is shown, in
  /// units of the format.
  func encode(_ frame: PixelCanvas, delay: Int) throws -> [UInt8]
  /// Writes frames one after another.
  func append(_ frame: [UInt8], delay: Int) throws
  /// Waits until the file is complete.
  func finish() throws
  /// Stops; the partial file is useless.
  func abandon()
}

extension GIFWriter: FilmSink {
  func encode(_ frame: PixelCanvas, delay: Int) throws -> [UInt8] { try frame.pixels() }
  func append(_ frame: [UInt8], delay: Int) throws { try write(frame) }
}

/// Writes an animated WebP.
final class WebPWriter: FilmSink {
  private let animation: WebPAnimation
  private let path: FilePath
  private let file: FileDescriptor

  init(path: FilePath, size: PixelSize) throws {
    animation = WebPAnimation(size: size)
    self.path = path
    file = try FileDescriptor.open(path, .writeOnly, options: .truncate)
    try file.writeAll(animation.header(byteCount: 0))
  }

  deinit { try? file.close() }

  func encode(_ frame: PixelCanvas, delay: Int) throws -> [UInt8] {
    try animation.frame(frame, delay: delay)
  }

  func append(_ frame: [UInt8], delay: Int) throws {
    let written = try file.seek(offset: 0, from: .current)
    guard Int(written) + frame.count <= WebPAnimation.maxByteCount else {
      throw LeaflogError.invalid(
        "The film passes 4 GB, which WebP cannot hold. Make it smaller, or MP4.")
    }
    do { try file.writeAll(frame) } catch let error as Errno {
      throw OutputFile.failure(path, error)
    }
  }

  func finish() throws {
    let byteCount = Int(try file.seek(offset: 0, from: .end))
    try file.writeAll(toAbsoluteOffset: 0, animation.header(byteCount: byteCount))
  }

  func abandon() {}
}
