internal import BlobStorage
internal import Foundation
internal import Glibc
internal import SystemPackage

/// The files and folders in a folder that do not belong to the folder's owner.
struct OthersFiles {
  /// The names of some of them, relative to the folder.
  private(set) var names: [String] = []
  private(set) var count = 0
  /// The folder's owner: its name, or its number.
  let owner: String
  /// The command by which root gives them to the folder's owner and group.
  let command: String
  private let user: uid_t

  private static let nameLimit = 3

  /// Looks through a folder. Folders that cannot be read are left out, and symbolic links are not followed.
  ///
  /// - Parameter isMeant: whether to look at a file or folder directly in the folder, by its name.
  init(in folder: FilePath, where isMeant: (String) -> Bool) throws(Errno) {
    var status = stat()
    guard folder.withPlatformString({ stat($0, &status) }) == 0 else {
      throw Errno(rawValue: errno)
    }
    user = status.st_uid
    let names = (
      getpwuid(status.st_uid).map { String(cString: $0.pointee.pw_name) },
      getgrgid(status.st_gid).map { String(cString: $0.pointee.gr_name) }
    )
    owner = names.0 ?? "\(status.st_uid)"
    let quoted = folder.resolvedAsFarAsThere.string.replacingOccurrences(of: "'", with: "'\\''")
    command = "chown -R \(owner):\(names.1 ?? "\(status.st_gid)") '\(quoted)'"
    for item in (try? DirectoryItem.list(folder)) ?? [] where isMeant(item.text) {
      look(at: folder.appending(item.text), name: item.text)
    }
  }

  private mutating func look(at path: FilePath, name: String) {
    var status = stat()
    // A file that has been removed meanwhile is left out.
    guard path.withPlatformString({ lstat($0, &status) }) == 0 else { return }
    // A backup's blob may be that of the library as well, by a hard link.
    let isFolder = status.st_mode & S_IFMT == S_IFDIR
    if status.st_uid != user, isFolder || status.st_nlink == 1 {
      count += 1
      if names.count < Self.nameLimit { names.append(name) }
    }
    guard isFolder else { return }
    for item in (try? DirectoryItem.list(path)) ?? [] {
      look(at: path.appending(item.text), name: "\(name)/\(item.text)")
    }
  }
}
