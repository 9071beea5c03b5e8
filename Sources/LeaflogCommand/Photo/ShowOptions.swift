import ArgumentParser

/// A photo or entry to show, and how.
struct ShowOptions: ParsableArguments {
  @Argument(help: "Its id, or a prefix of it.", completion: .photos)
  var photo: String

  @Flag(help: "Draw its thumbnail too.")
  var picture = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if picture { try global.allowPictures("--picture") }
  }
}
