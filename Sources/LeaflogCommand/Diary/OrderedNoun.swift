import ArgumentParser
internal import Fields
internal import Leaflog

/// A kind of thing with a name and a place in an order of the user's, such as `leaflog activity`.
protocol OrderedNoun: SendableMetatype {
  associatedtype ID: Hashable & Sendable
  associatedtype Thing
  /// A thing as JSON.
  associatedtype Document: Shown

  /// The name of the command, and the noun for a single thing.
  static var noun: String { get }
  static var nouns: String { get }
  /// Names as one types them.
  static var examples: (String, String, String) { get }
  /// The names that a shell completes.
  static var completion: CompletionKind { get }
  /// The help of the command that deletes: what it does, and how to take that back or what to do instead.
  static var deletion: (abstract: String, undo: String) { get }

  static func id(_ thing: Thing) -> ID
  static func named(_ text: String, in library: Library) throws -> Thing
  static func document(_ thing: Thing, in library: Library) throws -> Document
  static func report(_ things: [Thing], in library: Library, _ context: CommandContext) throws

  static func reorder(_ ids: [ID], in library: Library) throws -> [Thing]
  static func move(_ id: ID, to place: OrderPlace<ID>, in library: Library) throws -> [Thing]

  /// A thing's title and its deletion in words: “Yoga”; for the question, “ and move 3 completions to the trash”; for the
  /// report, “ and moved 3 completions to the trash”.
  static func going(_ thing: Thing) -> (title: String, along: String, gone: String)
  static func delete(_ id: ID, in library: Library) throws
}

/// `leaflog activity reorder` and similar commands.
struct OrderedReorder<Noun: OrderedNoun>: LeaflogSubcommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "reorder", abstract: "Put \(Noun.nouns) into a user-defined order.",
      discussion: """
        Moves one \(Noun.noun), or sets the order if all are named.

          leaflog \(Noun.noun) reorder \(Noun.examples.0) --to 1
          leaflog \(Noun.noun) reorder \(Noun.examples.0) --before \(Noun.examples.2)
          leaflog \(Noun.noun) reorder \(Noun.examples.0) \(Noun.examples.1) \(Noun.examples.2)
        """)
  }

  @Argument(
    help: ArgumentHelp("Names, ids, or id prefixes.", valueName: Noun.nouns),
    completion: Noun.completion)
  var things: [String]

  @Option(help: "The position to move it to, starting at 1.")
  var to: Int?

  @Option(help: "The \(Noun.noun) to move it before.", completion: Noun.completion)
  var before: String?

  @Option(help: "The \(Noun.noun) to move it after.", completion: Noun.completion)
  var after: String?

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    let places = [to.map { "\($0)" }, before, after].compactMap { $0 }
    guard places.count <= 1 else {
      throw ValidationError("Give one of --to, --before and --after.")
    }
    guard places.isEmpty || things.count == 1 else {
      throw ValidationError("--to, --before and --after move one \(Noun.noun).")
    }
    guard !places.isEmpty || things.count > 1 else {
      throw ValidationError(
        "Give --to, --before or --after, or name all \(Noun.nouns) in their new order.")
    }
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .writingSerially)
    func id(_ text: String) throws -> Noun.ID { try Noun.id(Noun.named(text, in: library)) }
    let ids = try things.map(id)
    let place: OrderPlace<Noun.ID>? =
      if let to {
        .number(to)
      } else if let before {
        .before(try id(before))
      } else if let after {
        .after(try id(after))
      } else {
        nil
      }
    let all =
      if let place {
        try Noun.move(ids[0], to: place, in: library)
      } else {
        try Noun.reorder(ids, in: library)
      }
    if global.json || !global.quiet { try Noun.report(all, in: library, context) }
  }
}

/// `leaflog activity delete` and similar commands.
struct OrderedDelete<Noun: OrderedNoun>: LeaflogSubcommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "delete", abstract: Noun.deletion.abstract,
      discussion: "Asks for confirmation. \(Noun.deletion.undo)")
  }

  @Argument(
    help: ArgumentHelp("Its name, its id, or an id prefix.", valueName: Noun.noun),
    completion: Noun.completion)
  var thing: String

  @OptionGroup var global: GlobalOptions

  private struct Deleted: Shown {
    let document: Noun.Document
    let answer: Answer

    static var shown: Fields<Deleted> {
      Fields(
        Noun.Document.shown.all.map { $0.shown { $0.document } } + [
          Field(adding: "dryRun", .flag) { $0.answer == .dryRun ? true : nil },
          Field(adding: "reason", .text) { $0.answer.reason },
        ])
    }
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .writingSerially)
    let found = try Noun.named(thing, in: library)
    let document = try Noun.document(found, in: library)
    let (title, along, gone) = Noun.going(found)
    let answer = Answer.ask("Delete \(title)\(along)?", context)
    if answer == .yes { try Noun.delete(Noun.id(found), in: library) }
    if global.json {
      context.output.print(json: Deleted(document: document, answer: answer))
    } else if answer == .dryRun {
      context.output.print("Would delete \(title)\(along). \(Answer.hint)")
    } else if answer == .yes, !global.quiet {
      context.output.print("Deleted \(title)\(gone). `leaflog undo` undoes it.")
    }
    try answer.checkAnswered()
  }
}
