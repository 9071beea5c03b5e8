internal import Foundation
internal import Glibc
internal import Imaging
internal import Synchronization
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
    // Another photo's picture may be shown instead of one that cannot be read.
    do { try file.writeAll(WebPAnimation.frame(frame, delay: delay)) } catch let error as Errno {
      throw OutputFile.failure(path, error)
    }
  }

  func finish() throws {
    let byteCount = Int(try file.seek(offset: 0, from: .end))
    try file.writeAll(toAbsoluteOffset: 0, animation.header(byteCount: byteCount))
  }

  func abandon() {}
}

/// Writes MP4 through ffmpeg, which receives raw frames.
///
/// swift-subprocess (1.0.2) is not used, as it writes to a pipe: a child that exits while a frame is being
/// written would kill this process with SIGPIPE.
final class MovieWriter: FilmSink {
  private let process: Process
  /// A socket rather than a pipe, as MSG_NOSIGNAL prevents SIGPIPE.
  private let socket: CInt
  private let errors: ErrorOutput

  /// - Throws: when ffmpeg is not installed or does not start.
  init(path: String, size: PixelSize, framesPerSecond: Double) throws {
    guard let ffmpeg = Self.find("ffmpeg") else {
      throw LeaflogError(
        .failed,
        "MP4 needs ffmpeg, which is not installed. Install it (apt-get install ffmpeg), or write a "
          + ".webp or .gif file.")
    }
    var ends: [CInt] = [0, 0]
    let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw LeaflogError(
        .failed, "The system gives no socket: \(String(cString: strerror(errno))).")
    }
    socket = ends[0]
    process = Process()
    process.executableURL = URL(fileURLWithPath: ffmpeg)
    let input = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    let errorPipe = Pipe()
    process.standardError = errorPipe
    // One list after the other: the compiler would take long over a sum of them.
    var arguments = "-hide_banner -loglevel error -y -f rawvideo -pixel_format rgb24".words
    arguments += [
      "-video_size", "\(size.width)x\(size.height)", "-framerate", "\(framesPerSecond)",
    ]
    // If the matrix is not named, players guess BT.601 or BT.709 by the size.
    arguments += "-i pipe:0 -vf scale=out_color_matrix=bt709:out_range=tv".words
    arguments += "-colorspace bt709 -color_primaries bt709 -color_trc bt709".words
    arguments += "-c:v libx264 -crf 20 -pix_fmt yuv420p -movflags +faststart -f mp4".words
    process.arguments = arguments + [path]
    do { try process.run() } catch {
      close(ends[0])
      throw LeaflogError(.failed, "ffmpeg does not start: \(error.localizedDescription)")
    }
    errors = ErrorOutput(errorPipe)
    try? input.close()
  }

  deinit { close(socket) }

  func abandon() {
    // Ctrl-C reaches ffmpeg too, which then waits for the rest of a frame and ignores other signals.
    shutdown(socket, CInt(SHUT_WR))
    if process.isRunning { process.terminate() }
    process.waitUntilExit()
  }

  func encode(_ frame: PixelCanvas, delay: Int) throws -> [UInt8] { try frame.pixels() }

  func append(_ frame: [UInt8], delay: Int) throws {
    for _ in 0..<delay { try send(frame) }
  }

  private func send(_ pixels: [UInt8]) throws {
    try pixels.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let part = UnsafeRawBufferPointer(rebasing: rest)
        let count = Glibc.send(socket, part.baseAddress, part.count, CInt(MSG_NOSIGNAL))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return try finish() }  // ffmpeg has exited; this throws its reason
        rest = rest.dropFirst(count)
      }
    }
  }

  func finish() throws {
    shutdown(socket, CInt(SHUT_WR))
    let text = errors.text()
    process.waitUntilExit()
    guard process.terminationStatus == 0, process.terminationReason == .exit else {
      throw LeaflogError(.failed, "ffmpeg failed: \(text.isEmpty ? "it gave no reason" : text)")
    }
  }

  private static func find(_ program: String) -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").map { "\($0)/\(program)" }
      .first { access($0, X_OK) == 0 }
  }
}

extension String {
  fileprivate var words: [String] { split(separator: " ").map(String.init) }
}

/// The beginning of a process's standard error. A thread of its own reads all of it: a process whose pipe
/// is full would block, and so would whoever writes to that process.
private final class ErrorOutput: Sendable {
  private static let maxByteCount = 4096

  private let bytes = Mutex<[UInt8]>([])
  private let isRead = DispatchSemaphore(value: 0)

  /// Begins to read.
  ///
  /// - Parameter pipe: the standard error of a process that was started.
  init(_ pipe: Pipe) {
    Thread.detachNewThread { [self] in
      // Foundation's own reading ends this process when a signal interrupts it.
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = read(pipe.fileHandleForReading.fileDescriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        if count <= 0 { break }
        bytes.withLock { $0 += buffer.prefix(min(count, Self.maxByteCount - $0.count)) }
      }
      isRead.signal()
    }
  }

  /// The text, trimmed, at most 4096 bytes. Waits until the process has closed its end.
  func text() -> String {
    isRead.wait()
    isRead.signal()  // for the next call
    return String(decoding: bytes.withLock { $0 }, as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
