internal import Leaflog
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// Runs calls of the library on threads that may block. All of them see and change only what a scope includes.
struct LibraryAccess: Sendable {
  private let parts: Parts
  private let current: CurrentLibrary
  let scope: AccessScope
  /// Begins the keys of cached answers, which depend on the scope.
  private let cacheKey: String
  /// Where calls that only read run.
  private let readers: NIOThreadPool

  init(_ library: Library) throws(LeaflogError) {
    parts = try Parts(library)
    (current, scope, cacheKey, readers) = (parts.whole, .everything, "", .singleton)
  }

  private init(_ other: LibraryAccess, _ scope: AccessScope, _ readers: NIOThreadPool) {
    (parts, self.scope, self.readers) = (other.parts, scope, readers)
    current = scope.seesAll ? other.parts.whole : other.parts.current(scope)
    cacheKey = scope.seesAll ? "" : "\(scope.plant?.description ?? "plants") "
  }

  /// The same library for somebody with less access.
  func limited(to scope: AccessScope) -> LibraryAccess {
    scope == self.scope ? self : LibraryAccess(self, scope, readers)
  }

  /// The same library for calls that read much of it, such as searches. Others do not wait for them, unless the library is
  /// open for reading only, by a single connection.
  var long: LibraryAccess { LibraryAccess(self, scope, parts.longReaders) }

  /// Runs a call that only reads, with the library's current settings.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (Library) throws -> Value
  ) async throws -> Value {
    try await readers.runIfActive { [current] in try body(current.library()) }
  }

  /// Runs a call that only reads and depends on nothing but the catalog, unless the answer to the request is cached.
  ///
  /// - Parameter request: everything that the answer depends on.
  func read(
    knownAs request: String, _ body: @escaping @Sendable (Library) throws -> String
  ) async throws -> ByteBuffer {
    try await parts.answers.answer(to: cacheKey + request) {
      let text = ByteBuffer(string: try await read(body))
      return (text, text.readableBytes)
    }
  }

  /// The library as of the last commit. The catalog is read only if there has been a commit since the last call, and the disk
  /// is looked at only once a second.
  func present() async throws -> PresentLibrary {
    if let known = current.known { return known }
    return try await readers.runIfActive { [current] in try current.present(isFresh: false) }
  }

  /// A page that depends on nothing but the catalog and its key, unless it is kept.
  ///
  /// - Parameter make: returns the page, and whether its key is still the same.
  func page(
    _ key: PageKey,
    _ make: @escaping @Sendable (PresentLibrary) throws -> (page: KeptPage?, isSame: Bool)
  ) async throws -> KeptPage? {
    try await parts.pages.answer(to: key.text) { [current, readers] in
      let (page, isSame) = try await readers.runIfActive {
        try make(current.present(isFresh: true))
      }
      return (page, isSame ? page?.byteCount ?? 0 : nil)
    }
  }

  /// Runs a call that writes.
  func write<Value: Sendable>(
    _ body: @escaping @Sendable (Library) throws -> Value
  ) async throws -> Value {
    try await parts.writer.runIfActive { [current] in try body(current.library()) }
  }

  /// Runs work that waits for a disk, but not for a lock of the library.
  func block(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await parts.background.run(body)
  }

  /// Begins what is sent, once it is sure that the scope's plant, if it has one, is still there.
  func begin<Value: Sendable>(
    _ body: @escaping @Sendable (Library) throws -> Value
  ) async throws -> Value {
    try await write { [scope] library in
      if let plant = scope.plant { _ = try library.plants.reference(plant) }
      return try body(library)
    }
  }

  /// Imports a photo that has been received completely. It goes to the scope's plant, if that has one.
  ///
  /// - Parameter sender: the token that it came with, if any.
  /// - Returns: its outcome, and the number of the change that it is a part of; nil when nothing changed.
  func take(
    _ upload: Upload, from sender: SenderToken?, origin: String
  ) async throws -> (FileOutcome, change: Int64?) {
    let (plant, readmits) = (scope.plant, scope.includes(.writeDiary))
    let (library, upload) = try await whole { [parts] library in
      var request = upload.request
      request.readmits = readmits
      if let plant { request.plant = try library.plants.reference(plant).name }
      let taking = try library.serving(parts.request(origin, from: sender))
      return (taking, upload.with(request))
    }
    return (try await parts.importer.take(upload, in: library), library.history.lastChange)
  }

  /// Records a photo that was prepared on another machine.
  ///
  /// - Returns: the same as `take(_:from:origin:)`.
  func take(
    _ upload: PreparedUpload, from sender: SenderToken?, origin: String
  ) async throws -> (FileOutcome, change: Int64?) {
    let library = try await whole { [parts] in
      try $0.serving(parts.request(origin, from: sender))
    }
    return (try await parts.importer.take(upload, in: library), library.history.lastChange)
  }

  /// Puts the photos that came by a token into the trash.
  ///
  /// - Returns: the number of the change; nil when there were none.
  func deleteSent(by token: AccessToken, origin: String) async throws -> Int64? {
    try await write { library in
      let library = try library.serving(ClientRequest(origin: origin))
      try library.photos.deleteSent(by: token.id)
      return library.history.lastChange
    }
  }

  /// Whether there is a photo of a file anywhere in the library.
  func knows(_ digest: BlobID) async throws -> Bool {
    try await NIOThreadPool.singleton.runIfActive { [parts] in
      try parts.whole.library().uploads.known(digest) != nil
    }
  }

  /// Runs a call on the whole library: what is imported is compared with everything there is.
  private func whole<Value: Sendable>(
    _ body: @escaping @Sendable (Library) throws -> Value
  ) async throws -> Value {
    try await parts.writer.runIfActive { [parts] in try body(parts.whole.library()) }
  }

  /// Stops the threads once the calls in progress have finished.
  func stop() async throws {
    try await parts.writer.shutdownGracefully()
    try await parts.longReaders.shutdownGracefully()
    try await parts.previews.stop()
    try await parts.background.stop()
  }

  /// A picture of the photo with this id or unambiguous prefix of it.
  ///
  /// - Parameter packed: whether a packed original is wanted as it is stored, as JPEG XL.
  func picture(
    _ kind: PictureFile.Kind, of id: String, packed: Bool
  ) async throws -> FileAnswer {
    switch kind {
    case .thumbnail:
      try await parts.thumbnails.answer(to: cacheKey + id) {
        let file = try await read {
          FileAnswer(try $0.photos.file(.thumbnail, of: $0.photos.find(matching: id)))
        }
        return (file, file.byteCount)
      }
    case .original where packed:
      try await read { library in
        let photo = try library.photos.find(matching: id)
        return FileAnswer(
          try library.photos.file(kind, of: photo, packed: true), named: photo.originalName)
      }
    case .original: try await made(kind, of: read { try $0.photos.find(matching: id) })
    case .preview:
      try await preview(
        read { library in
          let photo = try library.photos.find(matching: id)
          return (photo, try library.photos.keptPreviewFile(of: photo))
        })
    }
  }

  /// One that has been made before does not wait for the memory to make another.
  private func preview(_ found: (photo: Photo, kept: PictureFile?)) async throws -> FileAnswer {
    if let kept = found.kept { return FileAnswer(kept) }
    return try await made(.preview, of: found.photo)
  }

  private func made(_ kind: PictureFile.Kind, of photo: Photo) async throws -> FileAnswer {
    FileAnswer(
      try await parts.previews.picture(kind, of: photo, in: parts.library),
      named: kind == .original ? photo.originalName : nil)
  }
}

extension LibraryAccess {
  /// The threads, caches and connections, which all scopes share.
  private final class Parts: Sendable {
    let library: Library
    let importer: UploadImporter
    let background = BackgroundThreads(count: 2 * System.coreCount)
    let previews = PreviewMaker()
    /// Writes run one after the other: SQLite allows only one at a time, and a write that waits for another process takes
    /// no thread from the readers.
    let writer: NIOThreadPool
    /// They leave cores, and connections to the catalog, to the other readers.
    let longReaders = NIOThreadPool(numberOfThreads: min(max(1, System.coreCount / 2), 2))
    let answers: AnswerCache<ByteBuffer>
    let pages: AnswerCache<KeptPage?>
    let thumbnails: AnswerCache<FileAnswer>
    let whole: CurrentLibrary
    /// Reads its file once as long as that does not change.
    private let tokens: LibraryTokens
    private let lastCommit: @Sendable () -> CommitMark?
    private let limited = Mutex<[PlantID?: CurrentLibrary]>([:])

    init(_ library: Library) throws(LeaflogError) {
      self.library = library
      tokens = library.tokens
      importer = UploadImporter(on: background)
      lastCommit = try library.history.commitWatch()
      whole = CurrentLibrary(lastCommit) { library }
      answers = AnswerCache(byteCount: 8 << 20, lastCommit: lastCommit)
      pages = AnswerCache(byteCount: 8 << 20, lastCommit: lastCommit)
      thumbnails = AnswerCache(byteCount: 32 << 20, lastCommit: lastCommit)
      writer = NIOThreadPool(numberOfThreads: 1)
      writer.start()
      longReaders.start()
    }

    /// The request that a photo comes with.
    func request(_ origin: String, from sender: SenderToken?) -> ClientRequest {
      ClientRequest(
        origin: origin, sender: sender, condition: sender.map { .isValid($0, in: tokens) })
    }

    /// The library as far as a scope sees it: all plants, or one. There are no more of them than tokens.
    func current(_ scope: AccessScope) -> CurrentLibrary {
      limited.withLock { limited in
        if let known = limited[scope.plant] { return known }
        let current = CurrentLibrary(lastCommit) { [library] in try library.limited(to: scope) }
        limited[scope.plant] = current
        return current
      }
    }
  }
}

/// The library as of a commit.
struct PresentLibrary: Sendable {
  /// Nil while it cannot be read.
  let commit: CommitMark?
  let library: Library
  /// The time of its latest change.
  let latestChange: Timestamp?
  let isOnReadOnlyDisk: Bool
  /// The time at which the disk was looked at.
  fileprivate let checkedAt: ContinuousClock.Instant
}

/// The library with its present settings, which are read once a commit.
private final class CurrentLibrary: Sendable {
  private let lastCommit: @Sendable () -> CommitMark?
  private let make: @Sendable () throws -> Library
  private let last = Mutex<PresentLibrary?>(nil)
  private let opened = Mutex<Library?>(nil)

  /// - Parameter make: makes the library when it is first asked for, as connections may have to be opened.
  init(
    _ lastCommit: @escaping @Sendable () -> CommitMark?,
    make: @escaping @Sendable () throws -> Library
  ) { (self.lastCommit, self.make) = (lastCommit, make) }

  func library() throws -> Library {
    // Before the settings are read: a commit in the meantime makes them stale.
    let commit = lastCommit()
    return try known(at: commit)?.library ?? read(at: commit).library
  }

  /// The library, if there has been no commit since it was last read and its disk was looked at a moment ago.
  var known: PresentLibrary? {
    known(at: lastCommit()).flatMap { .now - $0.checkedAt < .seconds(1) ? $0 : nil }
  }

  private func known(at commit: CommitMark?) -> PresentLibrary? {
    guard let commit else { return nil }
    return last.withLock { $0.flatMap { $0.commit == commit ? $0 : nil } }
  }

  /// - Parameter isFresh: whether to look at the disk in any case.
  func present(isFresh: Bool) throws -> PresentLibrary {
    let commit = lastCommit()
    if !isFresh, let known { return known }
    return try read(at: commit)
  }

  private func read(at commit: CommitMark?) throws -> PresentLibrary {
    let known = known(at: commit)
    let library = try known?.library ?? original().refreshed()
    let present = PresentLibrary(
      commit: commit, library: library,
      latestChange: try known.map(\.latestChange) ?? library.latestChange,
      isOnReadOnlyDisk: library.isOnReadOnlyDisk, checkedAt: .now)
    last.withLock { $0 = present }
    return present
  }

  /// The library as it was first opened; its settings may be out of date.
  private func original() throws -> Library {
    try opened.withLock { opened in
      let library = try opened ?? make()
      opened = library
      return library
    }
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
