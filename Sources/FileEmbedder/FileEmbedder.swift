import Foundation

/// Generates a Swift file with the contents of other files as string literals: text as it is, pictures in Base64. An
/// array of bytes would take the compiler minutes.
///
/// Its arguments are the Swift file, a folder, and the paths of files in it.
@main
struct FileEmbedder {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count > 1 else { throw CocoaError(.fileNoSuchFile) }
    let (output, folder, names) = (arguments[0], arguments[1], arguments[2...])
    let cases = try names.map { try literal($0, in: folder) }.joined()
    let source = """
      /// Files that are a part of the program. Made by FileEmbedder when they have changed.
      enum EmbeddedFiles {
        enum File {
          case text(String)
          case base64(String)
        }

        /// A file by its path in the target's folder.
        static func file(_ name: String) -> File? {
          switch name {
      \(cases)    default: nil
          }
        }

        static let names: [String] = \(Array(names))
      }

      """
    // An unchanged file is not written, so that it is not compiled again.
    if (try? Data(contentsOf: URL(filePath: output))) == Data(source.utf8) { return }
    try source.write(toFile: output, atomically: true, encoding: .utf8)
  }

  /// Scripts without the comments that have lines of their own, and styles without any: browsers have no use for them.
  private static func withoutComments(_ text: String, _ name: String) -> String {
    if name.hasSuffix(".js") { return text.replacing(#/(?m)^[ \t]*\/\/.*\n/#, with: "") }
    if name.hasSuffix(".css") { return text.replacing(#/(?s)\/\*.*?\*\/\n?/#, with: "") }
    return text
  }

  private static func literal(_ name: String, in folder: String) throws -> String {
    let bytes = try Data(contentsOf: URL(filePath: folder).appending(path: name))
    // Three number signs: no file has a quotation mark followed by as many.
    let text = String(data: bytes, encoding: .utf8).map { withoutComments($0, name) }
    let value =
      text.map { ".text(###\"\"\"\n\($0)\n\"\"\"###)" }
      ?? ".base64(\"\(bytes.base64EncodedString())\")"
    return "    case \"\(name)\": \(value)\n"
  }
}
