internal import Foundation
package import Leaflog

/// The settings of the library.
package struct SettingsPage: Screen {
  package static let template = "settings"

  let page: PageFrame
  let problem: PageProblem?
  let rows: [FormRow]
  let themes: [Option]
  let accents: [Option]

  package init(_ context: PageContext, refusal: Refusal? = nil) throws {
    let words = context.words
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
    let form = FormBuilder(refusal, context)
    rows = try Self.fields.map { FormRow(try Self.field($0.name, of: $0.setting, form, context)) }
  }

  /// The settings of the form in its order: the name of each field, and the word for a value that it does not take.
  package static let fields: [(name: String, setting: LibrarySetting, fault: String)] = [
    ("language", .language, "error.value"), ("timeZone", .timeZone, "error.value"),
    ("dayEnd", .dayEnd, "error.value"), ("weekStart", .weekStart, "error.value"),
    ("severityScales", .severityScales, "error.scales"), ("name", .reportName, "error.value"),
    ("quotesSource", .quotesSource, "error.value"),
    ("maxFileSize", .importMaxFileSize, "error.size"),
  ]

  private static func field(
    _ name: String, of setting: LibrarySetting, _ form: FormBuilder, _ context: PageContext
  ) throws -> FormField {
    let (words, library) = (context.words, context.library)
    let stored = try library.settings.value(of: setting)
    func menu(_ options: [(value: String, label: String)]) -> FormField {
      form.menu(name, stored: stored, none: nil, options)
    }
    switch setting {
    case .language:
      // Each language in its own name.
      var field = menu(
        PageLanguage.allCases.map { language in
          let (code, auto) = (language.rawValue, words["language.auto"])
          let own = Locale(identifier: code).localizedString(forLanguageCode: code)
          return (code, language == .auto ? auto : own ?? code)
        })
      for language in PageLanguage.allCases where language != .auto {
        let place = field.menu?.options.firstIndex { $0.value == language.rawValue }
        if let place { field.menu?.options[place].language = language.rawValue }
      }
      return field
    case .timeZone:
      // One that is not known here cannot be set again, so that another has to be chosen.
      let known = TimeZone.knownTimeZoneIdentifiers
      return menu((known.contains(stored) ? known : [stored] + known).map { ($0, $0) })
    case .dayEnd:
      return menu(
        LibrarySetting.dayEnds.map { hour in
          ("\(hour)", hour == 0 ? words["midnight"] : context.reader.clock(hour: hour))
        })
    case .weekStart:
      return menu(
        WeekStart.allCases.map { start in
          // 1970-01-05 was a Monday.
          let day = start.weekday.map { context.reader.weekday(LocalDay(dayNumber: 3 + $0)) }
          return (start.rawValue, day ?? words["weekStart.auto"])
        })
    case .quotesSource:
      return menu(
        QuoteSource.allCases.map { ($0.rawValue, words["quotesSource.\($0.rawValue)"]) })
    case .reportName:
      return form.field(
        name, label: "libraryName", stored: stored, .init(maxLength: 200, isOwnName: true),
        hint: words["libraryNameHint"])
    default: return form.field(name, stored: stored, .init())
    }
  }
}

/// The time and contents of reminders.
package struct RemindersPage: Screen {
  package static let template = "reminders"

  struct Form {
    let time: FormValue
    let contact: FormValue
  }

  /// Messages to devices.
  struct Push {
    /// Why no device can get any; nil if this one may.
    let obstacle: String?
    /// How many devices get messages, and which statuses push services refused them with.
    let devices: String?
    let refusals: String?
  }

  let page: PageFrame
  let problem: PageProblem?
  let isOn: Bool
  let form: Form
  let parts: [Option]
  let namesThings: Bool
  let push: Push

  package init(_ context: PageContext, refusal: Refusal? = nil) throws {
    let words = context.words
    let settings = context.library.settings
    let reminder = try context.library.diary.reminder()
    let reader = FieldReader(refusal, words)
    page = try context.frame(words["reminders"], at: .me)
    problem = context.problem(refusal)
    isOn = refusal.map { $0.typed["reminder"] == "on" } ?? reminder.isOn
    let contact = try settings.value(of: .pushContact)
    form = Form(
      time: reader.field("time", reminder.time), contact: reader.field("contact", contact))
    namesThings =
      try refusal.map { $0.typed["names"] == "on" } ?? (settings.value(of: .reminderNames) == "on")
    push = try Self.push(contact, context)
    let chosen = reader.all("part", reminder.parts.map(\.rawValue))
    parts = ReminderPart.allCases.map {
      Option(
        value: $0.rawValue, label: words["reminderPart.\($0.rawValue)"],
        isChosen: chosen.contains($0.rawValue))
    }
  }

  private static func push(_ contact: String, _ context: PageContext) throws -> Push {
    let words = context.words
    guard let holder = context.holder else {
      return Push(obstacle: words["pushNeedsToken"], devices: nil, refusals: nil)
    }
    guard context.library.access.allowsWriting else {
      return Push(obstacle: words["pushNotHere"], devices: nil, refusals: nil)
    }
    let devices = try context.library.tokens.pushDevices(of: holder.id)
    let refusals = Set(devices.compactMap(\.refusal)).sorted().map(String.init)
    return Push(
      obstacle: contact.isEmpty ? words["pushNeedsContact"] : nil,
      devices: devices.isEmpty ? nil : context.reader.count("pushDevices", devices.count),
      refusals: refusals.isEmpty
        ? nil
        : words.text("pushRefused", ["status": refusals.joined(separator: ", ")]))
  }
}
