import ArgumentParser
internal import Leaflog

/// `leaflog photo edit`
struct PhotoEdit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change a photo's notes or its time.")

  @Argument(help: "The photo's id, or the start of it.", completion: .photos)
  var photo: String?

  @Option(help: "Its notes; '' removes them.")
  var note: String?

  @Option(
    help: "When it was taken: 2026-03-01T09:30, with an offset if one is meant; or a day alone.")
  var at: TimeArgument?

  @Flag(help: "A time in the future is meant.")
  var allowFuture = false

  @Flag(help: "Take back the last `photo edit`.")
  var undo = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard !undo else {
      guard photo == nil, note == nil, at == nil else {
        throw ValidationError("--undo goes alone: it takes back the last `photo edit`.")
      }
      return
    }
    guard photo != nil else { throw ValidationError("Which photo?") }
    guard note != nil || at != nil else {
      throw ValidationError("Give what to change: --note or --at.")
    }
  }

  func run() throws {
    let library = try global.openLibrary(for: .writing)
    guard let photo else { return try EditReport(global).undo(.photoEdit, in: library) }
    let entry = try library.entry(ofPhoto: photo)
    let result = try library.editPhoto(
      entry.id, notes: note, time: at.map { try $0.time(of: entry, in: library) },
      allowFuture: allowFuture)
    if global.json {
      let edited = result.changed.first ?? entry
      Output.result(JSON.line(EntryDocument(edited)))
    } else {
      try EditReport(global).tell(result, done: "Changed", kind: .photoEdit, in: library)
    }
  }
}
