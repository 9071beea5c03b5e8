internal import CVips
package import DiaryModel
internal import Foundation
internal import Synchronization

/// Writes an animated GIF through libvips, a frame at a time: the encoder works on one while the next
/// is being made, and no more than two are in memory.
package final class GIFWriter: Sendable {
  private let channel: FrameChannel
  private let result = Mutex<ImagingError?>(nil)
  private let done = DispatchSemaphore(value: 0)

  /// Begins a file.
  ///
  /// - Parameter delays: how long each frame is shown, in milliseconds.
  package init(path: String, size: PixelSize, delays: [Int]) {
    channel = FrameChannel(byteCount: size.pixelCount * 3)
    Thread.detachNewThread { [self] in
      let error = withImagingThread { Self.encode(channel, path, size, delays) }
      result.withLock { $0 = error }
      channel.close()
      done.signal()
    }
  }

  /// Hands over the next frame's pixels, RGB rows, and waits until the previous frame has been taken.
  ///
  /// - Throws: the encoder's error.
  package func write(_ pixels: [UInt8]) throws(ImagingError) {
    if !channel.put(pixels) { try finish() }
  }

  /// Waits until the file is complete.
  package func finish() throws(ImagingError) {
    abandon()
    if let error = result.withLock({ $0 }) { throw error }
  }

  /// Stops; the partial file is useless.
  package func abandon() {
    channel.close()
    done.wait()
    done.signal()  // so that waiting again returns
  }

  private static func encode(
    _ channel: FrameChannel, _ path: String, _ size: PixelSize, _ delays: [Int]
  ) -> ImagingError? {
    let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: size.pixelCount * 3)
    defer { buffer.deallocate() }
    var frames = LeaflogFrames(
      next: { context, pixels in
        guard let context, let pixels else { return 1 }
        let channel = Unmanaged<FrameChannel>.fromOpaque(context).takeUnretainedValue()
        return channel.take(into: pixels) ? 0 : 1
      },
      context: Unmanaged.passUnretained(channel).toOpaque(), height: CInt(size.height),
      current: -1, pixels: buffer)
    var times = delays.map { CInt($0) }
    do throws(ImagingError) {
      try withUnsafeMutablePointer(to: &frames) { pointer throws(ImagingError) in
        let film = try Vips.image {
          leaflog_animation(pointer, CInt(size.width), CInt(delays.count), &times)
        }
        try Vips.save { leaflog_save_gif(film.pointer, path) }
      }
      return nil
    } catch {
      return error
    }
  }
}

/// Passes frames from one thread to another, with at most one waiting.
private final class FrameChannel: @unchecked Sendable {  // the condition guards all of it
  private let condition = NSCondition()
  private let byteCount: Int
  private var waiting: [UInt8]?
  private var isClosed = false

  init(byteCount: Int) { self.byteCount = byteCount }

  /// False when frames are no longer taken.
  func put(_ frame: [UInt8]) -> Bool {
    precondition(frame.count == byteCount)
    condition.lock()
    defer { condition.unlock() }
    while waiting != nil, !isClosed { condition.wait() }
    guard !isClosed else { return false }
    waiting = frame
    condition.broadcast()
    return true
  }

  /// False when no more frames will come.
  func take(into pixels: UnsafeMutablePointer<UInt8>) -> Bool {
    condition.lock()
    defer { condition.unlock() }
    while waiting == nil, !isClosed { condition.wait() }
    guard let frame = waiting else { return false }
    UnsafeMutableRawBufferPointer(start: pixels, count: byteCount).copyBytes(from: frame)
    waiting = nil
    condition.broadcast()
    return true
  }

  /// Ends the stream; a waiting frame is still delivered.
  func close() {
    condition.lock()
    isClosed = true
    condition.broadcast()
    condition.unlock()
  }
}
