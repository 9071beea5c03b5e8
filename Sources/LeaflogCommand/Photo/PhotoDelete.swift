import ArgumentParser
internal import Leaflog

/// `leaflog photo delete`
struct PhotoDelete: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Move photos to the trash.",
    discussion: "`leaflog photo restore` restores them; `leaflog timeline --deleted` lists them.")

  @OptionGroup var chosen: PhotoChoiceOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws { try chosen.choice.validate(options: PhotoChoiceOptions.names) }

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .editing)
    let edits = EditReport(context)
    let selection = try chosen.choice.selection(in: library)
    let going = try library.photos.entries(selection).filter { $0.deletedAt == nil }
    let question = "Move \(Quantities.count(going.count, "photo")) to the trash?"
    switch going.isEmpty ? .yes : edits.ask(question, going, in: library) {
    case .yes:
      // The photos that were confirmed are deleted, whatever has been added in the meantime.
      try edits.tell(
        library.photos.delete(.photos(going.map(\.id))), done: "Moved", note: " to the trash",
        in: library)
    case .dryRun:
      try edits.tellUnanswered(going, would: "Would move", note: "to the trash", in: library)
    case .no: break
    }
  }
}
