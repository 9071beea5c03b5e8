internal import SystemPackage

/// The rules for which folders a walk enters, and which of their entries it visits.
struct WalkRules: Sendable {
  /// Enters folders that links lead to, beside those that were named.
  let followsLinks: Bool
  let systemPlaces = SystemPlaces()

  /// Why a folder is not entered; nil when it is. A library is entered when it was named itself.
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

  /// Whether a path leads to one of the files that a library is made of. Links are resolved in it.
  func isLibrarysOwn(_ path: FilePath) -> Bool {
    var folder = path
    while let name = folder.lastComponent {
      folder.removeLastComponent()
      if isOwn(String(decoding: name), in: folder) { return true }
    }
    return false
  }
}
