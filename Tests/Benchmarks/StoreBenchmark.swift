import BlobStorage
import DiaryModel
import Foundation
import Leaflog
import TestSupport

/// Measures how fast an object store receives and returns objects, over one connection and over four, and compares an
/// import into it with bare PUTs of the same objects.
struct StoreBenchmark {
  let endpoint: String
  let bucket: String
  /// Photos for the import.
  let photos: String

  private static let byteCounts = [20_000, 70_000, 300_000]
  private static let objectCount = 400
  private static let roundCount = 3

  func run() throws {
    let place = "s3://\(bucket)/benchmark-\(UUID().uuidString.lowercased())"
    let settings = ObjectStoreSettings(url: place, endpoint: endpoint)
    let client = try ObjectStoreKeys().client(S3Location(settings))
    defer { try? empty(client) }
    print("objects a second, \(Self.objectCount) each:      PUT      GET")
    for byteCount in Self.byteCounts {
      for width in [1, 4] {
        let (puts, gets) = try rates(S3BlobStore(client, width: width), byteCount)
        print(String(format: "%7d bytes, %d connections %8.0f %8.0f", byteCount, width, puts, gets))
      }
    }
    try measureImport(client, place)
  }

  private func rates(_ store: S3BlobStore, _ byteCount: Int) throws -> (puts: Double, gets: Double)
  {
    let blobs = Self.blobs(Array(repeating: byteCount, count: Self.objectCount))
    let puts = try Self.seconds { try store.put(blobs) }
    let gets = try Self.seconds {
      try store.forEach(blobs) { blob throws(BlobStoreError) in
        _ = try store.get(blob.id, range: nil)
      }
    }
    return (Double(blobs.count) / puts, Double(blobs.count) / gets)
  }

  /// Measures medians over alternating rounds.
  private func measureImport(_ client: S3Client, _ place: String) throws {
    let folder = try TemporaryFolder(inMemory: false)
    let binary = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("leaflog").path
    var imports: [Double] = []
    var puts: [Double] = []
    var count = 0
    for round in 0..<Self.roundCount {
      let library = folder.file("library \(round)")
      let made = try Measurement.run([
        binary, "init", library, "--store", "\(place)/\(round)", "--endpoint", endpoint, "--policy",
        "exact",
      ])
      let imported = try Measurement.run([binary, "import", photos, "--library", library])
      precondition(made.status == 0 && imported.status == 0)
      imports.append(imported.seconds)
      var byteCounts: [Int] = []
      try client.list(prefix: "\(round)/blobs/") { byteCounts.append($0.byteCount) }
      count = byteCounts.count
      let blobs = Self.blobs(byteCounts)
      puts.append(try Self.seconds { try S3BlobStore(client, width: 4).put(blobs) })
    }
    let (whole, bare) = (Measurement.median(imports), Measurement.median(puts))
    print(
      String(
        format: "import of %d objects: %.2f s, bare PUTs of as many as large: %.2f s, share %.2f",
        count, whole, bare, bare / whole))
  }

  /// Blobs that no store contains yet.
  private static func blobs(_ byteCounts: [Int]) -> [PendingBlob] {
    var random = SplitMix64(state: .random(in: 0 ... .max))
    return byteCounts.map { count in
      let words = (0...(count / 8)).map { _ in random.next() }
      return PendingBlob(
        hashing: ByteBuffer(copying: words.withUnsafeBytes { Array($0.prefix(count)) }))
    }
  }

  private static func seconds(_ body: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    try body()
    return (ContinuousClock.now - start).inSeconds
  }

  private func empty(_ client: S3Client) throws {
    var keys: [String] = []
    try client.list(prefix: "") { keys.append($0.key) }
    for key in keys { try client.delete(key) }
  }
}
