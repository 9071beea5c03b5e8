public import Foundation

// Places other than the path of a folder.
extension Library {
  /// Whether a folder holds a library; false for an address that is not a file's.
  public static func exists(at folder: URL) -> Bool {
    folder.isFileURL && exists(at: folder.filePath)
  }

  /// Creates a library in a folder, as `create` with its path does.
  ///
  /// - Throws: `LeaflogError` with code `libraryExists` when there is one already, `readOnly` when the folder cannot be
  ///   written, `failed` when it cannot be made, such as below a file, and `invalidRequest` for an address that is not a
  ///   file's.
  public static func create(
    at folder: URL, _ settings: Settings = Settings(), clock: WallClock = .system,
    origin: String? = nil, keys: ObjectStoreKeys = ObjectStoreKeys()
  ) throws(LeaflogError) -> Library {
    try create(at: path(of: folder), settings, clock: clock, origin: origin, keys: keys)
  }

  /// Opens the library in a folder, as `open` with its path does.
  ///
  /// - Parameter origin: the origin of changes that the history shows, such as the program's name.
  /// - Throws: `LeaflogError` with code `noLibrary` when there is none, and `invalidRequest` for an address that is not a
  ///   file's.
  public static func open(
    at folder: URL, for access: Access = .writing, clock: WallClock = .system,
    origin: String? = nil, keys: ObjectStoreKeys = ObjectStoreKeys()
  ) throws(LeaflogError) -> Library {
    try open(at: path(of: folder), for: access, clock: clock, origin: origin, keys: keys)
  }

  private static func path(of folder: URL) throws(LeaflogError) -> String {
    guard folder.isFileURL else {
      throw .invalid("\(folder.absoluteString) is not the address of a folder on this machine.")
    }
    return folder.filePath
  }

  /// Creates a library for a test or a trial, and opens it for writing. Its folder is a new one among the system's
  /// temporary files, accessible to its owner only. The folder is removed when the library is closed, or when nothing
  /// refers to it any more. Snapshots of its catalog are taken only by `takeSnapshot`.
  ///
  /// - Parameters:
  ///   - settings: those of the library, whose photos are in its folder.
  ///   - clock: the source of its present time. A test sets it, and the settings' zone, so as not to depend on the day.
  /// - Throws: `LeaflogError` when the folder or the library cannot be made, and with code `invalidRequest` for settings
  ///   with an object store, where the photos would remain.
  public static func temporary(
    _ settings: Settings = Settings(), clock: WallClock = .system
  ) throws(LeaflogError) -> Library {
    guard settings.store == nil else {
      throw .invalid("The photos of a temporary library are in its folder, not in an object store.")
    }
    let folder = try ScratchFolder()
    let library = try create(at: folder.path, settings, clock: clock)
    return try translating { try Library(library, keeping: folder) }
  }
}

extension URL {
  /// The path of a file's address, absolute and not percent-encoded.
  fileprivate var filePath: String { absoluteURL.path(percentEncoded: false) }
}
