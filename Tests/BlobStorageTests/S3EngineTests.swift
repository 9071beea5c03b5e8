import BlobStorage
import DiaryModel
import Foundation
import TestSupport
import Testing

/// What a library asks of an object store besides blobs, and how stores refuse.
@Suite struct S3EngineTests {
  private func client(
    _ engine: ObjectEngine, secret: String? = nil
  ) throws -> S3Client {
    let service = try engine.service()
    let key = S3Credentials(
      key: service.credentials.key, secret: secret ?? service.credentials.secret)
    return S3Client(try service.location(), key)
  }

  private func code(_ body: () throws -> Void) -> BlobStoreError.Code? {
    do { try body() } catch { return (error as? BlobStoreError)?.code }
    return nil
  }

  @Test(
    .enabled(
      if: ObjectEngine.openStackSwift.isAvailable, "swift-proxy and its servers are not installed"))
  func `OpenStack Swift is fit for a library`() throws {
    try S3Probe(client(.openStackSwift)).run()
  }

  @Test(
    .enabled(if: ObjectEngine.ceph.isAvailable, "radosgw, ceph-mon and ceph-osd are not installed"))
  func `Ceph is fit for a library`() throws { try S3Probe(client(.ceph)).run() }

  @Test(.enabled(if: ObjectEngine.seaweedFS.isAvailable, "weed is not installed"))
  func `SeaweedFS is fit for a library`() throws { try S3Probe(client(.seaweedFS)).run() }

  @Test(arguments: ObjectEngine.available)
  func `a wrong secret and a missing bucket are told as such`(engine: ObjectEngine) throws {
    let wrong = try client(engine, secret: "wrong")
    #expect(code { _ = try wrong.get("a") } == .refused)
    #expect(code { _ = try wrong.byteCount(of: "a") } == .refused)
    let service = try engine.service()
    let location = try S3Location(
      ObjectStoreSettings(url: "s3://leaflog-nonesuch", endpoint: service.endpoint))
    let nowhere = S3Client(location, service.credentials)
    #expect(code { _ = try nowhere.get("a") } == .noBucket)
    #expect(code { _ = try nowhere.byteCount(of: "a") } == .noBucket)
    #expect(code { try nowhere.delete("a") } == .noBucket)
    #expect(code { try nowhere.list(prefix: "") { _ in } } == .noBucket)
  }

  @Test(arguments: ObjectEngine.available)
  func `a listing of several pages has every key once, in order`(engine: ObjectEngine) throws {
    let client = try client(engine)
    let body = SharedBytes(copying: "x".utf8)
    let digest = body.withUnsafeBytes { BlobID(hashing: $0) }
    let keys = (10..<33).map { "list/\($0)" }
    for key in keys + ["lisu", "lis"] { try client.put(key, body, digest: digest) }
    for limit in [1, 5, 23, 1000] {
      var found: [String] = []
      try client.list(prefix: "list/", pageLimit: limit) { found.append($0.key) }
      #expect(found == keys, "\(limit)")
    }
    var first: [String] = []
    try client.list(prefix: "lis") { first.append($0.key) }
    #expect(first == ["lis"] + keys + ["lisu"])
  }
}
