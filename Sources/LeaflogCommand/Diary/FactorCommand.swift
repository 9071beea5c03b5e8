import ArgumentParser
internal import Fields
internal import Leaflog

/// `leaflog factor`
struct FactorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "factor", abstract: "Your own fields of the daily log, such as cups of coffee.",
    discussion: """
      `leaflog log set --factor coffee=2` records a value. `leaflog insights` has their means and \
      counts.
      """,
    subcommands: [
      FactorAdd.self, FactorList.self, FactorEdit.self, FactorHide.self, FactorUnhide.self,
      OrderedReorder<FactorNoun>.self, OrderedDelete<FactorNoun>.self,
    ], defaultSubcommand: FactorList.self)
}

/// The values of a factor, as options.
private struct FactorOptions: ParsableArguments {
  @Option(parsing: .unconditional, help: "The unit of a number, e.g. cups.")
  var unit: String?

  @Option(parsing: .unconditional, help: "The lowest value of a number. Default: 0.")
  var lowest: String?

  @Option(parsing: .unconditional, help: "The highest value of a number.")
  var highest: String?

  @Option(help: "The step of a number, counted from the lowest; '' for any number.")
  var step: String?

  @Option(
    parsing: .unconditionalSingleValue, help: "A name to choose from; repeated for 2 to 12 of them."
  )
  var choice: [String] = []

  var isEmpty: Bool { numbers.allSatisfy { $0.text == nil } && choice.isEmpty }

  private var numbers: [(name: String, text: String?)] {
    [("unit", unit), ("lowest", lowest), ("highest", highest), ("step", step)]
  }

  /// A number has a highest value or a unit, and a choice has choices; any other factor is yes or no.
  var kind: FactorKind {
    if !choice.isEmpty { return .choice }
    return numbers.contains { $0.text != nil } ? .number : .flag
  }

  /// Applies the options that were given; choices are appended.
  func change(_ details: inout FactorDetails) throws {
    var patch = Patch<FactorDetails>()
    try patch.set(typed: numbers)
    details = patch.applied(to: details)
    details.choices += choice
  }
}

/// The factor that a command is about.
private struct FactorArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp("Its name, its id, or an id prefix.", valueName: "factor"),
    completion: .factors)
  var text: String
}

/// `leaflog factor add`
private struct FactorAdd: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a field to the daily log.",
    discussion: """
      leaflog factor add Coffee --highest 10 --unit cups
      leaflog factor add 'Migraine pill'
      leaflog factor add Place --choice home --choice garden

      A factor with a highest value is a number, one with choices is one of these, and any other is \
      yes or no.
      """)

  @Argument(help: "The name, which must be unique.")
  var name: String

  @OptionGroup var values: FactorOptions
  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .writingSerially)
    var details = FactorDetails(name: name, kind: values.kind)
    try values.change(&details)
    let factor = try library.factors.add(details)
    if global.json {
      context.output.print(json: factor)
    } else if !global.quiet {
      let title = TextLayout.singleLine(factor.name)
      context.output.print("Added \(title): \(factor.details.words).")
    }
  }
}

/// `leaflog factor list`
private struct FactorList: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "All factors in their order, and how many logs have each.")

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let factors = try context.openLibrary(for: .reading).factors.all()
    FactorText.report(factors, context)
    if factors.isEmpty, !global.json, !global.quiet {
      context.error.print("No factors yet. `leaflog factor add NAME` adds one.")
    }
  }
}

/// `leaflog factor edit`
private struct FactorEdit: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Rename a factor, or change the values that it takes.",
    discussion: """
      A factor keeps its kind, and takes all values that days have: ranges can be widened, and \
      --choice appends a name. '' removes the unit or the step.
      """)

  @OptionGroup var factor: FactorArgument

  @Option(parsing: .unconditional, help: "A new name.")
  var name: String?

  @OptionGroup var values: FactorOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard name != nil || !values.isEmpty else {
      throw ValidationError(
        "Nothing to change. Give at least one of --name, --unit, --lowest, --highest, --step or "
          + "--choice.")
    }
  }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .writingSerially)
    let found = try library.factors.find(matching: factor.text)
    let edited = try library.factors.edit(found.id) {
      $0.name = name ?? $0.name
      try values.change(&$0)
    }
    FactorText.report(edited, context)
  }
}

/// `leaflog factor hide`
private struct FactorHide: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "hide", abstract: "Ask no longer for a factor. Its values stay.")

  @OptionGroup var factor: FactorArgument
  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    try FactorText.setHidden(true, factor.text, context)
  }
}

/// `leaflog factor unhide`
private struct FactorUnhide: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "unhide", abstract: "Ask for a hidden factor again.")

  @OptionGroup var factor: FactorArgument
  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    try FactorText.setHidden(false, factor.text, context)
  }
}

/// Factors as an order.
private enum FactorNoun: OrderedNoun {
  static let noun = "factor"
  static let nouns = "factors"
  static let examples = ("Coffee", "Place", "'Migraine pill'")
  static let completion = CompletionKind.factors
  static let deletion = (
    abstract: "Delete a factor with all of its values.",
    undo: """
    `leaflog undo` restores the factor and its values; `leaflog factor hide` keeps them.
    """
  )

  static func id(_ factor: Factor) -> FactorID { factor.id }

  static func named(_ text: String, in library: Library) throws -> Factor {
    try library.factors.find(matching: text)
  }

  static func document(_ factor: Factor, in library: Library) -> Factor { factor }

  static func report(_ factors: [Factor], in library: Library, _ context: CommandContext) {
    FactorText.report(factors, context)
  }

  static func reorder(_ ids: [FactorID], in library: Library) throws -> [Factor] {
    try library.factors.reorder(ids)
  }

  static func move(
    _ id: FactorID, to place: OrderPlace<FactorID>, in library: Library
  ) throws -> [Factor] { try library.factors.reorder(id, to: place) }

  static func going(_ factor: Factor) -> (title: String, along: String, gone: String) {
    let title = TextLayout.singleLine(factor.name)
    guard factor.valueCount > 0 else { return (title, "", "") }
    let values = " and its \(Quantities.count(factor.valueCount, "value"))"
    return (title, values, values)
  }

  static func delete(_ id: FactorID, in library: Library) throws { try library.factors.delete(id) }
}

/// Factors as lines of text.
private enum FactorText {
  static func report(_ factor: Factor, _ context: CommandContext) {
    if context.options.json {
      context.output.print(json: factor)
    } else if !context.options.quiet {
      lines([factor], context).forEach(context.output.print)
    }
  }

  static func report(_ factors: [Factor], _ context: CommandContext) {
    if context.options.json { return context.output.print(json: Listing(items: factors)) }
    lines(factors, context).forEach(context.output.print)
  }

  static func setHidden(_ isHidden: Bool, _ text: String, _ context: CommandContext) throws {
    let library = try context.openLibrary(for: .writingSerially)
    let found = try library.factors.find(matching: text)
    report(try library.factors.edit(found.id) { $0.isHidden = isHidden }, context)
  }

  private static func lines(_ factors: [Factor], _ context: CommandContext) -> [String] {
    let rows = factors.map { factor -> [TextTable.Cell] in
      [
        .init(TextLayout.singleLine(factor.name)),
        .init(TextLayout.singleLine(factor.details.words)),
        .init(Quantities.count(factor.valueCount, "day")),
        .init(factor.details.isHidden ? "hidden" : ""),
      ]
    }
    return TextTable(
      context.output.terminal,
      [
        .init(style: .green, limit: 24), .init(limit: 34), .init(isRightAligned: true), .init(),
      ], rows
    ).lines
  }
}
