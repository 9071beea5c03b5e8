import Foundation
import TestSupport
import Testing

/// Reads PDF files by way of Poppler's tools.
struct Poppler {
  static let isInstalled = ["pdfinfo", "pdftotext"].allSatisfy {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/" + $0)
  }

  private let folder: TemporaryFolder
  private let path: String

  init(_ bytes: [UInt8]) throws {
    folder = try TemporaryFolder()
    path = try folder.write(Data(bytes), to: "report.pdf")
  }

  /// The lines of `pdfinfo`, by name. Anything on standard error is a complaint about the file.
  func info() throws -> [String: String] {
    let lines = try run("pdfinfo", [path]).split(separator: "\n")
    return Dictionary(
      lines.compactMap { line in
        let parts = line.split(separator: ":", maxSplits: 1)
        return parts.count == 2
          ? (String(parts[0]), parts[1].trimmingCharacters(in: .whitespaces)) : nil
      }, uniquingKeysWith: { first, _ in first })
  }

  /// The text of each page. Direction marks that Poppler adds are left out.
  func pages() throws -> [String] {
    let text = try run("pdftotext", ["-enc", "UTF-8", path, "-"])
    let marks: Set<Unicode.Scalar> = ["\u{202A}", "\u{202B}", "\u{202C}"]
    var plain = String.UnicodeScalarView()
    plain.append(contentsOf: text.unicodeScalars.filter { !marks.contains($0) })
    return String(plain).split(separator: "\u{0C}").map(String.init)
  }

  private func run(_ tool: String, _ arguments: [String]) throws -> String {
    let result = try Command(library: nil).start(arguments, program: "/usr/bin/" + tool).wait()
    try #require(result.status == 0, "\(result.error)")
    #expect(result.error.isEmpty, "\(result.error)")
    return result.output
  }
}

extension String {
  /// With every run of white space as one space: where lines were broken does not matter.
  var unwrapped: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
