import ArgumentParser
internal import Leaflog

/// `leaflog stats`
struct StatsCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "stats", abstract: "The size of the library: photos, entries, bytes.")

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let statistics = try context.openLibrary(for: .reading).store.statistics()
    if global.json {
      context.output.print(json: Document(statistics))
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
    for role in RenditionRole.allCases {
      guard let share = statistics.renditions[role] else { continue }
      row("  \(role.rawValue)", "\(share.count), \(Quantities.bytes(share.byteCount))")
    }
    let cache = statistics.previewCache
    row(
      "Previews",
      "\(cache.count), \(Quantities.bytes(cache.byteCount)) of at most "
        + Quantities.bytes(statistics.previewCacheLimit))
    if statistics.unreferenced.count > 0 {
      row(
        "Unreferenced",
        "\(Quantities.count(statistics.unreferenced.count, "blob")), "
          + Quantities.bytes(statistics.unreferenced.byteCount)
          + " that nothing refers to; `leaflog prune` takes them out in time")
    }
  }

  private struct Document: Encodable {
    struct Share: Encodable {
      let count: Int
      let byteCount: Int

      init(_ share: LibraryStatistics.Share) {
        count = share.count
        byteCount = share.byteCount
      }
    }

    struct Cache: Encodable {
      let byteCount: Int
      let limit: Int
    }

    let photos: Int
    let plants: Int
    let entries: [String: Int]
    let sourceByteCount: Int
    let storedByteCount: Int
    let renditions: [String: Share]
    let unreferenced: Share
    let cache: Cache

    init(_ statistics: LibraryStatistics) {
      photos = statistics.entryCounts[.photo] ?? 0
      plants = statistics.plantCount
      entries = Dictionary(
        uniqueKeysWithValues: EntryKind.allCases.map {
          ($0.rawValue, statistics.entryCounts[$0] ?? 0)
        })
      sourceByteCount = statistics.sourceByteCount
      storedByteCount = statistics.storedByteCount
      renditions = Dictionary(
        uniqueKeysWithValues: statistics.renditions.map { ($0.key.rawValue, Share($0.value)) })
      unreferenced = Share(statistics.unreferenced)
      cache = Cache(
        byteCount: statistics.previewCache.byteCount, limit: statistics.previewCacheLimit)
    }
  }
}
