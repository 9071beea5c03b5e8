import BlobStorage
import DiaryModel
import Foundation
import Leaflog
import TestSupport

/// Measures how fast an object store receives and returns objects, over one connection and over four, and an import
/// into it. The limit is a C loop over libcurl, in alternating rounds.
struct StoreBenchmark {
  let endpoint: String
  let bucket: String
  /// Photos for the import.
  let photos: String

  private static let byteCounts = [20_000, 70_000, 300_000]
  private static let objectCount = 400
  private static let roundCount = 5

  func run() throws {
    let place = "s3://\(bucket)/benchmark-\(UUID().uuidString.lowercased())"
    let client = try client(place)
    defer { try? empty(client) }
    print("objects a second, \(Self.objectCount) each, medians; share of the C loop's rate")
    print("                          PUT   in C  share      GET   in C  share")
    for byteCount in Self.byteCounts {
      for width in [1, 4] {
        let rates = try rates(client, byteCount, width: width)
        print(
          String(format: "%7d bytes over %d:", byteCount, width)
            + "\(rates.put.columns)  \(rates.get.columns)")
      }
    }
    try measureImport(client, place)
  }

  private func client(_ place: String) throws -> S3Client {
    ObjectStoreKeys().client(
      try S3Location(ObjectStoreSettings(url: place, endpoint: endpoint)))
  }

  /// Objects per second of Leaflog's client and of the C loop, a figure a round.
  private struct Rates {
    var ours: [Double] = []
    var plain: [Double] = []

    var columns: String {
      let (ours, plain) = (Measurement.median(ours), Measurement.median(plain))
      return String(format: "%7.0f%7.0f%7.2f", ours, plain, ours / plain)
    }
  }

  /// Each round puts new objects, and both get those that ours has put.
  private func rates(
    _ client: S3Client, _ byteCount: Int, width: Int
  ) throws -> (put: Rates, get: Rates) {
    let store = S3BlobStore(client, width: width)
    let plain = try PlainRequests(client.location, width: width)
    let count = Double(Self.objectCount)
    var (put, get) = (Rates(), Rates())
    for round in 0...Self.roundCount {
      let blobs = Self.blobs(Array(repeating: byteCount, count: Self.objectCount))
      let others = Self.blobs(Array(repeating: byteCount, count: Self.objectCount))
      let seconds = try inTurn(round) {
        try store.put(blobs)
      } _: {
        try plain.put(others, store)
      }
      let gets = try inTurn(round) {
        try store.forEach(blobs) { blob throws(BlobStoreError) in
          _ = try store.get(blob.id, range: nil)
        }
      } _: {
        try plain.get(blobs, store)
      }
      guard round > 0 else { continue }  // connections and caches become warm
      put.ours.append(count / seconds.0)
      put.plain.append(count / seconds.1)
      get.ours.append(count / gets.0)
      get.plain.append(count / gets.1)
    }
    return (put, get)
  }

  /// The seconds that two things take; each goes first in every second round.
  private func inTurn(
    _ round: Int, _ first: () throws -> Void, _ second: () throws -> Void
  ) throws -> (Double, Double) {
    if round.isMultiple(of: 2) {
      return (try Self.seconds(first), try Self.seconds(second))
    }
    let later = try Self.seconds(second)
    return (try Self.seconds(first), later)
  }

  /// Measures medians over alternating rounds.
  private func measureImport(_ client: S3Client, _ place: String) throws {
    let folder = try TemporaryFolder(inMemory: false)
    let binary = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("leaflog").path
    let plain = try PlainRequests(client.location, width: 4)
    var imports: [Double] = []
    var puts: [Double] = []
    var count = 0
    for round in 0..<Self.roundCount {
      let library = folder.file("library \(round)")
      let made = try Measurement.run([
        binary, "init", library, "--store", "\(place)/\(round)", "--endpoint", endpoint, "--policy",
        "exact",
      ])
      let imported = try Measurement.run([binary, "import", photos, "--library", library, "--yes"])
      precondition(made.status == 0 && imported.status == 0)
      imports.append(imported.seconds)
      var byteCounts: [Int] = []
      try client.list(prefix: "\(round)/blobs/") { byteCounts.append($0.byteCount) }
      count = byteCounts.count
      let blobs = Self.blobs(byteCounts)
      puts.append(try Self.seconds { try plain.put(blobs, S3BlobStore(client)) })
    }
    let (whole, bare) = (Measurement.median(imports), Measurement.median(puts))
    print(
      String(
        format: "import of %d objects: %.2f s, PUTs of as many as large in C: %.2f s, share %.2f",
        count, whole, bare, bare / whole))
  }

  /// Blobs that no store contains yet.
  private static func blobs(_ byteCounts: [Int]) -> [PendingBlob] {
    var random = SplitMix64(state: .random(in: 0 ... .max))
    return byteCounts.map { count in
      let words = (0...(count / 8)).map { _ in random.next() }
      return PendingBlob(
        hashing: SharedBytes(copying: words.withUnsafeBytes { Array($0.prefix(count)) }))
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
