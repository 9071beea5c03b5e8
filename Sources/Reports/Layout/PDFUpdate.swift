/// A PDF as Cairo writes it, to which what Cairo has no function for is added as an update at its end (PDF 1.7, 7.5.6):
/// the language of its text, and that its title is shown instead of the file's name.
package struct PDFUpdate {
  private let file: [UInt8]

  package init(_ file: [UInt8]) { self.file = file }

  /// The file with a new version of its catalog, and a cross-reference table that has this object alone. A file of another
  /// form, as later versions of Cairo write it, with a compressed table, stays as it is: a report that does not name its
  /// language is better than none.
  ///
  /// - Parameter language: as in RFC 5646 (PDF 1.7, 14.9.2).
  package func bytes(in language: String) -> [UInt8] {
    let end = text(from: max(0, file.count - 512), count: 512)
    guard let trailer = end.firstMatch(of: Self.trailer), let start = Int(trailer.start),
      let root = Int(trailer.root), let catalog = catalog(root, tableAt: start)
    else { return file }
    let object = """
      \(root) 0 obj
      << \(catalog)
         /Lang (\(language))
         /ViewerPreferences << /DisplayDocTitle true >>
      >>
      endobj

      """
    // An entry has 20 bytes (7.5.4).
    let offset = String(file.count)
    let entry = String(repeating: "0", count: max(0, 10 - offset.count)) + offset + " 00000 n \n"
    let table = """
      xref
      \(root) 1
      \(entry)trailer
      << /Size \(trailer.size)
         /Root \(root) 0 R
         /Info \(trailer.info) 0 R
         /Prev \(start)
      >>
      startxref
      \(file.count + object.utf8.count)
      %%EOF

      """
    return file + Array((object + table).utf8)
  }

  private static var trailer:
    Regex<(Substring, size: Substring, root: Substring, info: Substring, start: Substring)>
  {
    #/
    trailer \s+ << \s* /Size \s (?<size>\d+) \s+ /Root \s (?<root>\d+) \s 0 \s R
    \s+ /Info \s (?<info>\d+) \s 0 \s R \s+ >> \s+ startxref \s+ (?<start>\d+) \s+ %%EOF \s* $
    /#
  }

  /// The entries of the catalog, which the cross-reference table finds.
  private func catalog(_ number: Int, tableAt start: Int) -> Substring? {
    guard let head = text(from: start, count: 32).prefixMatch(of: /xref\s+0 \d+\s*\n/)?.output,
      let offset = Int(text(from: start + head.utf8.count + 20 * number, count: 10))
    else { return nil }
    let object = #/(?<number>\d+)\s0\sobj\s+<<\s(?<entries>/Type\s/Catalog.*?)\s+>>\s+endobj/#
      .dotMatchesNewlines()
    guard let match = text(from: offset, count: 1024).prefixMatch(of: object),
      Int(match.number) == number
    else { return nil }
    return match.entries
  }

  /// A part of the file that is ASCII.
  private func text(from start: Int, count: Int) -> String {
    String(decoding: file.dropFirst(max(0, start)).prefix(count), as: UTF8.self)
  }
}
