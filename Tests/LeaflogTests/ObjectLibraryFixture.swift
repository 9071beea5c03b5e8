import BlobStorage
import DiaryModel
import Foundation
import Leaflog
import TestSupport
import Testing

/// An object store for a library: in memory, or an engine of this machine.
enum LibraryStoreKind: Sendable, CustomTestStringConvertible {
  case memory
  case engine(ObjectEngine)

  static var available: [LibraryStoreKind] {
    [.memory] + ObjectEngine.available.map(LibraryStoreKind.engine)
  }

  var testDescription: String {
    if case .engine(let engine) = self { engine.rawValue } else { "memory" }
  }
}

/// A library whose photos are in an object store.
struct ObjectLibraryFixture {
  static let secret = "a secret that nobody may write down"

  let folder: TemporaryFolder
  let settings: ObjectStoreSettings
  let keys: ObjectStoreKeys
  /// Asks the store without the library.
  let client: S3Client
  let library: Library
  /// Kept for as long as the library.
  private let server: ObjectServer?

  init(_ kind: LibraryStoreKind) throws {
    switch kind {
    case .memory: try self.init(ObjectServer())
    case .engine(let engine):
      let service = try engine.service()
      try self.init(service.location(), service.credentials)
    }
  }

  init(_ server: ObjectServer) throws {
    try self.init(
      S3Location(ObjectStoreSettings(url: "s3://bucket/diary", endpoint: server.endpoint)),
      S3Credentials(key: "key", secret: Self.secret), server)
  }

  private init(
    _ location: S3Location, _ credentials: S3Credentials, _ server: ObjectServer? = nil
  ) throws {
    self.server = server
    folder = try TemporaryFolder()
    settings = location.settings
    keys = ObjectStoreKeys(environment: [
      "AWS_ACCESS_KEY_ID": credentials.key, "AWS_SECRET_ACCESS_KEY": credentials.secret,
    ])
    client = S3Client(location, credentials)
    let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    library = try Library.create(
      at: folder.file("library"),
      Library.Settings(policy: .exact, timeZone: zone, store: settings), keys: keys)
  }

  func importPhotos(
    _ paths: [String] = [Fixtures.path("Photos")], into other: Library? = nil
  ) async throws -> (summary: ImportSummary, outcomes: Outcomes) {
    let outcomes = Outcomes()
    let summary = try await Importer(other ?? library).run(ImportRequest(paths: paths)) {
      outcomes.add($0)
    }
    return (summary, outcomes)
  }

  func keys(_ prefix: String) throws -> [String] {
    var keys: [String] = []
    try client.list(prefix: prefix) { keys.append($0.key) }
    return keys
  }

  func damage(in other: Library? = nil, isFull: Bool) throws -> [Damage] {
    var request = VerifyRequest()
    request.isFull = isFull
    var found: [Damage] = []
    _ = try Verifier(other ?? library).run(request) { found.append($0) }
    return found
  }

  /// The library on another machine, from the store alone.
  func attach(_ name: String) throws -> Library {
    let path = folder.file(name)
    let report = try LibraryAttachment(settings, keys: keys).run(at: path)
    #expect(report.losses.isEmpty && report.blobPhotoCount == 0)
    return try Library.open(at: path, keys: keys)
  }

  /// The rows of all tables, without those that tell two machines apart.
  func rows(_ name: String = "library") throws -> Set<String> {
    try CatalogDump(path: folder.file(name) + "/catalog.sqlite").lines.filter {
      !$0.hasPrefix("setting: 'lineage'")
    }
  }
}
