import ArgumentParser
internal import Documents
internal import Leaflog

/// `leaflog stats`
struct StatsCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "stats", abstract: "The size of the library: photos, entries, bytes.")

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let store = try context.openLibrary(for: .reading).store
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
    let cache = statistics.previewCache
    row(
      "Previews",
      "\(cache.count), \(Quantities.bytes(cache.byteCount)) of at most "
        + Quantities.bytes(statistics.previewCacheLimit))
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
