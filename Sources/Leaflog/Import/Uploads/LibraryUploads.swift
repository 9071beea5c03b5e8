internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import SystemPackage

/// Photos that are sent piece by piece, such as over a network.
///
/// An upload that is kept can be gone on with after any interruption, in another process too, until a week
/// has passed since its last byte.
public struct LibraryUploads: LibraryFace {
  let library: Library

  /// In milliseconds.
  private static let keptFor: Int64 = 7 * 86_400_000
}

extension LibraryUploads {
  /// The photo of a file with these bytes, on the timeline or in the trash; nil when there is none.
  public func known(_ digest: BlobID) throws(LeaflogError) -> Entry? {
    try read { tables in
      try tables.photos.known(withDigest: digest).map {
        try tables.entries.find($0.id.description, of: .photo)
      }
    }
  }

  /// Begins an upload.
  ///
  /// - Parameter isKept: whether it outlives this value, to be gone on with.
  /// - Throws: `LeaflogError` with code `tooLarge` for a larger file than the library takes.
  public func begin(
    _ request: UploadRequest, isKept: Bool
  ) throws(LeaflogError) -> Upload {
    let maxByteCount = try library.settings.maxImportFileByteCount()
    if let byteCount = request.byteCount, byteCount > maxByteCount {
      throw .tooLarge(maxByteCount)
    }
    let request = try named(request)
    return try translating {
      let id = UploadID.random()
      try disk.makeFolder(layout.uploads)
      // The file first: a note without a file is no upload.
      let file = try GrowingFile(creating: path(of: id), disk.files)
      if isKept {
        try disk.write(JSONEncoder().encode(request), to: notePath(of: id))
        try file.sync()
      }
      return Upload(id: id, request: request, file: file, maxByteCount: maxByteCount)
    }
  }

  /// The request with its plant's name, where it has the plant's id.
  package func named(_ request: UploadRequest) throws(LeaflogError) -> UploadRequest {
    var request = request
    request.plant = try request.plant.map(plantName)
    return request
  }

  /// The name of the plant with this id. A new plant's name may be the start of another one's id, such as “Bee”.
  private func plantName(_ nameOrID: String) throws(LeaflogError) -> String {
    do {
      let known = try library.plants.reference(nameOrID)
      return known.id.description == nameOrID ? known.name : nameOrID
    } catch {
      guard [.notFound, .ambiguous].contains(error.code) else { throw error }
      return nameOrID
    }
  }

  /// The request of an upload, and how many of its bytes have come.
  ///
  /// - Throws: `LeaflogError` with code `notFound` when there is none with this id.
  public func look(
    at id: UploadID
  ) throws(LeaflogError) -> (request: UploadRequest, byteCount: Int) {
    try translating {
      guard let note = FileManager.default.contents(atPath: notePath(of: id).string),
        let status = try? FileStatus(path(of: id))
      else { throw LeaflogError(.notFound, "There is no upload \(id) any more.") }
      return (try JSONDecoder().decode(UploadRequest.self, from: note), status.byteCount)
    }
  }

  /// Goes on with an upload.
  ///
  /// - Throws: `LeaflogError` with code `notFound` when there is none with this id, and `locked` while
  ///   somebody else goes on with it.
  public func resume(_ id: UploadID) throws(LeaflogError) -> Upload {
    let (request, _) = try look(at: id)
    let maxByteCount = try library.settings.maxImportFileByteCount()
    return try translating {
      let file = try GrowingFile(extending: path(of: id), disk.files)
      return Upload(id: id, request: request, file: file, maxByteCount: maxByteCount)
    }
  }

  /// Removes an upload's file.
  public func remove(_ id: UploadID) throws(LeaflogError) {
    try translating {
      try disk.remove(notePath(of: id))
      try disk.remove(path(of: id))
    }
  }

  /// Removes what nobody goes on with: uploads whose last byte came a week ago, and those of processes that
  /// ended.
  public func sweep() throws(LeaflogError) {
    try translating {
      for name in try disk.directoryNames(layout.uploads) ?? [] {
        guard let id = UploadID(name), let status = try? FileStatus(path(of: id)) else { continue }
        let isKept = FileManager.default.fileExists(atPath: notePath(of: id).string)
        let age = moment.milliseconds - status.modifiedAt / 1_000_000
        if isKept, age < Self.keptFor { continue }
        // Somebody may be at it.
        guard try HeldLock(path(of: id)) != nil else { continue }
        try remove(id)
      }
    }
  }

  func path(of id: UploadID) -> FilePath { layout.uploads.appending(id.description) }

  private func notePath(of id: UploadID) -> FilePath {
    layout.uploads.appending(id.description + ".json")
  }
}
