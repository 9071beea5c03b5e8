import ArgumentParser
internal import CLazyLibraries
internal import Fields
internal import Foundation
internal import Leaflog

/// `leaflog init`
struct InitCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Create a library.",
    discussion: "The first `leaflog import` also creates one, with default settings.")

  @Argument(
    help: "The folder. Default: where commands look for the library.", completion: .directory)
  var directory: String?

  @Option(help: "How to store photos: compact, lossless or exact.")
  var policy = StoragePolicy.compact

  @Option(help: "The time zone of photos that do not record one, e.g. Europe/Berlin.")
  var timeZone: TimeZoneArgument?

  @OptionGroup var store: StoreOptions

  @OptionGroup var global: GlobalOptions

  private struct Made: Shown {
    let library: Library

    static let shown = Fields<Made>([
      Field(adding: "path", .text) { $0.library.path },
      Field(adding: "policy", .choice) { $0.library.policy },
      Field(adding: "timeZone", .timeZone) { $0.library.timeZone },
      Field(adding: "store", .text) { $0.library.store.address },
    ])
  }

  func run(in context: CommandContext) throws {
    let settings = Library.Settings(
      policy: policy, timeZone: try timeZone?.zone ?? context.process.timeZone(),
      isTimeZoneGuess: timeZone == nil,
      store: try store.settings(in: context))
    let path = directory.map(context.path) ?? context.libraryPath
    try context.checkPlaceOfNew(at: path)
    let library = try context.createLibrary(at: path, settings)
    defer { try? library.close() }
    if global.json {
      context.output.print(json: Made(library: library))
    } else if !global.quiet {
      context.output.print(
        "Created a library in \(library.path) (\(library.policy.rawValue), "
          + "\(library.timeZone.identifier)"
          + (library.store.address.map { ", photos in \($0)" } ?? "") + ").")
    }
  }
}

/// `leaflog settings`
struct SettingsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "settings", abstract: "Show or change the library's settings.",
    discussion: """
      timeZone            the time zone for times without one: Europe/Berlin
      policy              how photos are stored: compact, lossless or exact
      severity.scales     severity labels, weakest first: 'mild, moderate, severe'; separate several \
      scales with semicolons
      quotes.source       the quote of the day: bundled, or zenquotes, which asks zenquotes.io
      import.maxFileSize  larger files are not imported: 512 MB; an import takes about as much memory
      reminder            on or off
      reminder.time       when to be reminded at the end of the day: 20:00
      reminder.parts      what to be reminded of: any of symptoms, log, mood and activities
      report.name         the name of the person, for the PDF; '' for none
      language            the language of `leaflog serve`'s pages: auto (the browser's), en or de
      day.end             hours after midnight at which a day ends, 0 to 6
      week.start          the day on which weeks begin: auto (as usual in the reader's region), monday, saturday \
      or sunday
      disclaimer          unread, or acknowledged once it was shown
      service.folders     folders of this machine that jobs of `leaflog serve` may use, separated by colons
      """, subcommands: [SettingsGet.self, SettingsSet.self], defaultSubcommand: SettingsGet.self)
}

extension LibrarySetting: ExpressibleByArgument {}

/// `leaflog settings get`
private struct SettingsGet: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "get", abstract: "Show one setting, or all.")

  @Argument(help: "The setting's name.")
  var name: LibrarySetting?

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let names = name.map { [$0] } ?? LibrarySetting.allCases
    if global.json {
      return context.output.print(json: try SettingsDocument(names, of: library))
    }
    let terminal = context.output.terminal
    let list = FieldList(
      terminal: terminal, nameWidth: 20,
      isSingleLine: terminal.width >= TextTable.leastWidth)
    for name in names {
      let value = try library.settings.value(of: name)
      (self.name == nil ? list.lines(name.rawValue, value) : [value])
        .forEach(context.output.print)
    }
  }
}

/// `leaflog settings set`
private struct SettingsSet: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Change a setting.")

  @Argument(help: "The setting's name.")
  var name: LibrarySetting

  @Argument(help: "The new value.")
  var value: String

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .writingSerially)
    try library.settings.set(name, to: value)
    let kept = try library.settings.value(of: name)
    if global.json {
      context.output.print(json: try SettingsDocument([name], of: library))
    } else if !global.quiet {
      context.output.print(TextLayout.padded(name.rawValue, to: 20) + kept)
    }
    ReminderFolder.follow(library, context).report(context)
  }
}

/// `leaflog stats`
struct StatsCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "stats", abstract: "The size of the library: photos, entries, bytes.")

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let store = library.store
    let statistics = try store.statistics()
    if global.json {
      context.output.print(json: StatisticsDocument(statistics, address: store.address))
      return
    }
    let photos = statistics.entryCounts[.photo] ?? 0
    let fields = FieldList(
      terminal: context.output.terminal, nameWidth: 14, isSingleLine: true)
    func row(_ name: String, _ value: String?) {
      fields.lines(name, value).forEach(context.output.print)
    }
    row("Plants", "\(statistics.plantCount)")
    row("Photos", "\(photos), \(Quantities.bytes(statistics.sourceByteCount)) as imported")
    let others = EntryKind.allCases.compactMap { kind -> String? in
      guard kind != .photo, let count = statistics.entryCounts[kind] else { return nil }
      return Quantities.count(count, kind.words)
    }
    if let listed = others.listed { row("Diary", listed) }
    row(
      "In the store",
      Quantities.bytes(statistics.storedByteCount) + " ("
        + Quantities.percent(statistics.storedByteCount, of: statistics.sourceByteCount) + ")")
    row("  at", store.address.map { store.isReplica ? "\($0), which this replica follows" : $0 })
    if let count = statistics.unsentCommitCount, store.sendsLater || count > 0 {
      row(
        "  not sent", count == 0 ? "nothing" : Quantities.count(count, "commit"))
    }
    for role in RenditionRole.allCases {
      guard let share = statistics.renditions[role] else { continue }
      row("  \(role.rawValue)", "\(share.count), \(Quantities.bytes(share.byteCount))")
    }
    let trash = statistics.trash
    if trash.count > 0 {
      row(
        "In the trash",
        "\(Quantities.count(trash.count, "photo")), \(Quantities.bytes(trash.byteCount))")
    }
    let cache = statistics.previewCache
    row(
      "Previews",
      "\(cache.count), \(Quantities.bytes(cache.byteCount)) of at most "
        + Quantities.bytes(statistics.previewCacheLimit))
    for (number, backup) in statistics.backups.enumerated() {
      let day = EntryTime(.instant(backup.lastSuccess), in: library.timeZone).localDay
      row(number == 0 ? "Backups" : "", "\(day.agoText(on: library.today)), \(backup.place)")
    }
    let unreferenced = statistics.unreferenced
    if unreferenced.count > 0 {
      row(
        "Unreferenced",
        "\(Quantities.count(unreferenced.count, "blob")), "
          + Quantities.bytes(unreferenced.byteCount)
          + "; `leaflog prune` removes them")
    }
  }
}

/// `leaflog about`
struct AboutCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "about", abstract: "Show version, licence, privacy notice and disclaimer.")

  @Flag(
    help: ArgumentHelp(
      "Check that the libraries that are loaded on demand are installed.",
      visibility: .hidden))
  var checkLibraries = false

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    if checkLibraries, let function = leaflog_bind_all() {
      throw LeaflogError(
        .notFound, "No library that is installed has \(String(cString: function)).")
    }
    if global.json { return context.output.print(json: AboutDocument()) }
    TextLayout.wrapped(
      "Leaflog \(About.version), licence: \(About.licence). \(About.copyright)",
      to: context.output.terminal.width
    ).forEach(context.output.print)
    for text in [About.privacy, About.disclaimer] {
      context.output.print("")
      TextLayout.wrapped(text, to: context.output.terminal.width).forEach(context.output.print)
    }
  }
}

/// The notice shown with the first entry about somebody's health, and only then.
enum HealthNotice {
  /// Shows the notice on standard error unless it was acknowledged, and records that it was seen.
  static func show(in library: Library, _ context: CommandContext) throws {
    guard !context.options.quiet, try !library.settings.isDisclaimerAcknowledged() else { return }
    let text = "\(About.disclaimer) \(About.privacy) `leaflog about` shows this again."
    TextLayout.wrapped(text, to: context.error.terminal.width).forEach(context.error.print)
    try library.settings.set(.disclaimer, to: "acknowledged")
  }
}
