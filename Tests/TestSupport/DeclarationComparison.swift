internal import Foundation

/// Compares a shim that declares what it uses of a library with the library's own headers, by the C compiler.
package struct DeclarationComparison {
  private static let compiler = ["/usr/bin/cc", "/usr/bin/clang", "/usr/bin/gcc"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }
  private static let pkgConfig = "/usr/bin/pkg-config"

  /// Whether a C compiler and pkg-config are on this machine.
  package static let isPossible =
    compiler != nil && FileManager.default.isExecutableFile(atPath: pkgConfig)

  private let folder: TemporaryFolder
  private let shim: String
  private let header: String
  private let macro: String
  private let flags: [String]

  /// - Parameters:
  ///   - target: the target of the shim.
  ///   - header: the library's header.
  ///   - macro: the macro by which the shim leaves out what cannot be declared twice.
  ///   - package: the library's name for pkg-config.
  package init(of target: String, with header: String, macro: String, package: String) throws {
    // Some systems run nothing that is in memory.
    folder = try TemporaryFolder(inMemory: false)
    shim = Fixtures.checkout + "/Sources/\(target)/shim.h"
    (self.header, self.macro) = (header, macro)
    let result = try Command(library: nil).start(
      ["--cflags", package], program: Self.pkgConfig
    ).wait()
    flags = result.output.split(whereSeparator: \.isWhitespace).map(String.init)
  }

  /// What the compiler says of declaring both; empty if the functions are the same.
  package func differences() throws -> String {
    try compile("#include <\(header)>\n#define \(macro)\n#include \"\(shim)\"\n", ["-fsyntax-only"])
  }

  /// The values of expressions of whole numbers by the shim, and by the header.
  package func values(of expressions: [String]) throws -> (shim: String, header: String) {
    let prints = expressions.map { "printf(\"%s %ld\\n\", \"\($0)\", (long)(\($0)));" }
    let outputs = try ["\"\(shim)\"", "<\(header)>"].map { included in
      let program = folder.file("program")
      let problems = try compile(
        """
        #include <stddef.h>
        #include <stdio.h>
        #include \(included)
        int main(void) {
        \(prints.joined(separator: "\n"))
        }
        """, ["-o", program])
      guard problems.isEmpty else { return problems }
      return try Command(library: nil).start([], program: program).wait().output
    }
    return (outputs[0], outputs[1])
  }

  private func compile(_ source: String, _ options: [String]) throws -> String {
    let path = try folder.write(Data(source.utf8), to: "compared.c")
    let result = try Command(library: nil).start(
      ["-Werror", path] + options + flags, program: Self.compiler ?? ""
    ).wait()
    return result.status == 0 ? "" : result.error
  }
}
