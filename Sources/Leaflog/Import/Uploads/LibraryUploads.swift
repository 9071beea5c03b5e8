internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import SystemPackage

/// Photos that are uploaded in pieces, such as over a network.
///
/// A kept upload can be resumed after any interruption, even by another process, until a week after its
/// last byte.
package struct LibraryUploads: LibrarySection {
  let library: Library

  /// How long an upload can be resumed after its last byte, in milliseconds.
  private static let keptFor: Int64 = 7 * 86_400_000
}

extension LibraryUploads {
  /// The photo of a file with these bytes, on the timeline or in the trash; nil when there is none.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  package func known(_ digest: BlobID) throws(LeaflogError) -> Entry? {
    try read { tables in
      try tables.photos.known(withDigest: digest).map {
        try tables.entries.find($0.id.description, of: .photo)
      }
    }
  }

  /// Begins an upload.
  ///
  /// - Parameters:
  ///   - isKept: whether the upload outlives this value, so that it can be resumed.
  ///   - sender: whose kept uploads are limited together.
  /// - Throws: `LeaflogError` with code `tooLarge` for a file larger than the library accepts, and when too many of
  ///   the sender's uploads are unfinished; `noSpace` when it would take what is kept free for edits.
  package func begin(
    _ request: UploadRequest, isKept: Bool, sender: String = ""
  ) throws(LeaflogError) -> Upload {
    try begin(request, isKept: isKept, sender: sender, key: nil)
  }

  /// Begins an upload.
  ///
  /// - Parameter key: that of the client's request, for `begun(by:)`; nil without one.
  package func begin(
    _ request: UploadRequest, isKept: Bool, sender: String, key: ClientRequest.Key?
  ) throws(LeaflogError) -> Upload {
    try library.checkAlone()
    let maxByteCount = try library.settings.maxImportFileByteCount()
    if let byteCount = request.byteCount, byteCount > maxByteCount {
      throw .tooLarge(maxByteCount)
    }
    let request = try named(request)
    return try translating {
      let id = UploadID.random()
      try disk.makeFolder(layout.uploads)
      do { try checkRoom(for: request, isKept, sender) } catch {
        // Abandoned ones may be in the way.
        try sweep()
        try checkRoom(for: request, isKept, sender)
      }
      // The file comes first: a note without a file is not an upload.
      let file = try GrowingFile(creating: path(of: id), disk.files)
      do {
        if isKept {
          let origin = UploadOrigin(
            byteCount: request.byteCount ?? 0, sender: sender,
            request: key.map { .init(key: $0, at: moment.milliseconds) })
          try disk.write(origin.bytes, to: senderPath(of: id))
          try disk.write(UploadRequest.fields.json(request), to: notePath(of: id))
          try file.sync()
        }
      } catch {
        // A full disk keeps nothing of it.
        try remove(id)
        throw error
      }
      return Upload(id: id, request: request, file: file, maxByteCount: maxByteCount)
    }
  }

  private func checkRoom(
    for request: UploadRequest, _ isKept: Bool, _ sender: String
  ) throws {
    try UploadSpace.check(request.byteCount ?? 0, at: layout.uploads)
    if isKept { try UploadQuota.check(request.byteCount ?? 0, besides: sizes(of: sender)) }
  }

  /// The sizes of the files of a sender's kept uploads.
  private func sizes(of sender: String) throws -> [Int] {
    try (disk.directoryNames(layout.uploads) ?? []).compactMap { name in
      UploadID(name).flatMap { origin(of: $0) }.flatMap {
        $0.sender == sender ? $0.byteCount : nil
      }
    }
  }

  /// The origin of a kept upload; nil when there is none with this id.
  private func origin(of id: UploadID) -> UploadOrigin? {
    FileManager.default.contents(atPath: senderPath(of: id).string).flatMap { UploadOrigin($0) }
  }

  /// The kept upload that a request with this key has begun; nil when there is none any more.
  ///
  /// - Throws: `LeaflogError` with code `conflict` when the key came with another request.
  package func begun(by key: ClientRequest.Key) throws(LeaflogError) -> UploadID? {
    try translating {
      try disk.directoryNames(layout.uploads)?.lazy.compactMap { UploadID($0) }.first { id in
        // Without its note it was not begun.
        guard let former = origin(of: id)?.request,
          FileManager.default.fileExists(atPath: notePath(of: id).string)
        else { return false }
        return try key.isRepetition(
          of: former.key, from: Timestamp(milliseconds: former.at), now: moment)
      }
    }
  }

  /// Checks that an upload is the sender's own, unless a scope includes the whole diary.
  ///
  /// - Throws: `LeaflogError` with code `notFound`.
  package func check(
    _ id: UploadID, isOf sender: String, in scope: AccessScope
  ) throws(LeaflogError) {
    guard scope.includes(.writeDiary) || origin(of: id)?.sender == sender else {
      throw Self.unknown(id)
    }
  }

  private static func unknown(_ id: UploadID) -> LeaflogError {
    LeaflogError(.notFound, "There is no upload \(id) any more.")
  }

  /// The request with its plant's name instead of the plant's id, if it has that.
  package func named(_ request: UploadRequest) throws(LeaflogError) -> UploadRequest {
    var request = request
    request.plant = try request.plant.map(plantName)
    return request
  }

  /// The name of the plant with this id, or else the text itself. Only a full id counts, as a new plant's name, such
  /// as “Bee”, may be a prefix of an existing id.
  private func plantName(_ nameOrID: String) throws(LeaflogError) -> String {
    do {
      let known = try library.plants.reference(matching: nameOrID)
      return known.id.description == nameOrID ? known.name : nameOrID
    } catch {
      guard [.notFound, .ambiguous].contains(error.code) else { throw error }
      return nameOrID
    }
  }

  /// The request of an upload, and the number of bytes received.
  ///
  /// - Throws: `LeaflogError` with code `notFound` when there is none with this id.
  package func look(
    at id: UploadID
  ) throws(LeaflogError) -> (request: UploadRequest, byteCount: Int) {
    try translating {
      guard let note = FileManager.default.contents(atPath: notePath(of: id).string),
        let status = try? FileStatus(path(of: id))
      else { throw Self.unknown(id) }
      do {
        return (try UploadRequest.fields.read(JSONNode(parsing: Array(note))), status.byteCount)
      } catch {
        throw LeaflogError(.damaged, "The note about the upload \(id) cannot be read.")
      }
    }
  }

  /// Resumes an upload.
  ///
  /// - Throws: `LeaflogError` with code `notFound` when there is none with this id, and `locked` while
  ///   somebody else is writing it.
  package func resume(_ id: UploadID) throws(LeaflogError) -> Upload {
    let (request, _) = try look(at: id)
    let maxByteCount = try library.settings.maxImportFileByteCount()
    return try translating {
      let file = try GrowingFile(extending: path(of: id), disk.files)
      return Upload(id: id, request: request, file: file, maxByteCount: maxByteCount)
    }
  }

  /// Removes an upload.
  ///
  /// - Throws: `LeaflogError` when its files cannot be removed.
  package func remove(_ id: UploadID) throws(LeaflogError) {
    try translating {
      for path in [notePath(of: id), senderPath(of: id), path(of: id)] { try disk.remove(path) }
    }
  }

  /// Removes abandoned uploads: those whose last byte was received a week ago, and those that were not kept
  /// and whose process has ended.
  ///
  /// - Throws: `LeaflogError` when their files cannot be listed or removed.
  package func sweep() throws(LeaflogError) {
    try translating {
      for name in try disk.directoryNames(layout.uploads) ?? [] {
        guard let id = UploadID(name), let status = try? FileStatus(path(of: id)) else { continue }
        let isKept = FileManager.default.fileExists(atPath: notePath(of: id).string)
        let age = moment.milliseconds - status.modifiedAt / 1_000_000
        if isKept, age < Self.keptFor { continue }
        // Somebody may be writing it.
        guard try HeldLock(path(of: id)) != nil else { continue }
        try remove(id)
      }
    }
  }

  func path(of id: UploadID) -> FilePath { layout.uploads.appending(id.description) }

  /// The file that says how large an upload will be, whose it is, and which request has begun it.
  private func senderPath(of id: UploadID) -> FilePath {
    layout.uploads.appending(id.description + ".sender")
  }

  private func notePath(of id: UploadID) -> FilePath {
    layout.uploads.appending(id.description + ".json")
  }
}

/// The origin of a kept upload, in a file of its own: the size of the whole file in bytes, a space and the sender; on a
/// second line, if the request that began it had a key, its digests as JSON.
private struct UploadOrigin {
  struct KeyedRequest: Codable {
    let key: ClientRequest.Key
    /// Milliseconds since 1970.
    let at: Int64
  }

  let byteCount: Int
  let sender: String
  let request: KeyedRequest?

  init(byteCount: Int, sender: String, request: KeyedRequest?) {
    (self.byteCount, self.sender, self.request) = (byteCount, sender, request)
  }

  /// Nil for anything else.
  init?(_ file: Data) {
    let lines = file.split(separator: UInt8(ascii: "\n"), maxSplits: 1)
    let words = String(decoding: lines.first ?? Data(), as: UTF8.self)
      .split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard words.count == 2, let byteCount = Int(words[0]) else { return nil }
    self.init(
      byteCount: byteCount, sender: String(words[1]),
      request: lines.dropFirst().first.flatMap {
        try? JSONDecoder().decode(KeyedRequest.self, from: $0)
      })
  }

  var bytes: [UInt8] {
    get throws {
      Array("\(byteCount) \(sender)".utf8)
        + (try request.map { Array("\n".utf8) + (try JSONEncoder().encode($0)) } ?? [])
    }
  }
}
