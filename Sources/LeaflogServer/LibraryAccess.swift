internal import Leaflog
internal import NIOCore
internal import NIOPosix

/// Calls of the library, on threads that may wait for a disk.
struct LibraryAccess: Sendable {
  private let library: Library
  private let previews = PreviewMaker()

  init(_ library: Library) { self.library = library }

  /// Runs a call that only reads.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (Library) throws -> Value
  ) async throws -> Value {
    try await NIOThreadPool.singleton.runIfActive { try body(library) }
  }

  /// A picture of the photo with this id or an unambiguous start of it.
  func picture(_ kind: PictureFile.Kind, of id: String) async throws -> PictureFile {
    guard kind != .thumbnail else {
      return try await read { try $0.photos.file(.thumbnail, of: $0.photos.find(id)) }
    }
    return try await previews.picture(kind, of: read { try $0.photos.find(id) }, in: library)
  }
}

/// Makes previews and unpacks originals, as many at a time as there are cores, since each takes a decoded
/// photo's memory, and each once, however many ask for it meanwhile.
private actor PreviewMaker {
  private struct Key: Hashable {
    let kind: PictureFile.Kind
    let photo: EntryID
  }

  private let threads = NIOThreadPool(numberOfThreads: System.coreCount)
  private var underWay: [Key: Task<PictureFile, any Error>] = [:]

  init() { threads.start() }

  deinit { threads.shutdownGracefully { _ in } }

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
