internal import Foundation

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
