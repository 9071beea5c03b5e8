internal import SystemPackage

/// The rules for which folders a walk enters, and which of their entries it visits.
struct WalkRules: Sendable {
  /// Whether to follow symbolic links to folders; named ones are always followed.
  let followsLinks: Bool
  /// Whether to visit hidden names, and those that other programs keep for themselves.
  var takesAll = false
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

  /// The reason to pass over a file or folder found in a folder, judging by its name; nil when it is visited.
  func refusal(ofName name: String, isFolder: Bool) -> SkipReason? {
    takesAll ? nil : Self.refusal(ofName: name, isFolder: isFolder)
  }

  /// The same, for files that did not come from a folder.
  static func refusal(ofName name: String, isFolder: Bool) -> SkipReason? {
    let folded = name.lowercased()
    let isOthers =
      isFolder
      ? othersFolders.contains(folded) || othersFolderStarts.contains(where: folded.hasPrefix)
      : othersFileStarts.contains(where: folded.hasPrefix)
    return isOthers ? .otherProgram : name.hasPrefix(".") ? .hidden : nil
  }

  /// Folders in which other programs keep thumbnails, deleted files, old versions and files under way, in lower case.
  private static let othersFolders: Set<String> = [
    // Synology, QNAP, other network storage, and Samba's bin.
    "@eadir", "#recycle", "#snapshot", "@sharesnap", "@tmp", "@recycle", "@recently-snapshot",
    "@snapshot", "@transcode", ".@__thumb", ".@upload_cache", ".snapshot", ".snapshots",
    "~snapshot",
    ".zfs", ".recycle", "trashbox",
    // Windows.
    "$recycle.bin", "recycler", "recycled", "system volume information",
    // Linux and Android.
    "lost+found", ".trash", ".thumbnails", ".trashbin",
    // macOS.
    "__macosx", ".trashes", ".appledouble", ".temporaryitems", "temporary items",
    "network trash folder", ".documentrevisions-v100", ".spotlight-v100", ".fseventsd",
    // Syncthing, Resilio, Dropbox, Google Drive, MEGA, GoodSync, Nextcloud.
    ".stversions", ".stfolder", ".sync", ".syncarchive", ".dropbox.cache",
    ".tmp.drivedownload", ".tmp.driveupload", ".debris", "_gsdata_", "files_trashbin",
    "files_versions",
    // Picasa, ACDSee, digiKam, and other photo programs.
    ".picasaoriginals", "[originals]", ".dtrash", "thumbs", ".thumbs", "_thumbs", "thumbnails",
    "_thumbnails", ".thumb", ".thumbcache",
  ]
  /// The bins of single users, snapshots by their time, and the previews of Nextcloud.
  private static let othersFolderStarts = [".trash-", "@gmt-", "appdata_oc"]
  /// Files that Android's gallery has deleted or has not finished.
  private static let othersFileStarts = [".trashed-", ".pending-"]
}

/// Folders that the kernel generates, such as /proc: they hold no photos and may be endless. They are
/// recognised by the types of the mounted file systems, wherever those are mounted.
struct SystemPlaces: Sendable {
  private static let types: Set<Substring> = [
    "proc", "sysfs", "devtmpfs", "devpts", "cgroup", "cgroup2", "debugfs", "tracefs", "securityfs",
    "configfs", "bpf", "mqueue", "pstore", "efivarfs", "binfmt_misc", "fusectl", "selinuxfs",
    "nsfs",
    "rpc_pipefs",
  ]

  private let devices: Set<UInt64>
  /// `/dev`, which in containers is an ordinary file system in memory.
  private let dev = try? FileStatus("/dev")

  init() {
    devices = Set(MountTable().mounts.filter { Self.types.contains($0.type) }.map(\.device))
  }

  /// - Parameter status: the status of the path, with links followed.
  func contain(_ path: FilePath, _ status: FileStatus) -> Bool {
    if devices.contains(status.device) { return true }
    guard let dev, status.device == dev.device else { return false }
    if status.inode == dev.inode { return true }
    // Any program may keep files in the shared memory of /dev/shm.
    guard let path = try? path.resolved() else { return false }
    return path.starts(with: "/dev") && !path.starts(with: "/dev/shm")
  }
}
