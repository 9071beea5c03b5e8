import BlobStorage
import DiaryModel
import Foundation
import Leaflog
import TestSupport
import Testing

/// A library whose photos are in an object store.
struct ObjectLibraryFixture {
  let folder: TemporaryFolder
  let library: Library
  private let place: ObjectPlace

  var settings: ObjectStoreSettings { place.settings }
  var keys: ObjectStoreKeys { place.keys }
  /// Asks the store without the library.
  var client: S3Client { place.client }

  init(_ kind: LibraryStoreKind) throws { try self.init(ObjectPlace(kind)) }

  /// - Parameter policy: of the library; `client` has its own.
  init(
    _ server: ObjectServer, policy: RetryPolicy = RetryPolicy(),
    journal: ObjectStoreSettings.Journal = .sync
  ) throws {
    try self.init(ObjectPlace(server, policy: policy), journal)
  }

  private init(
    _ place: ObjectPlace, _ journal: ObjectStoreSettings.Journal = .sync
  ) throws {
    self.place = place
    folder = try TemporaryFolder()
    let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    var store = place.settings
    store.journal = journal
    library = try Library.create(
      at: folder.file("library"),
      Library.Settings(policy: .exact, timeZone: zone, store: store), keys: place.keys,
      files: POSIXFileSystem(), takesSnapshots: false)
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

  func keys(_ prefix: String) throws -> [String] { try place.keys(prefix) }

  func damage(in other: Library? = nil, isFull: Bool) throws -> [Damage] {
    var request = VerifyRequest()
    request.readsEverything = isFull
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
