import ArgumentParser
internal import Leaflog

/// The arguments that select entries of a kind.
protocol EntryChoice: ParsableArguments {
  func entries<Noun: DiaryNoun>(of noun: Noun.Type, in library: Library) throws -> [Entry]
}

/// Entries by their ids.
struct EntriesByID: EntryChoice {
  @Argument(help: ArgumentHelp("Ids or id prefixes.", valueName: "id"))
  var ids: [String]

  func entries<Noun: DiaryNoun>(of noun: Noun.Type, in library: Library) throws -> [Entry] {
    try ids.map { try noun.entry($0, in: library) }
  }
}

/// Once-a-day entries by their days or ids.
struct EntriesByDay: EntryChoice {
  @Argument(help: ArgumentHelp("Days, ids, or id prefixes.", valueName: "day"))
  var words: [String] = []

  @Option(help: ArgumentHelp("A day.", valueName: "day"))
  var on: [DayArgument] = []

  func validate() throws {
    if words.isEmpty, on.isEmpty { throw ValidationError("Give a day, such as yesterday.") }
  }

  func entries<Noun: DiaryNoun>(of noun: Noun.Type, in library: Library) throws -> [Entry] {
    try words.map { try noun.entry($0, in: library) }
      + on.map { try noun.entry(on: $0.day(in: library), in: library) }
  }
}
