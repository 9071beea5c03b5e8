import ArgumentParser

/// The plant that a verb is about: as a word by itself or with `--plant`, as with verbs that take other
/// words.
struct PlantArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp("A plant's name, or its id or the start of it.", valueName: "plant"),
    completion: .plants)
  var word: String?

  @Option(name: .customLong("plant"), help: "The same.", completion: .plants)
  var option: String?

  func validate() throws {
    guard word == nil || option == nil else {
      throw ValidationError("Name the plant once: as a word by itself or with --plant.")
    }
  }

  /// As it was typed.
  var text: String? { word ?? option }
}
