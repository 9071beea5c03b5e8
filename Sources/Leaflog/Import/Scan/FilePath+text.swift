internal import DiaryModel
internal import Glibc
internal import SystemPackage

extension FileNameText {
  /// Whether there is a file or folder. A dangling link counts.
  package static func isThere(_ text: String) -> Bool {
    let path = FilePath(text: text)
    return (try? FileStatus(path)) != nil || FileStatus.isLink(path)
  }
}

extension FilePath.Component {
  /// The name for people, and for rules about names.
  var text: String {
    withPlatformString {
      FileNameText.text(of: UnsafeRawBufferPointer(start: $0, count: strlen($0)))
    }
  }
}

extension FilePath {
  /// The path of a text. A file with literally this name is preferred; otherwise, escapes in it stand for bytes.
  init(text: String) {
    self.init(text)
    guard FileNameText.isEscaped(text), (try? FileStatus(self)) == nil, !FileStatus.isLink(self)
    else { return }
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let first = rest.first {
      let byte = FileNameText.escaped(rest)
      // A path cannot contain NUL.
      bytes.append(byte == 0 ? first : byte ?? first)
      rest = rest.dropFirst(byte == nil || byte == 0 ? 1 : 4)
    }
    self = FilePath(bytes: bytes)
  }

  /// A path of these bytes, which must not contain NUL.
  init(bytes: [UInt8]) {
    self = bytes.map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { text in
      FilePath(platformString: Array(text) + [0])
    }
  }

  /// The bytes of the path, without the terminating NUL.
  var bytes: [UInt8] {
    withPlatformString { UnsafeRawBufferPointer(start: $0, count: strlen($0)).map { $0 } }
  }

  /// The absolute path, with links resolved.
  func resolved() throws(Errno) -> FilePath {
    guard let resolved = withPlatformString({ realpath($0, nil) }) else {
      throw Errno(rawValue: errno)
    }
    defer { free(resolved) }
    return FilePath(platformString: resolved)
  }
}
