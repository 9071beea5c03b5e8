internal import CZlib
internal import NIOCore

/// Bytes as gzip (RFC 1952), by zlib.
enum Gzip {
  /// A timeline page shrinks to a sixth at any level; higher levels take three times as long to save another tenth.
  private static let level: CInt = 4

  /// Compresses bytes; nil when there are more than zlib takes at once.
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
