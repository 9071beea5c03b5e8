package import DiaryModel
internal import Synchronization

/// How many keys of each blob were retired, so that a late DELETE cannot remove a blob that was stored again.
package struct KeyGenerations: Sendable {
  let of: @Sendable (BlobID) throws -> Int
  let all: @Sendable () throws -> [BlobID: Int]

  package init(
    of: @escaping @Sendable (BlobID) throws -> Int,
    all: @escaping @Sendable () throws -> [BlobID: Int]
  ) {
    (self.of, self.all) = (of, all)
  }

  /// No key was ever retired.
  package static let first = KeyGenerations(of: { _ in 0 }, all: { [:] })
}

/// Blobs as objects: `blobs/ab/abcdef…`.
package struct S3BlobStore: BlobStore {
  package let client: S3Client
  /// The number of requests in flight at a time.
  private let width: Int
  private let generations: KeyGenerations
  private let acknowledged = AcknowledgedKeys()

  /// - Parameter width: the number of requests of one call in flight at a time.
  package init(_ client: S3Client, width: Int = 4, generations: KeyGenerations = .first) {
    (self.client, self.width, self.generations) = (client, width, generations)
  }

  /// `blobs/ab/abcdef…`, followed by `.1` and so on for keys after the first.
  static func key(of id: BlobID, generation: Int) -> String {
    let hex = id.hex
    return "blobs/\(hex.prefix(2))/\(hex)" + (generation > 0 ? ".\(generation)" : "")
  }

  /// The blob that is stored under a key; nil when the key is not a blob's.
  package static func blob(ofKey key: String) -> BlobID? { parts(of: key)?.id }

  private static func parts(of key: String) -> (id: BlobID, generation: Int)? {
    guard let name = key.split(separator: "/").last else { return nil }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count < 3, let id = parts.first.flatMap({ BlobID(hex: $0) }) else { return nil }
    guard parts.count == 2 else { return (id, 0) }
    guard let generation = Int(parts[1]), generation > 0 else { return nil }
    return (id, generation)
  }

  private func generation(of id: BlobID) throws(BlobStoreError) -> Int {
    do { return try generations.of(id) } catch {
      throw BlobStoreError(code: .failed, message: "\(error)", path: id.hex)
    }
  }

  private func key(of id: BlobID) throws(BlobStoreError) -> String {
    Self.key(of: id, generation: try generation(of: id))
  }

  package func place(of id: BlobID) -> String {
    client.location.url + "/" + Self.key(of: id, generation: (try? generations.of(id)) ?? 0)
  }

  package func put(_ blobs: [PendingBlob]) throws(BlobStoreError) {
    let different = Dictionary(blobs.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    try inParallel(Array(different.values), width: width) { blob throws(BlobStoreError) in
      let generation = try generation(of: blob.id)
      try client.put(Self.key(of: blob.id, generation: generation), blob.bytes, digest: blob.id)
      acknowledged.add(blob.id, blob.bytes.count, generation)
    }
  }

  /// Makes no request for a blob that was acknowledged under its current key: keys are retired in a transaction, and
  /// objects are deleted only afterwards.
  package func confirm(_ rendition: Rendition) throws {
    let generation = try generation(of: rendition.blob)
    if acknowledged.has(rendition.blob, rendition.byteCount, generation) { return }
    let key = Self.key(of: rendition.blob, generation: generation)
    guard try client.byteCount(of: key) == rendition.byteCount else {
      let place = place(of: rendition.blob)
      throw BlobStoreError(code: .notFound, message: "Could not find \(place).", path: place)
    }
  }

  /// Deletes the objects of a blob under its retired keys.
  ///
  /// - Parameter generation: the generation of the key that the blob would have now.
  package func deleteRetired(_ id: BlobID, before generation: Int) throws(BlobStoreError) {
    for former in 0..<generation { try client.delete(Self.key(of: id, generation: former)) }
  }

  /// Works on several blobs at a time.
  package func forEach<Item: Sendable>(
    _ items: [Item], _ body: @escaping @Sendable (Item) throws(BlobStoreError) -> Void
  ) throws(BlobStoreError) {
    try inParallel(items, width: width, body)
  }

  package func get(_ id: BlobID, range: Range<Int>?) throws(BlobStoreError) -> SharedBytes {
    try client.get(key(of: id), range: range, digest: id)
  }

  package func byteCount(of id: BlobID) throws(BlobStoreError) -> Int? {
    try client.byteCount(of: key(of: id))
  }

  package func list(_ body: (StoredBlob) throws -> Void) throws {
    let generations = try generations.all()
    try client.list(prefix: "blobs/") { object in
      guard let (id, found) = Self.parts(of: object.key), generations[id] ?? 0 == found else {
        return
      }
      try body(StoredBlob(id: id, byteCount: object.byteCount, storedAt: object.storedAt))
    }
  }

  package func delete(_ id: BlobID) throws(BlobStoreError) { try client.delete(key(of: id)) }
}

/// Blobs that a store has acknowledged to this process.
private final class AcknowledgedKeys: Sendable {
  private struct Key: Hashable {
    let id: BlobID
    let byteCount: Int
    let generation: Int
  }

  private let keys = Mutex<Set<Key>>([])
  /// At this count all are forgotten, and the store is asked again.
  private static let maxCount = 20_000

  func add(_ id: BlobID, _ byteCount: Int, _ generation: Int) {
    keys.withLock { keys in
      if keys.count == Self.maxCount { keys.removeAll(keepingCapacity: true) }
      keys.insert(Key(id: id, byteCount: byteCount, generation: generation))
    }
  }

  func has(_ id: BlobID, _ byteCount: Int, _ generation: Int) -> Bool {
    keys.withLock { $0.contains(Key(id: id, byteCount: byteCount, generation: generation)) }
  }
}
