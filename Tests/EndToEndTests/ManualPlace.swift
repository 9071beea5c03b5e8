import Foundation
import TestSupport
import Testing

/// The folder in which the examples of a document are run: its libraries, the checkout's fixtures, and
/// the files that the examples write.
struct ManualPlace {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.file("here"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("here/Fixtures"), withDestinationPath: Fixtures.folder)
  }

  /// A place whose library is a copy of another's.
  init(copying other: ManualPlace) throws {
    try self.init()
    try FileManager.default.copyItem(
      atPath: other.folder.file("diary"), toPath: folder.file("diary"))
  }

  /// The lines that a terminal shows of a script.
  func output(of script: String, in library: String = "diary") throws -> [String] {
    var command = Command(library: folder.file(library))
    command.folder = folder.file("here")
    let programs = (Command.executable as NSString).deletingLastPathComponent
    command.environment = [
      "PATH": "\(programs):/usr/bin:/bin", "TZ": "UTC", "LC_ALL": "C.UTF-8",
    ]
    let result = try command.start(
      ["--norc", "-c", "exec 2>&1; \(script)"], program: "/bin/bash"
    ).wait()
    return result.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map(String.init)
  }

  /// The first eight characters of the ids of photos.
  func photoIDs() throws -> Set<String> {
    let listing = try output(of: "leaflog timeline --kind photo --limit 1000 --json").joined()
    let page = try JSONSerialization.jsonObject(with: Data(listing.utf8)) as? [String: Any]
    let entries = try #require(page?["items"] as? [[String: Any]])
    return Set(entries.compactMap { $0["id"] as? String }.map { String($0.prefix(8)) })
  }
}

/// The commands that are run before an example, and the library that it is shown in where that is not the
/// document's first.
struct ManualPreparation {
  var library: String?
  var script = ""

  static let empty = "leaflog init --time-zone UTC --quiet"
  static let imported = "\(empty); leaflog import Fixtures/Photos --quiet"

  /// The documents whose examples do not begin with the photos imported, with the commands that come
  /// before.
  static let beginnings = [
    "README.md": empty,
    "Importing.md": empty,
    "KeepingTheStore.md":
      "leaflog init --policy exact --time-zone UTC --quiet; leaflog import Fixtures/Photos --quiet",
    "OutputAndExitStatus.md": empty,
  ]

  /// By document and command.
  static let all: [String: [String: ManualPreparation]] = [
    "Importing.md": [
      "leaflog import Fixtures/Photos/tomato --json": ManualPreparation(
        library: "tomato", script: empty)
    ],
    "Diary.md": [
      "leaflog today": ManualPreparation(
        library: "today",
        script: empty + "\n" + """
          leaflog mood set happy --quiet
          leaflog log set --sleep-hours 7.5 --stress 2 --exercise-minutes 30 --exercise-type walk --quiet
          leaflog symptom add headache --severity moderate --medication ibuprofen \
            --note "after the sauna" --quiet
          leaflog activity add "repot the basil" --emoji 🪴 --every 30d --start-from "37 days ago" --quiet
          leaflog activity add "water the monstera" --emoji 💧 --every 7d --quiet
          leaflog activity done "water the monstera" --quiet
          """),
      "leaflog activity list": ManualPreparation(
        script: """
          leaflog activity add "repot the basil" --emoji 🪴 --plant basil --every 30d \
            --start-from "37 days ago" --quiet
          """),
    ],
    "Exchange.md": [
      "leaflog import-diary diary.json": ManualPreparation(
        script: """
          printf '%s\\n' '{' '  "format" : "leaflog-diary",' '  "version" : 1,' '  "entries" : [' \
            '    {' '      "id" : "00000000000000000000000000000001",' '      "kind" : "dailyLog",' \
            '      "occurredAt" : "2026-03-01",' '      "dailyLog" : {' '        "sleepHours" : 7,' \
            '        "sleepQuality" : 4,' '      "stress": 9' '      }' '    }' '  ]' '}' > diary.json
          """)
    ],
  ]
}
