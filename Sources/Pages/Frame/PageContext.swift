internal import Foundation
internal import Language
package import Leaflog

/// The context of a page: the library, its reader, and the request.
package struct PageContext {
  package let library: Library
  package let reader: Reader
  /// The page's address without the result of the last form.
  let path: String
  /// The page that a form returns to once it is saved; nil where the form has a place of its own.
  let back: String?
  /// The outcome of the last form, which the page reports.
  let result: FormResult
  let appearance: Appearance
  /// The reader's token, if they have presented one.
  package let holder: AccessToken?
  var isSignedIn: Bool { holder != nil }
  /// The scope of the reader's token.
  package let scope: AccessScope
  /// The key by which the page's form is saved once.
  package let formKey = UUID().uuidString
  /// Whether the reader may open the page at a path.
  let allows: @Sendable (String) -> Bool
  /// The labels of severities, from which rows draw their dots.
  let scales: SeverityScales

  package init(
    library: Library, languages: [String], path: String, back: String? = nil,
    result: FormResult = FormResult(), holder: AccessToken? = nil,
    appearance: Appearance = Appearance(),
    scope: AccessScope = .everything, allows: @escaping @Sendable (String) -> Bool = { _ in true }
  ) throws {
    (self.library, self.scope, self.allows) = (library, scope, allows)
    (self.path, self.back) = (path, back)
    self.result = result
    self.appearance = appearance
    self.holder = holder
    scales = try library.diary.severityScales()
    reader = Reader(
      languages: Self.languages(languages, in: library), zone: library.timeZone,
      today: library.today, weekStart: library.weekStart)
  }

  /// The languages that pages of a library come in, most preferred first.
  ///
  /// - Parameter wanted: those that a browser names.
  package static func languages(_ wanted: [String], in library: Library) -> [String] {
    guard library.language != .auto else { return wanted }
    let chosen = library.language.rawValue
    // The reader's region is kept if it belongs to the chosen language.
    return wanted.filter { $0.split(separator: "-").first ?? "" == chosen } + [chosen]
  }

  var words: Words { reader.words }
  var today: LocalDay { reader.today }

  /// A sentence on where the diary is stored and who can see it.
  var privacy: String {
    library.store.address.map { words.text("privacyTextStore", ["store": $0]) }
      ?? words["privacyText"]
  }

  func frame(
    _ title: String, at place: PageFrame.Place? = nil, hasBar: Bool = true
  ) throws -> PageFrame {
    let toast = try toast()
    // Readers say the title of a page that they come to, and of live regions only what changes.
    return PageFrame(
      words: words, look: PageLook(appearance), title: .dotted(toast?.text, title), path: path,
      back: back,
      returning: returning, day: today.description, dayEnds: dayEnds, hasBar: hasBar,
      readingNotice: readingNotice, isToday: place == .today,
      isTimeline: place == .timeline, isAdd: place == .add, isPlants: place == .plants,
      isMe: place == .me, further: Further.all(words, at: path).filter { allows($0.href) },
      hasToday: allows("/"), hasAdd: allows("/add"), toast: toast, key: formKey)
  }

  /// The parameter, `back=…`, for a form that returns to this page, or to the one that this page returns to.
  var returning: String { "\(PageAddress("", [("back", back ?? path)]).query.dropFirst())" }

  private var readingNotice: String? {
    if library.isOnReadOnlyDisk { return words["readOnlyNow"] }
    return library.access == .reading ? words["replicaNow"] : nil
  }

  /// The end of the day, with the offset of the time zone.
  private var dayEnds: String {
    RecordedTime("\(today.advanced(by: 1))T0\(library.dayEnd):00:00").map {
      EntryTime($0, in: library.timeZone)
    }.map { "\($0.wall)\($0.offset)" } ?? today.description
  }

  /// The sentence on the change that was just made, and the way to the note that it may get.
  ///
  /// - Parameter place: the page that the form of the note returns to.
  package func saved(returningTo place: String) throws -> (text: String?, note: String?) {
    let toast = try toast(returningTo: place)
    return (toast?.text, toast?.noteHref)
  }

  private func toast(returningTo place: String? = nil) throws -> Toast? {
    if let job = result.startedJob, let name = words.optional("job.\(job.kind)") {
      let title = job.isDry ? words.text("jobDry", ["title": name]) : name
      return Toast(text: words.text("jobStarted", ["title": title]), change: nil, isUndone: false)
    }
    let gone = result.goneCount > 0 ? reader.count("gone", result.goneCount) : nil
    guard let id = result.change,
      let change = try library.history.page(before: id + 1, limit: 1).changes.first, change.id == id
    else { return gone.map { Toast(text: $0, change: nil, isUndone: false) } }
    let text =
      change.isUndone ? words["undone"] : HistoryPage.ChangeRow.title(of: change, reader)
    let unsent = library.store.reasonForUnsent == nil ? nil : words["unsent"]
    return Toast(
      text: [text, gone, unsent].compactMap(\.self).joined(separator: " · "), change: "\(id)",
      isUndone: change.isUndone, noteHref: noteHref(of: change, returningTo: place ?? path))
  }

  /// The way to the note of a tick or a mood that was just made, and has none.
  private func noteHref(of change: Change, returningTo place: String) -> String? {
    guard [.activityDone, .moodSet].contains(change.kind), !change.isUndone,
      change.things.count + change.furtherCount == 1, let made = change.things.first,
      made.fate != .deleted, let entry = made.entry, entry.notes == nil
    else { return nil }
    return entry.notesHref(returningTo: place)
  }
}

/// The outcome of a form, as the address of the page that it leads to has it.
package struct FormResult: Sendable {
  /// The number of the change that was made or undone.
  package var change: Int64?
  /// How many of the entries that it selected were no longer there.
  package var goneCount = 0
  /// The job that it has started.
  package var startedJob: StartedJob?

  /// A job by its kind, such as `verify`; in an address, `recompress.dry` is one that only tries it out.
  package struct StartedJob: Sendable, LosslessStringConvertible {
    let kind: String
    let isDry: Bool

    package init(kind: String, isDry: Bool) { (self.kind, self.isDry) = (kind, isDry) }

    package init(_ text: String) {
      let parts = text.split(separator: ".", maxSplits: 1)
      self.init(kind: String(parts.first ?? ""), isDry: parts.dropFirst().first == "dry")
    }

    package var description: String { isDry ? "\(kind).dry" : kind }
  }

  package init(change: Int64? = nil, goneCount: Int = 0, startedJob: StartedJob? = nil) {
    (self.change, self.goneCount, self.startedJob) = (change, goneCount, startedJob)
  }

  /// The names of its parameters. Scripts and the service worker know them, too.
  package static let names: Set<String> = ["changed", "gone", "started"]

  /// The address of a page that reports it.
  package func address(of path: String) -> String {
    // 0 means that nothing has changed: the browser may forget what was typed.
    var parameters = "changed=\(change ?? 0)"
    if goneCount > 0 { parameters += "&gone=\(goneCount)" }
    if let startedJob { parameters += "&started=\(startedJob)" }
    let anchor = path.firstIndex(of: "#") ?? path.endIndex
    var address = path
    address.insert(
      contentsOf: (path[..<anchor].contains("?") ? "&" : "?") + parameters, at: anchor)
    return address
  }
}

/// An address made of a path and a query.
package struct PageAddress {
  let path: String
  var parameters: [(String, String)]

  package init(_ path: String, _ parameters: [(String, String)] = []) {
    (self.path, self.parameters) = (path, parameters)
  }

  func with(_ name: String, _ value: String?) -> PageAddress {
    var address = self
    address.parameters.removeAll { $0.0 == name }
    if let value { address.parameters.append((name, value)) }
    return address
  }

  package var text: String { path + query }

  /// The query with its question mark; empty without parameters.
  var query: String {
    guard !parameters.isEmpty else { return "" }
    let parts = parameters.map { name, value in
      "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? "")"
    }
    return "?" + parts.joined(separator: "&")
  }

  /// The unreserved characters (RFC 3986, 2.3); Foundation's sets contain the letters of all scripts.
  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

  /// The address, ending so that parameters can be appended.
  var open: String { parameters.isEmpty ? path + "?" : text + "&" }
}

/// The days that pages lead to, and that forms accept.
extension PageContext {
  /// The last day that calendars and links lead to: the diary's, or the last that can be written while the clock is behind
  /// and cannot tell.
  var lastDay: LocalDay {
    // 9999-12-31
    get throws { try library.latestDay == nil ? LocalDay(dayNumber: 2_932_896) : today }
  }

  /// The latest day that a form accepts: the calendar's, which has begun before the diary's day is over, or a stored one
  /// that was recorded further east. Nil while the clock is behind and cannot tell.
  func latestDay(_ stored: LocalDay?...) throws -> String? {
    try library.latestDay.map { "\(stored.compactMap(\.self).reduce($0, max))" }
  }
}
