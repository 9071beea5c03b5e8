internal import Foundation
package import SystemPackage

/// An entry of a folder.
package struct DirectoryItem: Sendable {
  /// The bytes of its name, NUL-terminated.
  package let name: [CChar]
  /// Its type, such as `DT_LNK` (readdir(3)).
  package let type: Int

  /// The name, repaired where it is not valid UTF-8.
  package var text: String {
    String(decoding: name.dropLast().lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// All entries of a folder, without `.` and `..`, in no particular order.
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

  /// A `dirent` is only as long as its name: `d_name`, declared with 256 bytes, may extend past the end of the
  /// system's buffer, so it must never be read as a whole.
  private static func name(of item: UnsafeMutablePointer<dirent>) -> [CChar] {
    guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else {
      preconditionFailure("a stored property has an offset")
    }
    let start = UnsafeRawPointer(item).advanced(by: offset).assumingMemoryBound(to: CChar.self)
    return Array(UnsafeBufferPointer(start: start, count: strlen(start) + 1))
  }
}
