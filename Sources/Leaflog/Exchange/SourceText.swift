internal import DiaryModel
internal import Foundation

/// The bytes of a diary's file, and messages about places in it.
package struct SourceText: Sendable {
  /// The file's name, for messages.
  package let name: String
  /// The file's bytes in UTF-8, without a byte order mark.
  package let bytes: [UInt8]

  package init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes =
      bytes.starts(with: [0xEF, 0xBB, 0xBF])
      ? Array(bytes.dropFirst(3)) : Self.fromUTF16(bytes) ?? bytes
  }

  /// The text of a file in UTF-16, as Excel saves “Unicode text”; nil without its byte order mark.
  private static func fromUTF16(_ bytes: [UInt8]) -> [UInt8]? {
    let isLittle = bytes.starts(with: [0xFF, 0xFE])
    guard isLittle || bytes.starts(with: [0xFE, 0xFF]), bytes.count.isMultiple(of: 2) else {
      return nil
    }
    let units = stride(from: 2, to: bytes.count, by: 2).lazy.map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isLittle ? second << 8 | first : first << 8 | second
    }
    return String(validating: units, as: UTF16.self).map { Array($0.utf8) }
  }

  /// The error for a place in the file.
  func failure(
    at offset: Int, _ reason: String, _ code: LeaflogError.Code = .invalidRequest
  ) -> LeaflogError {
    let (line, column) = position(at: offset)
    return LeaflogError(code, "\(name), line \(line), column \(column): \(reason)")
  }

  /// The line and column of a byte, counted from 1. Lines end with CR, LF or both; columns count characters.
  package func position(at offset: Int) -> (line: Int, column: Int) {
    bytes.withUnsafeBufferPointer { bytes in
      let offset = min(offset, bytes.count)
      var (line, start, index) = (1, 0, 0)
      while index < offset {
        let byte = bytes[index]
        index += 1
        guard byte == 0x0A || byte == 0x0D else { continue }
        if byte == 0x0D, index < bytes.count, bytes[index] == 0x0A {
          // The LF of a pair belongs to the line that it ends.
          if index == offset { break }
          index += 1
        }
        (line, start) = (line + 1, index)
      }
      let before = UnsafeBufferPointer(rebasing: bytes[start..<offset])
      return (line, String(decoding: before, as: UTF8.self).count + 1)
    }
  }

  /// Checks that the file is UTF-8.
  ///
  /// - Throws: `LeaflogError` with the position of the first byte that is not.
  package func checkEncoding() throws(LeaflogError) {
    guard String(validating: bytes, as: UTF8.self) == nil else { return }
    let offset = Self.validCount(bytes)
    throw failure(
      at: offset,
      "the byte 0x\(String(bytes[offset], radix: 16, uppercase: true)) is no UTF-8. Save the file as "
        + "UTF-8; in Excel, as “CSV UTF-8”.")
  }

  /// The number of leading bytes that are well-formed UTF-8 (The Unicode Standard, table 3-7).
  private static func validCount(_ bytes: [UInt8]) -> Int {
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      let (count, second): (Int, ClosedRange<UInt8>) =
        switch byte {
        case 0...0x7F: (1, 0x80...0xBF)
        case 0xC2...0xDF: (2, 0x80...0xBF)
        case 0xE0: (3, 0xA0...0xBF)
        case 0xE1...0xEC, 0xEE...0xEF: (3, 0x80...0xBF)
        case 0xED: (3, 0x80...0x9F)
        case 0xF0: (4, 0x90...0xBF)
        case 0xF1...0xF3: (4, 0x80...0xBF)
        case 0xF4: (4, 0x80...0x8F)
        default: (0, 0x80...0xBF)
        }
      guard count > 0, index + count <= bytes.count else { return index }
      for place in 1..<max(count, 1) {
        let range = place == 1 ? second : 0x80...0xBF
        guard range.contains(bytes[index + place]) else { return index }
      }
      index += count
    }
    return min(index, max(bytes.count - 1, 0))
  }
}
