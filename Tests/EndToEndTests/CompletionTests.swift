import Foundation
import TestSupport
import Testing

@Suite struct CompletionTests {
  private static let names = [
    "basil", #"Big 'ol "fern""#, "Basil: A", "Grün öl", "$(touch pwned) `touch pwned`",
    #"back\slash"#,
  ]

  /// A library with a photo of each plant.
  private func planted() throws -> CommandFixture {
    let fixture = try CommandFixture()
    let photo = try Fixtures.data("Orientation/1.jpg")
    for (index, name) in Self.names.enumerated() {
      let path = try fixture.folder.write(
        photo + Data(repeating: 0, count: index), to: "photos/\(index).jpg")
      #expect(try fixture.leaflog("import", path, "--plant", name, "--quiet").status == 0)
    }
    return fixture
  }

  /// The words that bash would offer for the last of these, as it splits them.
  private func bash(_ fixture: CommandFixture, _ words: String..., line: String) throws -> [String]
  {
    let script = try fixture.leaflog("completions", "bash").output
    let path = try fixture.folder.write(Data(script.utf8), to: "completions/leaflog")
    let current = words.last.map { $0 == ":" || $0 == "=" ? "" : $0 } ?? ""
    let result = try Shell(fixture).run(
      "bash", "--norc", "-c",
      """
      source "$1"; COMP_LINE=$2; COMP_POINT=${#2}; current=$3; shift 3
      COMP_WORDS=(leaflog "$@"); COMP_CWORD=$#
      definition=$(complete -p leaflog); function=${definition#*-F }; function=${function%% *}
      "$function" leaflog "${current#[\\"\\']}" "${COMP_WORDS[COMP_CWORD - 1]}"
      ((${#COMPREPLY[@]} == 0)) || printf '%s\\n' "${COMPREPLY[@]}"
      """, "bash", path, line, current, and: words)
    #expect(result.error == "")
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test(.enabled(if: Shell.isThere("bash"), "bash is not installed"))
  func `bash offers plants with any name`() throws {
    let fixture = try planted()
    let all = try bash(fixture, "timeline", "", line: "leaflog timeline ")
    #expect(Set(all).isSuperset(of: Self.names))
    #expect(!fixture.folder.files().contains { $0.hasSuffix("pwned") })
    for (typed, name) in [
      (#"Big\ "#, Self.names[1]), (#"Basil\:"#, "Basil: A"), (#""Basil: "#, "Basil: A"),
      ("Grün", "Grün öl"), ("back", #"back\slash"#),
    ] {
      let found = try bash(fixture, "timeline", typed, line: "leaflog timeline \(typed)")
      #expect(found == [name], "\(typed)")
    }
    #expect(
      try bash(fixture, "import", "--plant", "Gr", line: "leaflog import --plant Gr")
        == ["Grün öl"])
    #expect(try bash(fixture, "compl", line: "leaflog compl") == ["completions"])
    #expect(try bash(fixture, "completions", "", line: "leaflog completions ").contains("fish"))
  }

  /// Only Readline, at a terminal, quotes what it inserts.
  @Test(
    .enabled(if: Shell.isThere("bash"), "bash is not installed"),
    arguments: [
      ("fi", "five$dollar"), ("si", "six $dollar"), (#"\$e"#, "$eight"), (#""$e"#, "$eight"),
      ("nin", "nine'$x"), ("te", "ten`y`"), ("el", "el!even"), ("'fi", "five$dollar"),
    ])
  func `bash quotes the dollar sign and all else in a name`(typed: String, name: String) throws {
    let fixture = try CommandFixture()
    #expect(try fixture.leaflog("init").status == 0)
    #expect(try fixture.leaflog("plant", "add", name).status == 0)
    let folder = (Command.executable as NSString).deletingLastPathComponent
    let start = try fixture.folder.write(
      Data("PATH='\(folder)':$PATH; source <(leaflog completions bash); PS1='ready> '\n".utf8),
      to: "bashrc")
    var terminal = PseudoTerminal(
      answer: nil, typed: (after: "ready> ", text: "leaflog plant show \(typed)\t--json\r\u{4}"))
    terminal.environment = ["TERM": "dumb", "LC_ALL": "C.UTF-8", "HOME": fixture.folder.path]
    let session = try terminal.run(
      fixture.leaflog, ["--rcfile", start, "-i"], program: "/bin/bash")
    #expect(session.output.contains("\"name\":\"\(name)\""), "\(session.output)")
  }

  @Test(.enabled(if: Shell.isThere("bash"), "bash is not installed"))
  func `bash keeps what it took for words at colons and equals signs`() throws {
    let fixture = try planted()
    #expect(try bash(fixture, "timeline", "Basil", ":", line: "leaflog timeline Basil:") == [" A"])
    var elsewhere = fixture
    elsewhere.leaflog.library = nil
    let library = fixture.folder.file("library")
    let words = ["--library", "=", library]
    #expect(
      try bash(
        elsewhere, "timeline", words[0], words[1], words[2], "Gr",
        line: "leaflog timeline --library=\(library) Gr") == ["Grün öl"])
    #expect(
      try bash(
        elsewhere, "--library", "'\(library)'", "timeline", "Gr",
        line: "leaflog --library '\(library)' timeline Gr") == ["Grün öl"])
    #expect(
      try bash(
        elsewhere, "timeline", "--library", "=", String(library.dropLast(3)),
        line: "leaflog timeline --library=\(library.dropLast(3))") == [library])
  }

  @Test(.enabled(if: Shell.isThere("bash"), "bash is not installed"))
  func `bash offers photos by their ids`() throws {
    let fixture = try planted()
    let ids = try fixture.entries().compactMap {
      ($0["id"] as? String).map { String($0.prefix(8)) }
    }
    #expect(Set(try bash(fixture, "show", "", line: "leaflog show ")).isSuperset(of: ids))
    let start = String(ids[3].prefix(6))
    #expect(try bash(fixture, "show", start, line: "leaflog show \(start)") == [ids[3]])
  }

  @Test(.enabled(if: Shell.isThere("fish"), "fish is not installed"))
  func `fish reads the script, and gets candidates with what they are`() throws {
    let fixture = try planted()
    let script = try fixture.leaflog("completions", "fish").output
    let path = try fixture.folder.write(Data(script.utf8), to: "leaflog.fish")
    let result = try Shell(fixture).run("fish", "--no-config", "-c", "source $argv[1]", path)
    #expect(result.status == 0)
    #expect(result.error == "")
    #expect(try offered(fixture, "timeline", shell: "fish").contains("Grün öl\t1 photo"))
    let photos = try offered(fixture, "show", shell: "fish")
    #expect(photos.contains { $0.hasSuffix(" Basil: A") && $0.contains("\t20") })
  }

  @Test(.enabled(if: Shell.isThere("zsh"), "zsh is not installed"))
  func `zsh reads the script, and gets names without bare colons`() throws {
    let fixture = try planted()
    let script = try fixture.leaflog("completions", "zsh").output
    #expect(script.hasPrefix("#compdef leaflog\n"))
    #expect(script.contains("'--library=[The library"))
    let path = try fixture.folder.write(Data(script.utf8), to: "_leaflog")
    let result = try Shell(fixture).run("zsh", "-n", path)
    #expect(result.status == 0)
    #expect(result.error == "")
    #expect(try offered(fixture, "timeline", shell: "zsh").contains(#"Basil\: A:1 photo"#))
  }

  /// The answer to a shell that completes the command's first argument.
  private func offered(
    _ fixture: CommandFixture, _ command: String, shell: String
  ) throws -> [String] {
    var leaflog = fixture.leaflog
    leaflog.environment = ["SAP_SHELL": shell]
    return try leaflog.launch(
      "---completion", command, "--", "positional@0", "2", "0", "leaflog", command, ""
    ).output.split(separator: "\n").map(String.init)
  }

  @Test func `numbers of changes are offered with what was typed`() throws {
    let fixture = try planted()
    #expect(try fixture.leaflog("undo", "2", "--quiet").status == 0)
    let done = try offered(fixture, "undo", shell: "fish")
    #expect(done.count == Self.names.count - 1)
    #expect(done.first?.hasPrefix("\(Self.names.count)\timport /") == true, "\(done)")
    let undone = try offered(fixture, "redo", shell: "fish")
    #expect(undone.count == 1 && undone.first?.hasPrefix("2\timport /") == true, "\(undone)")
  }

  @Test func `without a library that can be read there is nothing, and not a word`() throws {
    let fixture = try planted()
    func offered(_ library: String) throws -> Command.Result {
      try fixture.leaflog.launch(
        "---completion", "timeline", "--", "positional@0", "4", "0", "leaflog", "timeline",
        "--library", library, "")
    }
    let library = fixture.folder.file("library")
    #expect(try offered(library).output.contains("basil"))
    let catalog = try #require(fixture.folder.files().first { $0.hasSuffix(".sqlite") })
    // SQLite's exclusive lock: PENDING_BYTE and what follows it, in "File Locking And Concurrency".
    let file = open(fixture.folder.file(catalog), O_RDWR)
    var lock = flock(
      l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0x4000_0000, l_len: 512, l_pid: 0)
    #expect(withUnsafeMutablePointer(to: &lock) { fcntl(file, F_SETLK, $0) } == 0)
    // It comes back while the lock is held.
    let locked = try offered(library)
    close(file)
    try fixture.folder.write(Data(repeating: 1, count: 4096), to: catalog)
    let results = try [
      locked, offered(library), offered("/nonesuch"), offered(fixture.folder.file("photos")),
    ]
    for result in results {
      #expect(result.status == 0)
      #expect(result.output.trimmingCharacters(in: .whitespacesAndNewlines) == "")
      #expect(result.error == "")
    }
  }

  @Test func `an unknown shell is wrong usage`() throws {
    let fixture = try CommandFixture()
    let result = try fixture.leaflog("completions", "fishy")
    #expect(result.status == 64)
    #expect(result.output == "")
    #expect(result.error.contains("bash"))
  }
}

/// A shell that finds the built `leaflog`.
private struct Shell {
  let fixture: CommandFixture

  init(_ fixture: CommandFixture) { self.fixture = fixture }

  static func isThere(_ name: String) -> Bool { path(name) != nil }

  private static func path(_ name: String) -> String? {
    ["/bin/", "/usr/bin/", "/usr/local/bin/"].map { $0 + name }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  func run(_ name: String, _ arguments: String..., and rest: [String] = []) throws -> Command.Result
  {
    var command = fixture.leaflog
    let folder = (Command.executable as NSString).deletingLastPathComponent
    command.environment["PATH"] = "\(folder):/usr/bin:/bin"
    command.environment["HOME"] = fixture.folder.path
    command.environment["LC_ALL"] = "C.UTF-8"
    command.folder = fixture.folder.path
    return try command.start(arguments + rest, program: #require(Self.path(name))).wait()
  }
}
