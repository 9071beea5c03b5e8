internal import Foundation
package import SystemPackage

/// A name in a folder.
package struct DirectoryItem: Sendable {
  /// Its bytes, with a NUL at their end.
  package let name: [CChar]
  /// `DT_LNK` and its like (readdir(3)).
  package let type: Int

  /// The name, repaired where it is no UTF-8.
  package var text: String {
    String(decoding: name.dropLast().lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// All names in a folder, without `.` and `..`, in no order.
  package static func list(_ folder: FilePath) throws(Errno) -> [DirectoryItem] {
    guard let directory = folder.withPlatformString({ opendir($0) }) else {
      throw Errno(rawValue: errno)
    }
    defer { closedir(directory) }
    var items: [DirectoryItem] = []
    while true {
      errno = 0
      guard let item = readdir(directory) else {
        if errno != 0 { throw Errno(rawValue: errno) }
        return items
      }
      let name = name(of: item)
      if name != [46, 0], name != [46, 46, 0] {
        items.append(DirectoryItem(name: name, type: Int(item.pointee.d_type)))
      }
    }
  }

  /// An item is as long as its name: `d_name` itself, whose type has 256 bytes, may end behind the buffer of the
  /// system's, and nothing may touch all of it.
  private static func name(of item: UnsafeMutablePointer<dirent>) -> [CChar] {
    guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else {
      preconditionFailure("a stored property has an offset")
    }
    let start = UnsafeRawPointer(item).advanced(by: offset).assumingMemoryBound(to: CChar.self)
    return Array(UnsafeBufferPointer(start: start, count: strlen(start) + 1))
  }
}
