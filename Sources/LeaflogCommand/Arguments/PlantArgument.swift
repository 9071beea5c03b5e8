import ArgumentParser

/// The plant that a command is about, given as an argument or with `--plant`, as in commands that take other arguments.
struct PlantArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp("A plant's name, its id, or an id prefix.", valueName: "plant"),
    completion: .plants)
  var word: String?

  @Option(name: .customLong("plant"), help: "The plant, as an option.", completion: .plants)
  var option: String?

  func validate() throws {
    guard word == nil || option == nil else {
      throw ValidationError("Name the plant once, either as an argument or with --plant.")
    }
  }

  /// The plant as typed.
  var text: String? { word ?? option }
}
