import BlobStorage
import DiaryModel
import Foundation
import SystemPackage
import TestSupport
import Testing

/// A kind of store.
enum StoreKind: Sendable, CustomTestStringConvertible {
  case memory, local
  case object(ObjectEngine)

  static var available: [StoreKind] {
    [.memory, .local] + ObjectEngine.available.map(StoreKind.object)
  }

  var testDescription: String {
    switch self {
    case .memory: "memory"
    case .local: "local"
    case .object(let engine): engine.rawValue
    }
  }
}

/// An empty store of a kind.
private struct Place {
  let store: any BlobStore
  private let folder: TemporaryFolder?

  init(_ kind: StoreKind) throws {
    switch kind {
    case .memory: (store, folder) = (MemoryBlobStore(), nil)
    case .local:
      let folder = try TemporaryFolder()
      let local = LocalBlobStore(root: FilePath(folder.path))
      try local.createFolders()
      (store, self.folder) = (local, folder)
    case .object(let engine):
      let service = try engine.service()
      store = S3BlobStore(S3Client(try service.location(), service.credentials))
      folder = nil
    }
  }
}

/// What every store of blobs does.
@Suite struct BlobStoreConformanceTests {
  private func blob(_ text: String) -> PendingBlob {
    PendingBlob(hashing: SharedBytes(copying: text.utf8))
  }

  private func bytes(_ buffer: SharedBytes) -> [UInt8] { buffer.withUnsafeBytes { Array($0) } }

  private func random(_ count: Int, seed: UInt64) -> PendingBlob {
    var generator = SplitMix64(state: seed)
    return PendingBlob(
      hashing: SharedBytes(
        copying: (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }))
  }

  @Test(arguments: StoreKind.available)
  func `a blob comes back whole and in parts`(kind: StoreKind) throws {
    let place = try Place(kind)
    let large = random(3 << 20, seed: 1)
    try place.store.put([blob("leaf"), large])
    #expect(try bytes(place.store.get(blob("leaf").id, range: nil)) == Array("leaf".utf8))
    let whole = bytes(large.bytes)
    #expect(try bytes(place.store.get(large.id, range: nil)) == whole)
    for range in [0..<1, 1_000_000..<1_000_003, whole.count - 5..<whole.count, 7..<7] {
      #expect(try bytes(place.store.get(large.id, range: range)) == Array(whole[range]))
    }
    #expect(try place.store.byteCount(of: large.id) == whole.count)
  }

  @Test(arguments: StoreKind.available)
  func `a range beyond the end has the bytes that there are`(kind: StoreKind) throws {
    let place = try Place(kind)
    let leaf = blob("leaf")
    try place.store.put([leaf])
    #expect(try bytes(place.store.get(leaf.id, range: 2..<100)) == Array("af".utf8))
    #expect(try bytes(place.store.get(leaf.id, range: 4..<100)).isEmpty)
    #expect(try bytes(place.store.get(leaf.id, range: 50..<100)).isEmpty)
  }

  @Test(arguments: StoreKind.available)
  func `a missing blob has no size, and is told when it is read`(kind: StoreKind) throws {
    let place = try Place(kind)
    let absent = blob("absent").id
    #expect(try place.store.byteCount(of: absent) == nil)
    for range in [nil, 0..<1] {
      let error = #expect(throws: BlobStoreError.self) {
        try place.store.get(absent, range: range)
      }
      #expect(error?.code == .notFound)
    }
    try place.store.delete(absent)
  }

  @Test(arguments: StoreKind.available)
  func `putting again, and the same twice, is one blob`(kind: StoreKind) throws {
    let place = try Place(kind)
    for _ in 0..<2 { try place.store.put([blob("a"), blob("a"), blob("b")]) }
    try place.store.put([])
    var listed: [BlobID] = []
    try place.store.list { listed.append($0.id) }
    #expect(Set(listed) == [blob("a").id, blob("b").id] && listed.count == 2)
  }

  @Test(arguments: StoreKind.available)
  func `a listing shows at once what was put and what was deleted`(kind: StoreKind) throws {
    let place = try Place(kind)
    let start = Timestamp.now
    let blobs = (0..<40).map { blob(String(repeating: "\($0)", count: $0 + 1)) }
    try place.store.put(blobs)
    var listed: [StoredBlob] = []
    try place.store.list { listed.append($0) }
    #expect(
      Dictionary(uniqueKeysWithValues: listed.map { ($0.id, $0.byteCount) })
        == Dictionary(uniqueKeysWithValues: blobs.map { ($0.id, $0.bytes.count) }))
    // In the order of their first bytes, so that a catalog can be read beside it.
    let heads = listed.map { $0.id.bytes[0] }
    #expect(heads == heads.sorted())
    for blob in listed {
      #expect(abs(blob.storedAt.milliseconds - start.milliseconds) < 60_000)
    }
    for blob in blobs.prefix(10) {
      try place.store.delete(blob.id)
      #expect(try place.store.byteCount(of: blob.id) == nil)
    }
    var left: Set<BlobID> = []
    try place.store.list { left.insert($0.id) }
    #expect(left == Set(blobs.dropFirst(10).map(\.id)))
  }

  @Test(arguments: StoreKind.available)
  func `a blob that was deleted can be put again`(kind: StoreKind) throws {
    let place = try Place(kind)
    try place.store.put([blob("leaf")])
    try place.store.delete(blob("leaf").id)
    try place.store.put([blob("leaf")])
    #expect(try bytes(place.store.get(blob("leaf").id, range: nil)) == Array("leaf".utf8))
  }

  @Test(arguments: StoreKind.available)
  func `many threads may use it at once`(kind: StoreKind) async throws {
    let place = try Place(kind)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for thread in 0..<8 {
        group.addTask {
          let blobs = (0..<5).map { blob("\(thread) \($0)") }
          try place.store.put(blobs)
          for blob in blobs {
            #expect(try bytes(place.store.get(blob.id, range: nil)) == bytes(blob.bytes))
          }
        }
      }
      try await group.waitForAll()
    }
    var count = 0
    try place.store.list { _ in count += 1 }
    #expect(count == 40)
  }
}
