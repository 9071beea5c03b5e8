internal import CCurl
package import DiaryModel
internal import Glibc
internal import Hashing

/// The body of a request, which is read as it is sent.
package struct HTTPBody: Sendable {
  package let byteCount: Int
  fileprivate let read:
    @Sendable (_ target: UnsafeMutableRawBufferPointer, _ start: Int) throws -> Int

  /// - Parameter read: copies bytes from `start` on into `target`, and returns how many. It fills `target` except at
  ///   the end.
  package init(
    byteCount: Int,
    read: @escaping @Sendable (_ target: UnsafeMutableRawBufferPointer, _ start: Int) throws -> Int
  ) {
    (self.byteCount, self.read) = (byteCount, read)
  }

  package init(_ bytes: SharedBytes) {
    self.init(byteCount: bytes.count) { target, start in
      bytes.withUnsafeBytes { bytes in
        let piece = bytes[min(start, bytes.count)...].prefix(target.count)
        target.copyBytes(from: piece)
        return piece.count
      }
    }
  }
}

/// Collects the bytes of an answer as they arrive.
final class BodySink {
  private var bytes: UnsafeMutableRawPointer?
  private var capacity = 0
  private var count = 0
  private let maxByteCount: Int
  private let announcedByteCount: () -> Int
  /// Whether bytes were rejected because they were too many.
  private(set) var isFull = false
  private let isKept: Bool
  /// Nil when the bytes are not hashed.
  private var hash: SHA256?

  /// - Parameter announcedByteCount: how many bytes the server says that there are, once it has said so.
  init(maxByteCount: Int, use: HTTPRequest.AnswerBody, announcedByteCount: @escaping () -> Int) {
    (self.maxByteCount, self.announcedByteCount) = (maxByteCount, announcedByteCount)
    isKept = use != .hashed
    hash = use == .kept ? nil : SHA256()
  }

  deinit { free(bytes) }

  /// Appends bytes. Returns how many were taken: all of them, or none if they are too many.
  func append(_ new: UnsafeRawBufferPointer) -> Int {
    guard new.count <= maxByteCount - count else {
      isFull = true
      return 0
    }
    if isKept {
      guard reserve(count + new.count) else { return 0 }
      if let bytes, let source = new.baseAddress {
        (bytes + count).copyMemory(from: source, byteCount: new.count)
      }
    }
    count += new.count
    hash?.update(new)
    return new.count
  }

  private func reserve(_ needed: Int) -> Bool {
    guard needed > capacity else { return true }
    // More than this is not believed before it comes.
    let announced = bytes == nil ? min(announcedByteCount(), maxByteCount, 1 << 22) : 0
    let size = max(needed, 2 * capacity, announced)
    guard let larger = realloc(bytes, size) else { return false }
    (bytes, capacity) = (larger, size)
    return true
  }

  /// The SHA-256 of the bytes; nil when they are not hashed.
  var digest: [UInt8]? { hash?.digest }

  func take() -> SharedBytes {
    defer { (bytes, capacity, count) = (nil, 0, 0) }
    return SharedBytes(
      adopting: UnsafeMutableRawBufferPointer(start: bytes, count: isKept ? count : 0)
    ) {
      free($0)
    }
  }
}

/// The body of a request being sent, with the position reached.
final class BodySource {
  private struct Shorter: Error, CustomStringConvertible {
    let description = "it has become shorter"
  }

  private let body: HTTPBody
  var position = 0
  /// The error for which there were fewer bytes than announced.
  private(set) var fault: (any Error)?

  init(_ body: HTTPBody) { self.body = body }

  var byteCount: Int { body.byteCount }

  /// Reads the next bytes. Returns how many; nil when they cannot be read.
  func read(into target: UnsafeMutableRawBufferPointer) -> Int? {
    let wanted = UnsafeMutableRawBufferPointer(rebasing: target.prefix(byteCount - position))
    do {
      guard try body.read(wanted, position) == wanted.count else { throw Shorter() }
      position += wanted.count
      return wanted.count
    } catch {
      fault = error
      return nil
    }
  }
}

/// libcurl's list of headers.
final class HTTPHeaderList {
  private(set) var list: UnsafeMutablePointer<curl_slist>?

  /// A header with an empty value is not sent, not even the one that libcurl would add itself.
  init(_ headers: [(name: String, value: String)]) {
    for (name, value) in headers {
      guard let longer = curl_slist_append(list, "\(name): \(value)") else { continue }
      list = longer
    }
  }

  deinit { curl_slist_free_all(list) }
}
