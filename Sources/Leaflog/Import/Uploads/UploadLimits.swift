internal import Foundation
internal import Glibc
package import SystemPackage

/// The space on a disk that uploads may use: what edits need is kept free.
enum UploadSpace {
  /// Kept free on a large disk, in bytes: enough for years of edits.
  private static let reservedByteCount = 64 << 20
  /// The share of a small disk that is kept free.
  private static let reservedShare = 20

  /// Checks that so many more bytes fit.
  ///
  /// - Parameter path: a file or folder on the disk.
  /// - Throws: `LeaflogError` with code `noSpace`.
  static func check(_ byteCount: Int, at path: FilePath) throws(LeaflogError) {
    // A file system that does not say how much is free shows it when it is written to.
    guard let space = DiskSpace(at: path) else { return }
    let reserved = min(reservedByteCount, space.total / reservedShare)
    guard space.free.addingSaturated(-byteCount) >= reserved else {
      throw LeaflogError(
        .noSpace,
        "The disk has too little room for photos: \(FileSize.text(reserved)) are kept free for edits. "
          + "Make room on the disk, and send the photo again.")
    }
  }
}

/// The space of a disk, in bytes.
package struct DiskSpace {
  package let free: Int
  package let total: Int
  /// Whether files can be created as far as their number is limited.
  let hasFiles: Bool

  /// Nil where the file system does not say it.
  ///
  /// - Parameter path: a file or folder on the disk.
  package init?(at path: FilePath) {
    var status = statvfs()
    guard statvfs(path.string, &status) == 0, status.f_blocks > 0 else { return nil }
    let blockByteCount = Int(status.f_frsize)
    free = Int(clamping: status.f_bavail).multipliedSaturated(by: blockByteCount)
    total = Int(clamping: status.f_blocks).multipliedSaturated(by: blockByteCount)
    hasFiles = status.f_files == 0 || status.f_favail > 0
  }
}

extension Int {
  fileprivate func multipliedSaturated(by other: Int) -> Int {
    let (product, isOver) = multipliedReportingOverflow(by: other)
    return isOver ? .max : product
  }
}

/// The limits on the uploads of one sender that are begun and not finished.
enum UploadQuota {
  /// More than a phone sends at a time.
  private static let count = 500
  /// The size of their whole files, in bytes.
  private static let byteCount = 16 << 30

  /// Checks that one more upload may begin.
  ///
  /// - Parameter sizes: those of the others, in bytes.
  /// - Throws: `LeaflogError` with code `tooLarge`.
  static func check(_ next: Int, besides sizes: [Int]) throws(LeaflogError) {
    let total = sizes.reduce(next) { $0.addingSaturated($1) }
    guard sizes.count < count, total <= byteCount else {
      throw LeaflogError(
        .tooLarge,
        "\(sizes.count) uploads are unfinished; at most \(count) with \(FileSize.text(byteCount)) may be. "
          + "Finish or cancel some of them first.")
    }
  }
}
