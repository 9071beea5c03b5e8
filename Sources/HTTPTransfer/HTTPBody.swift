internal import CCurl
internal import DiaryModel
internal import Glibc

/// The bytes of an answer, as they come.
final class BodySink {
  private var bytes: UnsafeMutableRawPointer?
  private var capacity = 0
  private var count = 0
  private let maxByteCount: Int
  /// Whether there were more than it may have.
  private(set) var isFull = false

  init(maxByteCount: Int) { self.maxByteCount = maxByteCount }

  deinit { free(bytes) }

  /// How many it took: all of them, or none when they are too many.
  func append(_ new: UnsafeRawBufferPointer) -> Int {
    guard new.count <= maxByteCount - count, reserve(count + new.count) else {
      isFull = true
      return 0
    }
    if let bytes, let source = new.baseAddress {
      (bytes + count).copyMemory(from: source, byteCount: new.count)
    }
    count += new.count
    return new.count
  }

  private func reserve(_ needed: Int) -> Bool {
    guard needed > capacity else { return true }
    let size = max(needed, 2 * capacity, 1 << 16)
    guard let larger = realloc(bytes, size) else { return false }
    (bytes, capacity) = (larger, size)
    return true
  }

  func take() -> ByteBuffer {
    defer { (bytes, capacity, count) = (nil, 0, 0) }
    return ByteBuffer(adopting: UnsafeMutableRawBufferPointer(start: bytes, count: count)) {
      free($0)
    }
  }
}

/// The bytes of a request, on their way out.
final class BodySource {
  private let body: ByteBuffer
  var position = 0

  init(_ body: ByteBuffer) { self.body = body }

  var byteCount: Int { body.count }

  func read(into target: UnsafeMutableRawBufferPointer) -> Int {
    body.withUnsafeBytes { bytes in
      let piece = bytes[min(position, bytes.count)...].prefix(target.count)
      target.copyBytes(from: piece)
      position += piece.count
      return piece.count
    }
  }
}

/// libcurl's list of headers.
final class HTTPHeaderList {
  private(set) var list: UnsafeMutablePointer<curl_slist>?

  /// A header without a value is not sent; not even by libcurl itself.
  init(_ headers: [(name: String, value: String)]) {
    for (name, value) in headers {
      guard let longer = curl_slist_append(list, "\(name): \(value)") else { continue }
      list = longer
    }
  }

  deinit { curl_slist_free_all(list) }
}
