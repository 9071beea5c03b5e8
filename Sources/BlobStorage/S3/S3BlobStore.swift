package import DiaryModel
internal import Foundation

/// Blobs as objects: `blobs/ab/abcdef…`.
package struct S3BlobStore: BlobStore {
  package let client: S3Client
  /// How many requests are under way at a time.
  private let width: Int
  /// How often the key of a blob was given up, so that no DELETE that comes late meets what is stored anew.
  private let generation: @Sendable (BlobID) throws -> Int

  /// - Parameters:
  ///   - width: how many requests of one call are under way at a time.
  ///   - generation: how often the key of a blob was given up.
  package init(
    _ client: S3Client, width: Int = 4,
    generation: @escaping @Sendable (BlobID) throws -> Int = { _ in 0 }
  ) {
    (self.client, self.width, self.generation) = (client, width, generation)
  }

  /// `blobs/ab/abcdef…`, with `.1` and so on at its end for the keys after the first.
  static func key(of id: BlobID, generation: Int) -> String {
    let hex = id.hex
    return "blobs/\(hex.prefix(2))/\(hex)" + (generation > 0 ? ".\(generation)" : "")
  }

  private static func parts(of key: String) -> (id: BlobID, generation: Int)? {
    guard let name = key.split(separator: "/").last else { return nil }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count < 3, let id = parts.first.flatMap({ BlobID(hex: $0) }) else { return nil }
    guard parts.count == 2 else { return (id, 0) }
    guard let generation = Int(parts[1]), generation > 0 else { return nil }
    return (id, generation)
  }

  private func key(of id: BlobID) throws(BlobStoreError) -> String {
    do { return try Self.key(of: id, generation: generation(id)) } catch {
      throw BlobStoreError(code: .failed, message: "\(error)", path: id.hex)
    }
  }

  package func put(_ blobs: [PendingBlob]) throws(BlobStoreError) {
    let different = Dictionary(blobs.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    try inParallel(Array(different.values), width: width) { blob throws(BlobStoreError) in
      try client.put(key(of: blob.id), blob.bytes, digest: blob.id)
    }
  }

  package func get(_ id: BlobID, range: Range<Int>?) throws(BlobStoreError) -> ByteBuffer {
    try client.get(key(of: id), range: range) { bytes in
      bytes.withUnsafeBytes { BlobID(hashing: $0) } == id
    }
  }

  package func byteCount(of id: BlobID) throws(BlobStoreError) -> Int? {
    try client.byteCount(of: key(of: id))
  }

  package func list(_ body: (StoredBlob) throws -> Void) throws {
    try client.list(prefix: "blobs/") { object in
      guard let (id, found) = Self.parts(of: object.key), try generation(id) == found else {
        return
      }
      try body(StoredBlob(id: id, byteCount: object.byteCount, storedAt: object.storedAt))
    }
  }

  package func delete(_ id: BlobID) throws(BlobStoreError) { try client.delete(key(of: id)) }
}
