internal import SystemPackage

/// The rules for which folders a walk enters, and which of their entries it visits.
struct WalkRules: Sendable {
  /// Whether to follow symbolic links to folders; named ones are always followed.
  let followsLinks: Bool
  let systemPlaces = SystemPlaces()

  /// The reason not to enter a folder; nil when it is entered. A library is entered when it was named itself.
  func refusal(toEnter path: FilePath, _ status: FileStatus, isNamed: Bool) -> SkipReason? {
    if systemPlaces.contain(path, status) { return .system }
    return !isNamed && LibraryLayout(path).looksLikeLibrary ? .library : nil
  }

  /// The entries of a folder, without a library's own files.
  func entries(_ entries: [FolderEntry], in folder: FilePath) -> [FolderEntry] {
    guard LibraryLayout(folder).looksLikeLibrary else { return entries }
    return entries.filter { !LibraryLayout.isOwn($0.text) }
  }

  /// Whether a name in a folder is that of a library's own file.
  func isOwn(_ name: String, in folder: FilePath) -> Bool {
    LibraryLayout.isOwn(name) && LibraryLayout(folder).looksLikeLibrary
  }

  /// Whether a path, whose links are resolved, leads to one of a library's own files.
  func isLibrarysOwn(_ path: FilePath) -> Bool {
    var folder = path
    while let name = folder.lastComponent {
      folder.removeLastComponent()
      if isOwn(String(decoding: name), in: folder) { return true }
    }
    return false
  }
}
