internal import Foundation
internal import Glibc

/// Parses a body of `multipart/form-data` (RFC 7578, RFC 2046 5.1) as it arrives, in pieces of any size.
///
/// It buffers no more than a part's headers or a delimiter.
package struct MultipartParser {
  package enum Event: Hashable, Sendable {
    case begin(PartHeaders)
    case bytes([UInt8])
    case end
  }

  /// A malformed body.
  package struct Malformed: Error {
    package let message: String
  }

  private enum State { case preamble, delimiter, headers, part, epilogue }

  /// The limit for the headers of one part, in bytes.
  private static let maxHeaderByteCount = 8192
  package static let maxPartCount = 1000

  private let delimiter: [UInt8]
  private var state = State.preamble
  /// Bytes received but not reported yet. The initial line break is for the first delimiter, which needs none.
  private var rest: [UInt8] = [13, 10]
  private var partCount = 0

  /// - Parameter boundary: the boundary of the content type.
  package init(boundary: String) { delimiter = Array("\r\n--\(boundary)".utf8) }

  /// Consumes the next bytes.
  ///
  /// - Returns: the events in them.
  package mutating func events(in bytes: some Sequence<UInt8>) throws(Malformed) -> [Event] {
    rest += bytes
    var (start, events) = (0, [Event]())
    while try step(&start, &events) {}
    rest.removeFirst(start)
    return events
  }

  /// - Throws: `Malformed` when the end is missing.
  package func finish() throws(Malformed) {
    guard state == .epilogue else { throw Malformed(message: "The form is incomplete.") }
  }

  /// - Returns: whether to continue with the remaining bytes.
  private mutating func step(
    _ start: inout Int, _ events: inout [Event]
  ) throws(Malformed) -> Bool {
    switch state {
    case .preamble:
      guard let found = position(of: delimiter, from: start) else {
        start = max(start, rest.count - delimiter.count + 1)
        return false
      }
      start = found + delimiter.count
      state = .delimiter
    case .delimiter:
      while start < rest.count, rest[start] == 32 || rest[start] == 9 { start += 1 }
      guard start + 2 <= rest.count else { return false }
      switch (rest[start], rest[start + 1]) {
      // The line break stays: it begins the empty line of a part without headers.
      case (13, 10): state = .headers
      case (45, 45): state = .epilogue
      default:
        throw Malformed(message: "A delimiter of the form is followed by unexpected characters.")
      }
    case .headers:
      guard let found = position(of: [13, 10, 13, 10], from: start) else {
        guard rest.count - start <= Self.maxHeaderByteCount else { throw Self.tooLong }
        return false
      }
      guard found - start <= Self.maxHeaderByteCount else { throw Self.tooLong }
      partCount += 1
      guard partCount <= Self.maxPartCount else {
        throw Malformed(message: "The form has more than \(Self.maxPartCount) parts.")
      }
      events.append(.begin(PartHeaders(rest[start..<found])))
      start = found + 4
      state = .part
    case .part: return readPart(&start, &events)
    case .epilogue:
      start = rest.count
      return false
    }
    return true
  }

  private mutating func readPart(_ start: inout Int, _ events: inout [Event]) -> Bool {
    let found = position(of: delimiter, from: start)
    let end = found ?? max(start, rest.count - delimiter.count + 1)
    if end > start { events.append(.bytes(Array(rest[start..<end]))) }
    start = end
    guard found != nil else { return false }
    events.append(.end)
    start += delimiter.count
    state = .delimiter
    return true
  }

  private static let tooLong = Malformed(message: "The headers of a form part are too long.")

  private func position(of pattern: [UInt8], from start: Int) -> Int? {
    rest.withUnsafeBytes { bytes in
      var place = start
      // All patterns begin with a line break, which is rare in photos.
      while place + pattern.count <= bytes.count, let base = bytes.baseAddress,
        let found = memchr(base + place, 13, bytes.count - pattern.count + 1 - place)
      {
        place = UnsafeRawPointer(found) - base
        if memcmp(found, pattern, pattern.count) == 0 { return place }
        place += 1
      }
      return nil
    }
  }
}

/// The headers of a part of a form (RFC 7578, 4).
package struct PartHeaders: Sendable, Hashable {
  /// The name of the field.
  package let name: String?
  /// The name of the file, without folders; nil for a field that is not a file.
  package let fileName: String?
  /// Whether its content type is that of a picture.
  package let isPicture: Bool

  /// - Parameter bytes: the lines between a delimiter and the empty line.
  init(_ bytes: ArraySlice<UInt8>) {
    let lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
    let disposition = lines.first { $0.lowercased().hasPrefix("content-disposition:") }
    let values = Self.parameters(disposition ?? "")
    isPicture = lines.contains { line in
      let line = line.lowercased()
      return line.hasPrefix("content-type:")
        && line.dropFirst("content-type:".count).drop { $0 == " " || $0 == "\t" }
          .hasPrefix("image/")
    }
    name = values["name"]
    fileName = values["filename"].map { path in
      String(path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? "")
    }
  }

  /// The parameters after a header's value, as browsers write them: quotes and line breaks are percent-encoded,
  /// everything else is literal (WHATWG HTML, multipart/form-data encoding).
  static func parameters(_ header: String) -> [String: String] {
    var values: [String: String] = [:]
    var rest = header[...].drop { $0 != ";" }
    while rest.first == ";" {
      rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
      let name = rest.prefix { $0 != "=" && $0 != ";" }
      rest = rest.dropFirst(name.count)
      guard rest.first == "=" else { continue }
      rest = rest.dropFirst()
      var value: Substring
      if rest.first == "\"" {
        rest = rest.dropFirst()
        value = rest.prefix { $0 != "\"" }
        rest = rest.dropFirst(value.count).drop { $0 != ";" }
        values[name.lowercased()] =
          value
          .replacingOccurrences(of: "%22", with: "\"").replacingOccurrences(of: "%0D", with: "")
          .replacingOccurrences(of: "%0A", with: " ")
      } else {
        value = rest.prefix { $0 != ";" }
        rest = rest.dropFirst(value.count)
        values[name.lowercased()] = value.trimmingCharacters(in: .whitespaces)
      }
    }
    return values
  }
}
