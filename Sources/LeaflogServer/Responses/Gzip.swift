internal import CZlib
internal import NIOCore

/// Bytes as gzip (RFC 1952), by zlib.
enum Gzip {
  /// A page of the timeline becomes a sixth at any level; the higher ones take three times as long for a tenth less.
  private static let level: CInt = 4

  /// Nil when there are more than zlib takes at once.
  static func compressed(_ bytes: ByteBufferView) -> ByteBuffer? {
    let capacity = leaflog_gzip_bound(UInt(bytes.count))
    guard let count = UInt32(exactly: bytes.count), let room = UInt32(exactly: capacity) else {
      return nil
    }
    var result = ByteBuffer()
    let written = result.writeWithUnsafeMutableBytes(minimumWritableBytes: Int(room)) { target in
      bytes.withUnsafeBytes { source in
        guard let source = source.bindMemory(to: UInt8.self).baseAddress,
          let target = target.bindMemory(to: UInt8.self).baseAddress
        else { return 0 }
        return Int(leaflog_gzip(source, count, target, room, level))
      }
    }
    return written > 0 ? result : nil
  }
}
