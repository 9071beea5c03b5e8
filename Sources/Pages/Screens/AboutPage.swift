internal import Leaflog

/// The program's version, licence and promises.
package struct AboutPage: Screen {
  package static let template = "about"

  let page: PageFrame
  let version: String
  let privacy: String
  let disclaimer: String
  let licence: String
  let copyright: String
  let keys: [Fact]

  package init(_ context: PageContext) throws {
    let words = context.words
    page = try context.frame(words["about"], at: .me)
    version = words.text("version", ["version": About.version])
    privacy = context.privacy
    disclaimer = words["disclaimerText"]
    licence = words.text("licenceIs", ["licence": About.licence])
    copyright = About.copyright
    keys = [
      ("T L P M", "pages"), ("+", "add"), ("/", "search"), ("← → J K", "photos"), ("Esc", "close"),
      ("F E", "favourite"),
    ].map { Fact(label: $0, value: words["keyHelp.\($1)"]) }
  }
}
