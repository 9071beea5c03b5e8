import ArgumentParser
internal import Documents
internal import Leaflog

/// `leaflog mood list`
struct MoodList: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List moods, most recent first, with the count of each.")

  @OptionGroup var list: ListOptions
  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let page = try list.page(of: .mood, in: library)
    let counts = try library.diary.moodCounts(
      from: list.firstDay(in: library), to: list.lastDay(in: library))
    if global.json { return context.output.print(json: Document(page, counts)) }
    list.tell(
      page, in: library, context,
      nothing: list.nothing("moods") + " `leaflog mood set happy` adds one.")
    guard !counts.isEmpty, !global.quiet else { return }
    context.output.print("")
    BarChart(terminal: context.output.terminal).lines(
      counts.map {
        .init(
          name: "\($0.mood.emoji) \($0.mood.words)", value: Double($0.count), label: "\($0.count)")
      }
    ).forEach(context.output.print)
  }

  private struct Document: Encodable {
    let items: [EntryDocument]
    let next: String?
    let counts: [String: Int]

    init(_ page: Page<Entry>, _ counts: [(mood: Mood, count: Int)]) {
      items = page.elements.map(EntryDocument.init)
      next = page.next?.description
      self.counts = Dictionary(uniqueKeysWithValues: counts.map { ($0.mood.rawValue, $0.count) })
    }

    private enum Key: CodingKey { case items, next, counts }

    func encode(to encoder: any Encoder) throws {
      var object = encoder.container(keyedBy: Key.self)
      try object.encode(items, forKey: .items)
      try object.encode(next, forKey: .next)  // null at the end
      try object.encode(counts, forKey: .counts)
    }
  }
}
