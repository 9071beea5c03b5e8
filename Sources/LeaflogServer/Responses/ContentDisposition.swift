/// The header that makes browsers save a file instead of showing it (RFC 6266).
package enum ContentDisposition {
  private static let maxLength = 120

  /// A file to be saved (RFC 6266).
  ///
  /// - Parameter name: the name to save it under. Characters that have a meaning in a path or change how a name looks
  ///   are replaced, and names that are too long are cut before their extension.
  package static func attachment(_ name: String) -> String { value("attachment", name) }

  /// A file to be shown, with the name to save it under, as for an attachment.
  package static func inline(_ name: String) -> String { value("inline", name) }

  private static func value(_ kind: String, _ name: String) -> String {
    let name = plain(name)
    let simple = String(name.map { isSimple($0) ? $0 : "_" })
    let value = "\(kind); filename=\"\(simple)\""
    guard simple != name else { return value }
    return value + "; filename*=UTF-8''" + encoded(name)
  }

  private static func plain(_ name: String) -> String {
    var name = String(
      String.UnicodeScalarView(
        name.unicodeScalars.map { scalar in
          switch scalar.properties.generalCategory {
          case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse,
            .surrogate:
            "_"
          default: "/\\:*?\"<>|".unicodeScalars.contains(scalar) ? "_" : scalar
          }
        }))
    if name.hasPrefix(".") { name = "_" + name.dropFirst() }
    guard name.count > maxLength else { return name }
    let ending = name.split(separator: ".").last.map { "." + $0.suffix(10) } ?? ""
    return name.prefix(maxLength - ending.count) + ending
  }

  /// Whether a character needs no encoding. Some browsers would decode a percent sign.
  private static func isSimple(_ character: Character) -> Bool {
    character.isASCII && character != "%"
  }

  /// Percent-encodes everything but `attr-char` (RFC 8187, 3.2.1).
  private static func encoded(_ text: String) -> String {
    text.utf8.reduce(into: "") { result, byte in
      let character = Character(UnicodeScalar(byte))
      if byte < 0x80, character.isLetter || character.isNumber || "!#$&+-.^_`|~".contains(character)
      {
        result.append(character)
      } else {
        result += byte < 16 ? "%0" : "%"
        result += String(byte, radix: 16, uppercase: true)
      }
    }
  }
}
