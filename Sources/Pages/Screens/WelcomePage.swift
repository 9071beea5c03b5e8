internal import Foundation
internal import Leaflog

/// The welcome page, shown once: what the program is, and what it is not.
package struct WelcomePage: Screen {
  package static let template = "welcome"

  let page: PageFrame
  let problem: PageProblem?
  let privacy: String
  let disclaimer: String
  let isAcknowledged: Bool
  let form: WelcomeForm
  let zoneIsGuess: Bool
  /// The zone that the page was made with: a form that still has it changes nothing.
  let zoneShown: String
  let zones: [Option]

  struct WelcomeForm {
    let name: FormValue
  }

  package init(_ context: PageContext, refusal: Refusal? = nil) throws {
    let words = context.words
    let settings = context.library.settings
    problem = refusal.map { _ in
      PageProblem(title: words["problem.form"], detail: words["error.acknowledge"])
    }
    (privacy, disclaimer) = (context.privacy, words["disclaimerText"])
    isAcknowledged = try settings.isDisclaimerAcknowledged()
    form = WelcomeForm(
      name: FormValue(try refusal?.typed["name"] ?? settings.value(of: .reportName)))
    // The browser's zone is proposed only where nobody has chosen one and no entry would move.
    zoneIsGuess = try refusal == nil && !isAcknowledged && settings.isTimeZoneOpen()
    zoneShown = refusal?.typed["zoneShown"] ?? context.library.timeZone.identifier
    let chosen = refusal?.typed["timeZone"] ?? context.library.timeZone.identifier
    let known = TimeZone.knownTimeZoneIdentifiers
    zones = (known.contains(chosen) ? known : [chosen] + known).map {
      Option(value: $0, label: $0.replacing("_", with: " "), isChosen: $0 == chosen)
    }
    page = try context.frame(words["welcome"], hasBar: false)
  }
}

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
