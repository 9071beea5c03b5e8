internal import DiaryModel
internal import Foundation

/// Tests whether a store has the properties that a library relies on, using a temporary object.
package struct S3Probe: Sendable {
  private let client: S3Client

  package init(_ client: S3Client) { self.client = client }

  /// - Throws: `BlobStoreError` with code `unfit` and the missing property, or the error that prevented the test.
  package func run() throws {
    let folder = "probe/\(UUID().uuidString.lowercased())/"
    let bytes = Array("leaflog \(folder)".utf8)
    let body = SharedBytes(copying: bytes)
    let digest = body.withUnsafeBytes { BlobID(hashing: $0) }
    let key = folder + "a"
    try client.put(key, body, digest: digest)
    do { try examine(folder, key, bytes) } catch {
      try? client.delete(key)
      throw error
    }
    try client.delete(key)
    guard try client.byteCount(of: key) == nil, try keys(folder).isEmpty else {
      throw unfit("shows objects that were deleted")
    }
    try refusesFalseChecksum(folder + "b", body)
  }

  private func examine(_ folder: String, _ key: String, _ bytes: [UInt8]) throws {
    guard try Array(client.get(key)) == bytes else {
      throw unfit("gives back other bytes than it was given")
    }
    guard try Array(client.get(key, range: 3..<9)) == Array(bytes[3..<9]) else {
      throw unfit("does not give parts of objects")
    }
    guard try client.byteCount(of: key) == bytes.count else {
      throw unfit("does not tell the size of objects")
    }
    guard try keys(folder) == [key] else { throw unfit("does not list what was just stored") }
    // A replacement must be visible immediately, too.
    let new = SharedBytes(copying: bytes.reversed())
    try client.put(key, new, digest: new.withUnsafeBytes { BlobID(hashing: $0) })
    guard try Array(client.get(key)) == bytes.reversed() else {
      throw unfit("still gives the former bytes of an object that was replaced")
    }
  }

  private func keys(_ folder: String) throws -> [String] {
    var keys: [String] = []
    try client.list(prefix: folder) { keys.append($0.key) }
    return keys
  }

  private func refusesFalseChecksum(_ key: String, _ bytes: SharedBytes) throws {
    let digest = BlobID(hashing: UnsafeRawBufferPointer(start: nil, count: 0))
    guard try client.accepts(key, bytes, claiming: digest) else { return }
    try client.delete(key)
    throw unfit("accepts bytes that are not those of their checksum")
  }

  private func unfit(_ property: String) -> BlobStoreError {
    BlobStoreError(
      code: .unfit,
      message: "\(client.location.endpoint) \(property). Leaflog cannot rely on it.",
      path: client.location.url)
  }
}

extension Array where Element == UInt8 {
  fileprivate init(_ bytes: SharedBytes) { self = bytes.withUnsafeBytes { Array($0) } }
}
