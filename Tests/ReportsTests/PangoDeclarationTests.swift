import Foundation
import TestSupport
import Testing

/// `CPango` declares what it uses of Pango itself; shim.h says why.
@Suite struct PangoDeclarationTests {
  private static let compiler = ["/usr/bin/cc", "/usr/bin/clang", "/usr/bin/gcc"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }
  private static let canCompare =
    compiler != nil && FileManager.default.isExecutableFile(atPath: "/usr/bin/pkg-config")

  private let folder: TemporaryFolder
  private let flags: [String]
  private let shim = Fixtures.checkout + "/Sources/CPango/shim.h"

  init() throws {
    // Some systems run nothing that is in memory.
    folder = try TemporaryFolder(inMemory: false)
    let result = try Command(library: nil).start(
      ["--cflags", "pangocairo"], program: "/usr/bin/pkg-config"
    ).wait()
    flags = result.output.split(whereSeparator: \.isWhitespace).map(String.init)
  }

  private func compile(_ source: String, _ options: [String]) throws {
    let path = try folder.write(Data(source.utf8), to: "compared.c")
    let result = try Command(library: nil).start(
      ["-Werror", path] + options + flags, program: try #require(Self.compiler)
    ).wait()
    #expect(result.status == 0, "\(result.error)")
  }

  @Test(.enabled(if: canCompare, "no C compiler or no pkg-config here"))
  func `functions are declared as in Pango's headers`() throws {
    try compile(
      """
      #include <pango/pangocairo.h>
      #define LEAFLOG_COMPARES_PANGO
      #include "\(shim)"
      """, ["-fsyntax-only"])
  }

  @Test(.enabled(if: canCompare, "no C compiler or no pkg-config here"))
  func `structures are laid out as in Pango's headers`() throws {
    let fields = [
      "PangoRectangle": ["x", "y", "width", "height"],
      "PangoItem": ["offset", "length", "analysis"],
      "PangoAnalysis": ["font", "level", "language", "extra_attrs"],
      "PangoGlyphInfo": [
        "glyph", "geometry.width", "geometry.x_offset", "geometry.y_offset", "attr",
      ],
      "PangoGlyphString": ["num_glyphs", "glyphs", "log_clusters"],
      "PangoGlyphItem": ["item", "glyphs", "y_offset"],
    ]
    let expressions = fields.keys.sorted().flatMap { type in
      ["sizeof(\(type))"] + (fields[type] ?? []).map { "offsetof(\(type), \($0))" }
    }
    let prints = expressions.map { "printf(\"%zu \", \($0));" }.joined(separator: "\n")
    var outputs: [String] = []
    for header in ["\"\(shim)\"", "<pango/pangocairo.h>"] {
      let program = folder.file("program")
      try compile(
        """
        #include <stddef.h>
        #include <stdio.h>
        #include \(header)
        int main(void) {
        \(prints)
        return PANGO_SCALE == 1024 ? 0 : 1;
        }
        """, ["-o", program])
      let result = try Command(library: nil).start([], program: program).wait()
      #expect(result.status == 0)
      outputs.append(result.output)
    }
    #expect(outputs[0] == outputs[1] && !outputs[0].isEmpty)
  }
}
