internal import Foundation
internal import Glibc

/// Results go to standard output, everything else to standard error.
enum Output {
  static func result(_ line: String) { write(line + "\n", to: STDOUT_FILENO) }

  static func error(_ line: String) { write(line + "\n", to: STDERR_FILENO) }

  /// Writes at once, so that a script which reads line by line gets each as it is done.
  static func write(_ text: String, to descriptor: CInt) {
    var text = text
    text.withUTF8 { write(UnsafeRawBufferPointer($0), to: descriptor) }
  }

  /// A document, to standard output.
  static func write(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { write($0, to: STDOUT_FILENO) }
  }

  private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) {
    var rest = bytes
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { exit(ExitStatus.failed.rawValue) }  // nobody reads any more
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }
}

/// Values as JSON: one line, keys in order, slashes as they are.
enum JSON {
  static func line(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else {
      preconditionFailure("what the command prints can be encoded")
    }
    return String(decoding: data, as: UTF8.self)
  }
}
