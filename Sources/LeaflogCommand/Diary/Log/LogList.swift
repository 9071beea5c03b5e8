import ArgumentParser
internal import Documents
internal import Leaflog

/// `leaflog log list`
struct LogList: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List daily logs, most recent first, and the current streak.")

  @OptionGroup var list: ListOptions
  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let streak = try library.diary.loggingStreak(today: library.today)
    let page = try list.page(of: .dailyLog, in: library)
    if global.json {
      return context.output.print(json: Document(page, streak: streak))
    }
    list.tell(
      page, in: library, context,
      nothing: list.nothing("daily logs") + " `leaflog log set` adds one."
    )
    if !page.elements.isEmpty, !global.quiet {
      context.output.print("Logging streak: \(Quantities.count(streak, "day")).")
    }
  }

  private struct Document: Encodable {
    let items: [EntryDocument]
    let next: String?
    let streakDays: Int

    init(_ page: Page<Entry>, streak: Int) {
      items = page.elements.map(EntryDocument.init)
      next = page.next?.description
      streakDays = streak
    }

    private enum Key: CodingKey { case items, next, streakDays }

    func encode(to encoder: any Encoder) throws {
      var object = encoder.container(keyedBy: Key.self)
      try object.encode(items, forKey: .items)
      try object.encode(next, forKey: .next)  // null at the end
      try object.encode(streakDays, forKey: .streakDays)
    }
  }
}
