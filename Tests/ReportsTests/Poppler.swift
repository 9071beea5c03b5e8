import Foundation
import TestSupport
import Testing

/// Reads PDF files by way of Poppler's tools.
struct Poppler {
  static let isInstalled = ["pdfinfo", "pdftotext"].allSatisfy {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/" + $0)
  }

  private let folder: TemporaryFolder
  private let file: String

  init(_ bytes: [UInt8]) throws {
    folder = try TemporaryFolder()
    file = try folder.write(Data(bytes), to: "report.pdf")
  }

  /// The lines of `pdfinfo`, by name. Anything on standard error is a complaint about the file.
  func info() throws -> [String: String] {
    let lines = try run("pdfinfo", [file]).split(separator: "\n")
    return Dictionary(
      lines.compactMap { line in
        let parts = line.split(separator: ":", maxSplits: 1)
        return parts.count == 2
          ? (String(parts[0]), parts[1].trimmingCharacters(in: .whitespaces)) : nil
      }, uniquingKeysWith: { first, _ in first })
  }

  /// The text of each page. Direction marks that Poppler adds are left out.
  func pages() throws -> [String] {
    let text = try run("pdftotext", ["-enc", "UTF-8", file, "-"])
    let marks: Set<Unicode.Scalar> = ["\u{202A}", "\u{202B}", "\u{202C}"]
    var plain = String.UnicodeScalarView()
    plain.append(contentsOf: text.unicodeScalars.filter { !marks.contains($0) })
    return String(plain).split(separator: "\u{0C}").map(String.init)
  }

  /// The elements of the document's structure, in the order in which readers are told them. Ligatures are given as their
  /// letters.
  func structure() throws -> [StructureElement] {
    var path: [StructureElement] = [StructureElement(tag: "")]
    func close(to depth: Int) {
      while path.count - 1 > depth {
        let element = path.removeLast()
        path[path.count - 1].parts.append(.element(element))
      }
    }
    for line in try run("pdfinfo", ["-struct-text", file]).split(separator: "\n") {
      let depth = line.prefix { $0 == " " }.count / 2
      let text = line.dropFirst(2 * depth)
      close(to: depth)
      if text.first == "\"" {
        path[path.count - 1].parts.append(
          .text(String(text.dropFirst().dropLast()).precomposedStringWithCompatibilityMapping))
      } else {
        path.append(StructureElement(tag: String(text.prefix { $0 != " " })))
      }
    }
    close(to: 0)
    return path[0].children
  }

  private func run(_ tool: String, _ arguments: [String]) throws -> String {
    let result = try Command(library: nil).start(arguments, program: "/usr/bin/" + tool).wait()
    try #require(result.status == 0, "\(result.error)")
    #expect(result.error.isEmpty, "\(result.error)")
    return result.output
  }
}

/// An element of a PDF's structure.
struct StructureElement {
  enum Part {
    case text(String)
    case element(StructureElement)
  }

  /// Its standard name: `H1`, `TR`.
  let tag: String
  var parts: [Part] = []

  var children: [StructureElement] {
    parts.compactMap { if case .element(let element) = $0 { element } else { nil } }
  }

  /// Its text with that of all elements in it.
  var text: String {
    parts.map {
      switch $0 {
      case .text(let text): text
      case .element(let element): element.text
      }
    }.joined()
  }

  /// The elements with a tag in it, from the beginning.
  func all(_ tag: String) -> [StructureElement] {
    children.flatMap { ($0.tag == tag ? [$0] : []) + $0.all(tag) }
  }

  /// The texts of the cells of a table, by rows.
  var rows: [[String]] { children.map { $0.children.map(\.text) } }
}

extension String {
  /// With every run of white space as one space: where lines were broken does not matter.
  var unwrapped: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
