import Foundation

/// Writes a Swift file that has the bytes of other files as string literals: text as it is, pictures in Base64. An
/// array of bytes would take the compiler minutes.
@main
struct PageEmbedder {
  static func main() throws {
    let paths = CommandLine.arguments.dropFirst()
    guard let output = paths.first else { throw CocoaError(.fileNoSuchFile) }
    let cases = try paths.dropFirst().map(literal).joined()
    let source = """
      /// The files of the pages. Made by PageEmbedder at each build.
      enum EmbeddedFiles {
        /// The bytes of a file, by its folder and name.
        static func file(_ name: String) -> EmbeddedFile? {
          switch name {
      \(cases)    default: nil
          }
        }

        static let names = \(paths.dropFirst().map(name))
      }

      """
    try source.write(toFile: output, atomically: true, encoding: .utf8)
  }

  private static func name(_ path: String) -> String {
    path.split(separator: "/").suffix(2).joined(separator: "/")
  }

  private static func literal(_ path: String) throws -> String {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    // Three number signs: no file has a quotation mark with as many.
    let text = String(data: bytes, encoding: .utf8)
    let value =
      text.map { ".text(###\"\"\"\n\($0)\n\"\"\"###)" }
      ?? ".base64(\"\(bytes.base64EncodedString())\")"
    return "    case \"\(name(path))\": \(value)\n"
  }
}
