internal import Leaflog
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// Runs calls of the library on threads that may block.
struct LibraryAccess: Sendable {
  private let library: Library
  private let current: CurrentLibrary
  private let importer: UploadImporter
  private let background = BackgroundThreads(count: 2 * System.coreCount)
  private let previews = PreviewMaker()
  /// Writes run one after the other: SQLite allows only one at a time, and a write that waits for another process takes
  /// no thread from the readers.
  private let writer: NIOThreadPool
  private let pages: AnswerCache<NIOCore.ByteBuffer>
  private let thumbnails: AnswerCache<FileAnswer>

  init(_ library: Library) throws(LeaflogError) {
    self.library = library
    importer = UploadImporter(on: background)
    let lastCommit = try library.history.commitWatch()
    current = CurrentLibrary(library, lastCommit: lastCommit)
    pages = AnswerCache(byteCount: 8 << 20, lastCommit: lastCommit)
    thumbnails = AnswerCache(byteCount: 32 << 20, lastCommit: lastCommit)
    writer = NIOThreadPool(numberOfThreads: 1)
    writer.start()
  }

  /// Runs a call that only reads, with the library's current settings.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (Library) throws -> Value
  ) async throws -> Value {
    try await NIOThreadPool.singleton.runIfActive { try body(current.library()) }
  }

  /// Runs a call that only reads and depends on nothing but the catalog, unless the answer to the request is cached.
  ///
  /// - Parameter request: everything that the answer depends on.
  func read(
    knownAs request: String, _ body: @escaping @Sendable (Library) throws -> String
  ) async throws -> NIOCore.ByteBuffer {
    try await pages.answer(to: request) {
      let text = NIOCore.ByteBuffer(string: try await read(body))
      return (text, text.readableBytes)
    }
  }

  /// Runs a call that writes.
  func write<Value: Sendable>(
    _ body: @escaping @Sendable (Library) throws -> Value
  ) async throws -> Value {
    try await writer.runIfActive { try body(current.library()) }
  }

  /// Runs work that waits for a disk, but not for a lock of the library.
  func block(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await background.run(body)
  }

  /// Imports a photo that has been received completely.
  ///
  /// - Returns: its outcome, and the number of the change that it is a part of; nil when nothing changed.
  func take(_ upload: Upload, origin: String) async throws -> (FileOutcome, change: Int64?) {
    let library = try await write { try $0.serving(ClientRequest(origin: origin)) }
    return (try await importer.take(upload, in: library), library.history.lastChange)
  }

  /// Records a photo that was prepared on another machine.
  ///
  /// - Returns: the same as `take(_:origin:)`.
  func take(
    _ photo: PreparedPhoto, _ digest: BlobID, _ parts: [Upload], origin: String
  ) async throws -> (FileOutcome, change: Int64?) {
    let library = try await write { try $0.serving(ClientRequest(origin: origin)) }
    return (try await importer.take(photo, digest, parts, in: library), library.history.lastChange)
  }

  /// Stops the threads once the calls in progress have finished.
  func stop() async throws {
    try await writer.shutdownGracefully()
    try await previews.stop()
    try await background.stop()
  }

  /// A picture of the photo with this id or unambiguous prefix of it.
  ///
  /// - Parameter packed: whether a packed original is wanted as it is stored, as JPEG XL.
  func picture(
    _ kind: PictureFile.Kind, of id: String, packed: Bool
  ) async throws -> FileAnswer {
    switch kind {
    case .thumbnail:
      try await thumbnails.answer(to: id) {
        let file = try await read {
          FileAnswer(try $0.photos.file(.thumbnail, of: $0.photos.find(id)))
        }
        return (file, file.byteCount)
      }
    case .original where packed:
      try await read { library in
        let photo = try library.photos.find(id)
        return FileAnswer(
          try library.photos.file(kind, of: photo, packed: true), named: photo.originalName)
      }
    case .preview, .original:
      try await preview(kind, of: read { try $0.photos.find(id) })
    }
  }

  private func preview(_ kind: PictureFile.Kind, of photo: Photo) async throws -> FileAnswer {
    FileAnswer(
      try await previews.picture(kind, of: photo, in: library),
      named: kind == .original ? photo.originalName : nil)
  }
}

/// The library with its present settings, which are read once a commit.
private final class CurrentLibrary: Sendable {
  private let lastCommit: @Sendable () -> CommitMark?
  private let known: Mutex<(commit: CommitMark?, library: Library)>

  init(_ library: Library, lastCommit: @escaping @Sendable () -> CommitMark?) {
    self.lastCommit = lastCommit
    known = Mutex((nil, library))
  }

  func library() throws -> Library {
    // Before the settings are read: a commit in the meantime makes them stale.
    let commit = lastCommit()
    let former = known.withLock { $0 }
    if let commit, commit == former.commit { return former.library }
    let library = try former.library.refreshed()
    known.withLock { $0 = (commit, library) }
    return library
  }
}

/// Makes previews and unpacks originals: at most one per core at a time, since each takes the memory of a decoded
/// photo, and each only once, no matter how many requests ask for it meanwhile.
private actor PreviewMaker {
  private struct Key: Hashable {
    let kind: PictureFile.Kind
    let photo: EntryID
  }

  private let threads = NIOThreadPool(numberOfThreads: System.coreCount)
  private var underWay: [Key: Task<PictureFile, any Error>] = [:]

  init() { threads.start() }

  func stop() async throws { try await threads.shutdownGracefully() }

  func picture(
    _ kind: PictureFile.Kind, of photo: Photo, in library: Library
  ) async throws -> PictureFile {
    let key = Key(kind: kind, photo: photo.entry.id)
    if let task = underWay[key] { return try await task.value }
    let threads = threads
    let task = Task {
      try await threads.runIfActive { try library.photos.file(kind, of: photo) }
    }
    underWay[key] = task
    defer { underWay[key] = nil }
    return try await task.value
  }
}
