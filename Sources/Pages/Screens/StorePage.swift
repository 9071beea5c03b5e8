internal import Language
package import Leaflog

/// The library's files: their sizes, how they are stored, and jobs that work on them.
package struct StorePage: Screen {
  package static let template = "store"

  /// The kinds of jobs posted from here.
  package static let kinds = ["verify", "recompress", "prune", "backup"]

  let page: PageFrame
  let summary: String
  let problem: PageProblem?
  let total: String
  let sizes: [BarItem]
  let work: JobList?
  let policies: [Option]
  let works: [Work]

  struct Work {
    let kind: String
    let title: String
    let help: String
    let folder: Folder?
    let note: String?
    /// Where the library was backed up to, and when.
    let backups: [String]
    let check: Option?
    let button: String
  }

  struct Folder {
    let options: [Option]
  }

  /// - Parameter jobs: jobs of any kind, newest first.
  package init(_ context: PageContext, jobs: [JobDocument], refusal: Refusal? = nil) throws {
    let (reader, words, library) = (context.reader, context.words, context.library)
    let statistics = try library.store.statistics()
    func bytes(_ roles: [RenditionRole]) -> Int {
      roles.reduce(0) { $0 + (statistics.renditions[$1]?.byteCount ?? 0) }
    }
    let unreferenced = statistics.unreferenced.byteCount
    let shares =
      [
        ("size.masters", bytes([.original, .packed, .master])),
        ("size.thumbnails", bytes([.thumbnail])), ("size.cache", statistics.previewCache.byteCount),
        ("size.trash", statistics.trash.byteCount), ("size.unreferenced", unreferenced),
      ]
    page = try context.frame(words["library"], at: .me)
    summary = .dotted(
      reader.count("countPhotos", statistics.entryCounts[.photo] ?? 0),
      reader.count("countPlants", statistics.plantCount))
    problem = refusal?.problem(words)
    total = reader.bytes(
      statistics.storedByteCount + statistics.trash.byteCount
        + statistics.previewCache.byteCount + unreferenced)
    let most = max(1, shares.map(\.1).max() ?? 1)
    sizes = shares.map {
      BarItem(label: words[$0.0], value: reader.bytes($0.1), amount: $0.1, most: most)
    }
    work = JobList(jobs, in: context) {
      Self.kinds.contains($0.kind) || $0.kind == "importFolder"
    }
    policies = StoragePolicy.allCases.map {
      Option(
        value: $0.rawValue, label: words["policy.\($0.rawValue)"], isChosen: $0 == library.policy)
    }
    let folders = try library.settings.value(of: .serviceFolders).split(separator: ":")
      .map(String.init)
    let backups = statistics.backups.map {
      let day = EntryTime(.instant($0.lastSuccess), in: library.timeZone).localDay
      return words.text("backedUpTo", ["place": $0.place, "when": reader.ago(day)])
    }
    works = Self.kinds.map {
      Work($0, folders: folders, backups: $0 == "backup" ? backups : [], refusal?.typed, words)
    }
  }
}

extension StorePage.Work {
  /// - Parameter folders: the folders of the machine that jobs may use.
  fileprivate init(
    _ kind: String, folders: [String], backups: [String], _ typed: TypedForm?, _ words: Words
  ) {
    let isBackup = kind == "backup"
    let isAgain = typed?["kind"] == kind
    self.init(
      kind: kind, title: words["job.\(kind)"], help: words["jobHelp.\(kind)"],
      folder: isBackup && !folders.isEmpty
        ? StorePage.Folder(
          options: folders.map {
            Option(value: $0, label: $0, isChosen: isAgain && typed?["to"] == $0)
          }) : nil, note: isBackup && folders.isEmpty ? words["jobNote.backup"] : nil,
      backups: backups,
      check: kind == "verify"
        ? Option(
          value: "full", label: words["jobCheck.full"],
          isChosen: !isAgain || typed?["full"] == "true") : nil, button: words["jobDo.\(kind)"])
  }
}

/// Deleting everything for good: what would go, and the library's name to type.
package struct ResetPage: Screen {
  package static let template = "reset"

  let page: PageFrame
  let problem: PageProblem?
  let scope: String
  let scopes: [Choice]
  let going: [Fact]
  /// The other things that would go, in words.
  let rest: String
  let nameLabel: String
  let form: FormValue

  package init(
    _ context: PageContext, _ scope: ResetScope, refusal: Refusal? = nil
  ) throws {
    let (reader, words, library) = (context.reader, context.words, context.library)
    let plan = try library.store.resetPlan(scope)
    page = try context.frame(words["reset"], at: .me)
    problem = context.problem(refusal)
    self.scope = scope.rawValue
    scopes = ResetScope.allCases.map {
      Choice(
        href: "/me/reset?scope=\($0.rawValue)", label: words["reset.\($0.rawValue)"],
        isChosen: $0 == scope)
    }
    let counts =
      EntryKind.allCases.map { ("kind.\($0.rawValue)", plan.entries[$0] ?? 0) }
      + [("plants", plan.plantCount), ("activities", plan.activityCount)]
    going = counts.filter { $0.1 > 0 }.map {
      Fact(label: words[$0.0], value: reader.number($0.1))
    }
    rest = words["resetRest.\(scope.rawValue)"]
    nameLabel = words.text("resetName", ["name": library.name])
    form = FieldReader(refusal, words).field("name", nil)
  }
}

/// The diary as files, made by jobs and downloaded.
package struct ExportPage: Screen {
  package static let template = "export"

  /// The kinds of jobs that make files of the diary.
  package static let kinds = ["report", "csv", "exportDiary"]

  let page: PageFrame
  let problem: PageProblem?
  let work: JobList?
  let periods: [Option]
  let tables: [Option]
  /// The tag of the report's language.
  let language: String

  /// - Parameter jobs: all jobs, newest first.
  package init(_ context: PageContext, jobs: [JobDocument], refusal: Refusal? = nil) throws {
    let words = context.words
    let reader = FieldReader(refusal, words)
    page = try context.frame(words["export"], at: .me)
    problem = context.problem(refusal)
    work = JobList(jobs, in: context) { Self.kinds.contains($0.kind) }
    language = context.reader.reportLanguage
    periods = reader.options(
      "days", reader.text("days", nil) ?? "90",
      Periods.all.map { ("\($0)", context.reader.count("daysCount", $0)) })
    tables = reader.options(
      "table", nil, DiaryCSV.allCases.map { ($0.rawValue, words["table.\($0.rawValue)"]) })
  }
}
