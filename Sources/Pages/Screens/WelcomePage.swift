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
  /// The zone that the page was made with: a form that still has it changes nothing.
  let zoneShown: String
  let zones: [Option]
  /// Nil where the browser's zone is not known, is the diary's, or is chosen already.
  let offer: ZoneOffer?

  struct WelcomeForm {
    let name: FormValue
  }

  /// The browser's time zone, in place of the one that was set.
  struct ZoneOffer {
    let zone: String
    let text: String
    let buttonLabel: String
  }

  /// - Parameter browserZone: the name of the browser's time zone; nil where it is not known.
  package init(
    _ context: PageContext, browserZone: String? = nil, refusal: Refusal? = nil
  ) throws {
    let words = context.words
    let settings = context.library.settings
    problem = refusal.map { _ in
      PageProblem(title: words["problem.form"], detail: words["error.acknowledge"])
    }
    (privacy, disclaimer) = (context.privacy, words["disclaimerText"])
    isAcknowledged = try settings.isDisclaimerAcknowledged()
    form = WelcomeForm(
      name: FormValue(try refusal?.typed["name"] ?? settings.value(of: .reportName)))
    let own = context.library.timeZone.identifier
    let other = browserZone.flatMap { $0 == own ? nil : TimeZone(identifier: $0) }
    // The browser's zone is chosen only where nobody has chosen one and no entry would move.
    let isOpen = try refusal == nil && !isAcknowledged && settings.isTimeZoneOpen()
    offer = try isOpen ? nil : other.map { try ZoneOffer($0, instead: own, in: context) }
    zoneShown = refusal?.typed["zoneShown"] ?? own
    let chosen = refusal?.typed["timeZone"] ?? (isOpen ? other?.identifier : nil) ?? own
    let known = TimeZone.knownTimeZoneIdentifiers
    let further = [chosen, other?.identifier].compactMap(\.self).filter { !known.contains($0) }
    zones = (Set(further).sorted() + known).map {
      Option(value: $0, label: $0.replacing("_", with: " "), isChosen: $0 == chosen)
    }
    page = try context.frame(words["welcome"], hasBar: false)
  }
}

extension WelcomePage.ZoneOffer {
  fileprivate init(_ zone: TimeZone, instead own: String, in context: PageContext) throws {
    let (words, name) = (context.words, zone.identifier.replacing("_", with: " "))
    let moved = try context.library.settings.movedCount(to: zone)
    let text = words.text(
      "zoneOffer", ["zone": name, "own": own.replacing("_", with: " ")])
    self.init(
      zone: zone.identifier,
      text:
        "\(text) \(moved == 0 ? words["zoneMovesNone"] : context.reader.count("zoneMoves", moved))",
      buttonLabel: words.text("zoneTake", ["zone": name]))
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

  package init(_ context: PageContext) throws {
    let words = context.words
    page = try context.frame(words["about"], at: .me)
    version = words.text("version", ["version": About.version])
    privacy = context.privacy
    disclaimer = words["disclaimerText"]
    licence = words.text("licenceIs", ["licence": About.licence])
    copyright = About.copyright
  }
}

/// The keys of the pages, with a switch, and where the manual says how far the pages follow WCAG 2.2.
package struct AccessibilityPage: Screen {
  package static let template = "accessibility"

  let page: PageFrame
  let keys: [Fact]

  package init(_ context: PageContext) throws {
    let words = context.words
    page = try context.frame(words["accessibility"], at: .me)
    keys = [
      ("T L P M", "pages"), ("+", "add"), ("/", "search"), ("← → J K", "photos"), ("Esc", "close"),
      ("F E", "favourite"), ("+ − 0", "zoom"), ("?", "keys"),
    ].map { Fact(label: $0, value: words["keyHelp.\($1)"]) }
  }
}
