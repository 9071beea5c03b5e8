import ArgumentParser

/// The plant that a command is about, given as an argument or with `--plant`, as in commands that take other arguments.
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

  /// The plant as typed.
  var text: String? { word ?? option }
}
