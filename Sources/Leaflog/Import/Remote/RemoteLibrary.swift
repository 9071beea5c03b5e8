internal import BlobStorage
internal import DiaryCatalog
public import Foundation
internal import HTTPTransfer

/// A library behind a service, as the destination of imports from another machine: photos are prepared here, then sent
/// there and recorded. With a token that does not include the diary, the files themselves are sent and prepared there.
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
  /// Whether the token does not include the diary, so that files go as they are.
  public let takesFiles: Bool
  /// Whether the token is of the former extent `prepare`, with which photos could be prepared here.
  public let wasPrepare: Bool
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
    (takesFiles, wasPrepare) = (!rules.takesPrepared, rules.wasPrepare ?? false)
    self.clock = clock
  }
}

/// The rules of the service's library that the preparation depends on.
private struct Rules: Decodable {
  let timeZone: String
  let dayEnd: Int
  let policy: String
  let maxFileByteCount: Int
  let takesPrepared: Bool
  let wasPrepare: Bool?
}

extension RemoteLibrary: ImportDestination {
  var width: Int { 4 }
  var maxBatchCount: Int { 1 }
  var present: Present { Present(clock: clock.now, after: serviceTime) }

  func maxFileByteCount() throws(LeaflogError) -> Int { maxByteCount }

  func begin(isDryRun: Bool) {}

  func end(afterWorkOf duration: Duration) {}

  func known(of file: FileFingerprint) -> KnownPhoto? { nil }

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

  func write(_ batch: ImportBatch) throws -> [FileOutcome] {
    try zip(batch.files, batch.readmits).map { file, readmits in
      switch file.content {
      case .known(let photo) where !photo.isDeleted: return file.outcome(.duplicate(photo.id))
      case .known(let photo) where !readmits: return file.outcome(.inTrash(photo.id))
      case .known(let photo):
        try client.send(.post, "entries/restore", RestoredEntries(ids: [photo.id.description]))
        return file.outcome(.restored(photo.id))
      case .new(let photo):
        guard let sending = file.sending else {
          return try send(photo, readmits, batch.change, file)
        }
        return try send(sending, batch.change, file)
      }
    }
  }

  private struct RestoredEntries: Encodable {
    let ids: [String]
  }

  /// Sends a photo that was prepared here.
  private func send(
    _ photo: NewPhoto, _ readmits: Bool, _ change: OpenChange, _ file: PreparedFile
  ) throws -> FileOutcome {
    var form = FormBody()
    form.add(
      "photo",
      try JSONEncoder().encode(PreparedPhoto(photo, readmits: readmits, batch: change.token)))
    for blob in file.blobs { form.add(blob.id.hex, Data(blob.bytes), fileName: blob.id.hex) }
    let answer = try client.json(
      Answer.self, .put, "sources/\(photo.sourceDigest.hex)", body: form.finished,
      mediaType: form.mediaType)
    return try outcome(answer, of: file)
  }

  /// Removes a file whose photo is in the service's library.
  ///
  /// A photo that this import has added was hashed and synced by the service. The original of an older one is fetched
  /// and hashed, as the service may have a compressed copy alone, or a damaged one.
  func remove(_ file: ScannedFile, of photo: EntryID, _ outcome: FileOutcome) throws -> Bool {
    let digest = try FileReader(file.path).hash()
    guard try file.isUnchanged,
      let known = try client.present(Known.self, "sources/\(digest.hex)/send", .post),
      known.deletedAt == nil, known.id == photo.description
    else { return false }
    guard try outcome.isAdded || client.digest("photos/\(photo)/original") == digest.bytes else {
      return false
    }
    try file.remove(by: POSIXFileSystem())
    return true
  }
}

/// Sending files as they are, with a token that does not include the diary.
extension RemoteLibrary {
  /// The size of the pieces of a large file, in bytes: a lost connection costs no more than one.
  private static let pieceByteCount = 8 << 20
  /// The longest query of a file that is sent whole. Servers take requests of at least 8,000 bytes (RFC 9112, 3).
  private static let maxQueryByteCount = 4000
  /// The number of pieces to send in a row without the service receiving more of the file, before giving up.
  private static let maxVainCount = 10

  /// Sends a file as it is, whole or in pieces.
  private func send(
    _ request: UploadRequest, _ change: OpenChange, _ file: PreparedFile
  ) throws -> FileOutcome {
    var request = request
    request.batch = change.token
    let reader = try FileReader(file.file.path)
    let query = try request.query
    guard reader.byteCount <= Self.pieceByteCount, query.utf8.count <= Self.maxQueryByteCount else {
      do { return try outcome(sendInPieces(reader, request), of: file) } catch let error
        as LeaflogError
      {
        // If the answer to the last piece was lost, the upload is gone, and the photo is there.
        guard error.code == .notFound, let digest = request.digest,
          let known = try known(withDigest: digest)
        else { throw error }
        return file.outcome(.duplicate(known.id))
      }
    }
    let bytes = try reader.read(0..<reader.byteCount)
    let (answer, _) = try client.taken(Answer.self, .post, "photos?\(query)", bytes)
    return try outcome(answer, of: file)
  }

  private struct Begun: Decodable { let id: String }

  private func sendInPieces(_ reader: FileReader, _ request: UploadRequest) throws -> Answer {
    let begun = try client.json(
      Begun.self, .post, "uploads", body: Data(UploadRequest.fields.json(request)))
    do { return try sendPieces(of: reader, request, to: begun.id) } catch {
      // It would count among the token's unfinished uploads for a week. If this fails, too, it does.
      _ = try? client.presence(of: Begun.self, "uploads/\(begun.id)", .delete)
      throw error
    }
  }

  private func sendPieces(
    of reader: FileReader, _ request: UploadRequest, to upload: String
  ) throws -> Answer {
    let total = reader.byteCount
    var (offset, farthest, vainCount) = (0, 0, 0)
    while vainCount < Self.maxVainCount {
      let piece = try reader.read(offset..<min(total, offset + Self.pieceByteCount))
      let range = piece.count == 0 ? "*" : "\(offset)-\(offset + piece.count - 1)"
      let (answer, next) = try client.taken(
        Answer.self, .put, "uploads/\(upload)", piece, range: "bytes \(range)/\(total)")
      guard answer.outcome == nil else { return answer }
      guard let next, (0...total).contains(next) else { break }
      vainCount = next > farthest ? 0 : vainCount + 1
      (offset, farthest) = (next, max(next, farthest))
    }
    throw LeaflogError(.failed, "The service did not take the pieces of \(request.name).")
  }

  /// The service's outcome of a file.
  fileprivate struct Answer: Decodable {
    let outcome: String?
    let reason: String?
    let message: String?
    let photo: String?
    let plant: String?
    let capturedAt: String?
    let captureSource: String?
    let storedByteCount: Int?
    let warnings: [String]?

    /// A moment in UTC has no local time unless one is said.
    var time: RecordedTime? {
      guard let capturedAt, let time = RecordedTime(capturedAt) else { return nil }
      guard capturedAt.hasSuffix("Z"), case .zoned(let wall, let offset) = time else { return time }
      return .instant(wall.timestamp(offset: offset))
    }
  }

  private func outcome(_ answer: Answer, of file: PreparedFile) throws -> FileOutcome {
    let sourceByteCount = file.file.fingerprint.byteCount
    func result() -> FileOutcome.Result? {
      let photo = answer.photo.map { EntryID(stored: $0) }
      switch answer.outcome {
      case "added" where file.sending == nil:
        guard let photo, case .added(let added) = file.outcome(.added(photo)).result else {
          return nil
        }
        return .added(added)
      case "added":
        guard let photo, let time = answer.time,
          let source = answer.captureSource.flatMap(CaptureSource.init)
        else { return nil }
        return .added(
          ImportedPhoto(
            id: photo, plantName: answer.plant,
            time: EntryTime(time, in: timeZone, dayEnd: dayEnd), captureSource: source,
            sourceByteCount: sourceByteCount, storedByteCount: max(0, answer.storedByteCount ?? 0)))
      case "duplicate": return photo.map { .duplicate($0) }
      case "restored": return photo.map { .restored($0) }
      case "updated": return photo.map { .updated($0) }
      case "skipped": return answer.reason.flatMap(SkipReason.init).map { .skipped($0) }
      case "failed":
        return answer.reason.flatMap(FailureReason.init).map {
          .failed($0, message: answer.message ?? "")
        }
      default: return nil
      }
    }
    guard let result = result() else {
      throw LeaflogError(
        .failed, "The service said “\(answer.outcome ?? "nothing")” of the photo.")
    }
    return FileOutcome(
      path: file.file.displayPath, result: result,
      warnings: (answer.warnings ?? []).compactMap(ImportWarning.init),
      sourceByteCount: sourceByteCount)
  }
}

extension UploadRequest {
  /// Everything but its size as the query of a URL (RFC 3986, 2.3).
  fileprivate var query: String {
    get throws {
      var request = self
      request.byteCount = nil
      let values = try JSONDecoder().decode(
        [String: String?].self, from: Data(Self.fields.json(request)))
      let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
      return values.sorted { $0.key < $1.key }.compactMap { name, value in
        value?.addingPercentEncoding(withAllowedCharacters: unreserved).map { "\(name)=\($0)" }
      }.joined(separator: "&")
    }
  }
}
