internal import Foundation
internal import Glibc
internal import Hummingbird
internal import Leaflog

/// The folders of this machine that jobs may use: those named by the library's setting, and everything below them.
struct AllowedFolders {
  private let folders: [String]

  init(of library: Library) throws {
    folders = try library.settings.value(of: .serviceFolders).split(separator: ":").map(String.init)
  }

  /// The place that a path leads to, with links resolved.
  ///
  /// - Parameter mayBeNew: whether it is enough that the parent folder exists.
  /// - Throws: a problem when it is not below an allowed folder, whether or not anything exists there.
  func place(_ path: String, mayBeNew: Bool = false) throws -> String {
    guard !folders.isEmpty else {
      throw Problem(
        .forbidden, "This server may not use any folders: service.folders is empty.")
    }
    guard path.hasPrefix("/"), !path.utf8.contains(0) else {
      throw BodyReader.refusal("A path on the server's machine begins with /.")
    }
    let allowed = folders.compactMap(Self.resolved)
    if let place = Self.resolved(path) ?? (mayBeNew ? Self.newPlace(path) : nil) {
      if allowed.contains(where: { Self.contains($0, place) }) { return place }
    } else if (folders + allowed).contains(where: { Self.contains($0, path) }), !path.hasDotDot {
      throw LeaflogError(.notFound, "There is nothing at “\(shortened(path))”.")
    }
    throw Problem(
      .forbidden, "“\(shortened(path))” is not in any of the folders in service.folders.")
  }

  private static func contains(_ folder: String, _ path: String) -> Bool {
    folder == "/" || path == folder || path.hasPrefix(folder + "/")
  }

  /// A place that does not exist, in a folder that does.
  private static func newPlace(_ path: String) -> String? {
    let parts = path.split(separator: "/")
    guard let name = parts.last, name != "..", name != ".", !isLink(path),
      let above = resolved("/" + parts.dropLast().joined(separator: "/"))
    else { return nil }
    return above == "/" ? "/\(name)" : "\(above)/\(name)"
  }

  /// Whether the path is a link. Writing through a dangling one would create its target.
  private static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  private static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(validatingCString: resolved)
  }
}

extension String {
  fileprivate var hasDotDot: Bool { split(separator: "/").contains("..") }
}
