internal import Foundation
internal import Leaflog

/// The settings of the library.
package struct SettingsPage: Screen {
  package static let template = "settings"

  struct Form {
    let severityScales: FormValue
    let name: FormValue
    let maxFileSize: FormValue
  }

  let page: PageFrame
  let problem: PageProblem?
  let languages: [Option]
  let zones: [Option]
  /// The end of the day, in hours after midnight.
  let dayEnds: [Option]
  let weekStarts: [Option]
  let form: Form
  let quoteSources: [Option]
  let themes: [Option]
  let accents: [Option]

  package init(_ context: PageContext, refusal: Refusal? = nil) throws {
    let (words, settings) = (context.words, context.library.settings)
    let reader = FieldReader(refusal, words)
    page = try context.frame(words["settings"], at: .me)
    problem = context.problem(refusal)
    let look = context.appearance
    themes = Appearance.Theme.allCases.map {
      Option(
        value: $0.rawValue, label: words["theme.\($0.rawValue)"], isChosen: $0 == look.theme)
    }
    accents = Appearance.Accent.allCases.map {
      Option(
        value: $0.rawValue, label: words["accent.\($0.rawValue)"], isChosen: $0 == look.accent)
    }
    // Each language in its own name.
    languages = reader.options(
      "language", try settings.value(of: .language),
      PageLanguage.allCases.map { language in
        let locale = Locale(identifier: language.rawValue)
        let name = locale.localizedString(forLanguageCode: language.rawValue)
        return (
          language.rawValue,
          language == .auto ? words["language.auto"] : name ?? language.rawValue
        )
      })
    // One that is not known here cannot be set again, so that another has to be chosen.
    let zone = context.library.unknownTimeZone ?? context.library.timeZone.identifier
    let known = TimeZone.knownTimeZoneIdentifiers
    zones = reader.options(
      "timeZone", zone, (known.contains(zone) ? known : [zone] + known).map { ($0, $0) })
    dayEnds = reader.options(
      "dayEnd", "\(context.library.dayEnd)",
      LibrarySetting.dayEnds.map { hour in
        ("\(hour)", hour == 0 ? words["midnight"] : context.reader.clock(hour: hour))
      })
    weekStarts = reader.options(
      "weekStart", context.library.weekStart.rawValue,
      WeekStart.allCases.map { start in
        // 1970-01-05 was a Monday.
        let name = start.weekday.map { context.reader.weekday(LocalDay(dayNumber: 3 + $0)) }
        return (start.rawValue, name ?? words["weekStart.auto"])
      })
    form = Form(
      severityScales: reader.field("severityScales", try settings.value(of: .severityScales)),
      name: reader.field("name", try settings.value(of: .reportName)),
      maxFileSize: reader.field("maxFileSize", try settings.value(of: .importMaxFileSize)))
    quoteSources = reader.options(
      "quotesSource", try settings.value(of: .quotesSource),
      QuoteSource.allCases.map { ($0.rawValue, words["quoteSource.\($0.rawValue)"]) })
  }
}

/// The time and contents of reminders.
package struct RemindersPage: Screen {
  package static let template = "reminders"

  struct Form {
    let time: FormValue
  }

  let page: PageFrame
  let problem: PageProblem?
  let isOn: Bool
  let form: Form
  let parts: [Option]

  package init(_ context: PageContext, refusal: Refusal? = nil) throws {
    let words = context.words
    let reminder = try context.library.diary.reminder()
    let reader = FieldReader(refusal, words)
    page = try context.frame(words["reminders"], at: .me)
    problem = context.problem(refusal)
    isOn = refusal.map { $0.typed["reminder"] == "on" } ?? reminder.isOn
    form = Form(time: reader.field("time", reminder.time))
    let chosen = reader.all("part", reminder.parts.map(\.rawValue))
    parts = ReminderPart.allCases.map {
      Option(
        value: $0.rawValue, label: words["reminderPart.\($0.rawValue)"],
        isChosen: chosen.contains($0.rawValue))
    }
  }
}
