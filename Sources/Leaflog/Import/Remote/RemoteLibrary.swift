internal import BlobStorage
internal import DiaryCatalog
public import Foundation
internal import HTTPTransfer

/// A library behind a service, as the destination of imports from another machine: photos are prepared here, then sent
/// there and recorded.
///
/// Photos that the library already has are not sent. To complete an interrupted import, run it again.
public struct RemoteLibrary: LibraryTime, Sendable {
  /// The library's time zone.
  public let timeZone: TimeZone
  public let unknownTimeZone: String?
  public let clock: WallClock
  /// The service's clock when it was first asked, if it said.
  private let serviceTime: Timestamp?
  public let dayEnd: Int
  let policy: StoragePolicy
  private let client: ServiceClient
  private let maxByteCount: Int

  /// Asks the service for the library's settings.
  ///
  /// - Parameters:
  ///   - address: the service's address, such as `https://diary.example.org`.
  ///   - token: an access token; nil if the service needs none.
  ///   - authorities: the path of a PEM file with the authority of the service's certificate; nil means the system's
  ///     authorities.
  /// - Throws: `LeaflogError` with code `invalidRequest` for an address that is not a URL, `refused` when the token is
  ///   not accepted or the server is not a Leaflog service of this version, and `unreachable` when it does not answer.
  public init(
    _ address: String, token: String?, authorities: String? = nil, clock: WallClock = .system
  ) throws(LeaflogError) {
    client = try ServiceClient(address, token: token, authorities: authorities)
    let (rules, time) = try client.jsonAndTime(Rules.self, "sending")
    serviceTime = time
    guard let policy = StoragePolicy(rawValue: rules.policy) else {
      throw LeaflogError(.refused, "\(address) is not a Leaflog service of this version.")
    }
    (timeZone, dayEnd) = (TimeZone(identifier: rules.timeZone) ?? .gmt, rules.dayEnd)
    unknownTimeZone = TimeZone(identifier: rules.timeZone) == nil ? rules.timeZone : nil
    (self.policy, maxByteCount) = (policy, rules.maxFileByteCount)
    self.clock = clock
  }
}

/// The rules of the service's library that the preparation depends on.
private struct Rules: Decodable {
  let timeZone: String
  let dayEnd: Int
  let policy: String
  let maxFileByteCount: Int
}

extension RemoteLibrary: ImportDestination {
  var width: Int { 4 }
  var maxBatchCount: Int { 1 }
  var present: Present { Present(clock: clock.now, after: serviceTime) }

  func maxFileByteCount() throws(LeaflogError) -> Int { maxByteCount }

  func begin(isDryRun: Bool) {}

  func known(of file: FileFingerprint) -> KnownPhoto? { nil }

  func isClaimed(_ digest: BlobID) -> Bool { false }

  /// The service finds out when it has the photo.
  func known(withPicture picture: BlobID, of time: RecordedTime?) -> PictureMatch { .noPhoto }

  /// No photo of the service is found by its picture.
  func copy(of photo: KnownPhoto) -> Rendition? { nil }

  private struct Known: Decodable {
    let id: String
    let deletedAt: String?
  }

  func known(withDigest digest: BlobID) throws -> KnownPhoto? {
    let (isThere, known) = try client.presence(of: Known.self, "sources/\(digest.hex)")
    guard isThere else { return nil }
    return KnownPhoto(
      elsewhere: known.map { EntryID(stored: $0.id) } ?? EntryID(sourceDigest: digest),
      isDeleted: known?.deletedAt != nil)
  }

  func plant(ofFolder folder: String) throws -> String? {
    struct Found: Decodable { let name: String }
    struct Plants: Decodable { let items: [Found] }
    let allowed = CharacterSet.urlQueryAllowed.subtracting(CharacterSet(charactersIn: "&+"))
    guard let name = folder.addingPercentEncoding(withAllowedCharacters: allowed) else {
      return nil
    }
    do throws(LeaflogError) {
      return try client.json(Plants.self, .get, "plants?folder=\(name)").items.first?.name
    } catch {
      // A token that only sends may not ask.
      guard error.code != .unreachable else { throw error }
      return nil
    }
  }

  func write(_ batch: ImportBatch) throws -> [RecordOutcome] {
    try zip(batch.files, batch.readmits).map { file, readmits in
      switch file.content {
      case .known(let photo) where !photo.isDeleted: return .duplicate(photo.id)
      case .known(let photo) where !readmits: return .inTrash(photo.id)
      case .known(let photo):
        try client.send(.post, "entries/restore", RestoredEntries(ids: [photo.id.description]))
        return .restored(photo.id)
      case .new(let photo): return try send(photo, file, readmits, batch.change)
      }
    }
  }

  private struct RestoredEntries: Encodable {
    let ids: [String]
  }

  private struct Outcome: Decodable {
    let outcome: String
    let reason: String?
    let photo: String?
    let warnings: [String]?
  }

  private func send(
    _ photo: NewPhoto, _ file: PreparedFile, _ readmits: Bool, _ change: OpenChange
  ) throws -> RecordOutcome {
    var form = FormBody()
    form.add(
      "photo",
      try JSONEncoder().encode(PreparedPhoto(photo, readmits: readmits, batch: change.token)))
    for blob in file.blobs { form.add(blob.id.hex, Data(blob.bytes), fileName: blob.id.hex) }
    let answer = try client.json(
      Outcome.self, .put, "sources/\(photo.sourceDigest.hex)", body: form.finished,
      mediaType: form.mediaType)
    let id = EntryID(sourceDigest: photo.sourceDigest)
    let known = answer.photo.map { EntryID(stored: $0) } ?? id
    switch answer.outcome {
    case "added": return .added(known)
    case "restored": return .restored(known)
    case "updated": return .confirmed(known)
    case "duplicate":
      let isOutdated = answer.warnings?.contains(ImportWarning.otherMetadata.rawValue) == true
      return isOutdated ? .outdated(known, .otherMetadata) : .duplicate(known)
    case "skipped":
      return answer.reason == SkipReason.claimedBefore.rawValue ? .claimedBefore(id) : .inTrash(id)
    default: throw LeaflogError(.failed, "The service said “\(answer.outcome)” of the photo.")
    }
  }

  /// Removes a file whose photo is in the service's library.
  ///
  /// A photo that this import has added was hashed and synced by the service. The original of an older one is fetched
  /// and hashed, as the service may have a compressed copy alone, or a damaged one.
  func remove(_ file: ScannedFile, _ outcome: RecordOutcome) throws -> Bool {
    let digest = try FileReader(file.path).hash()
    guard try file.isUnchanged,
      let known = try client.present(Known.self, "sources/\(digest.hex)/send", .post),
      known.deletedAt == nil, known.id == outcome.photo.description
    else { return false }
    let isNew = if case .added = outcome { true } else { false }
    guard try isNew || client.digest("photos/\(outcome.photo)/original") == digest.bytes else {
      return false
    }
    try file.remove(by: POSIXFileSystem())
    return true
  }
}
