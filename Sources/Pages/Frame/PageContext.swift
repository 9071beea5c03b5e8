internal import Foundation
package import Leaflog

/// The context of a page: the library, its reader, and the request.
package struct PageContext {
  package let library: Library
  package let reader: Reader
  /// The page's address without the result of the last form.
  let path: String
  /// The page that a form returns to once it is saved; nil where the form has a place of its own.
  let back: String?
  /// The number of the change that was just made or undone.
  let changed: Int64?
  /// How many of the entries that the last form selected were no longer there.
  let goneCount: Int
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
    changed: Int64? = nil, goneCount: Int = 0, holder: AccessToken? = nil,
    appearance: Appearance = Appearance(),
    scope: AccessScope = .everything, allows: @escaping @Sendable (String) -> Bool = { _ in true }
  ) throws {
    (self.library, self.scope, self.allows) = (library, scope, allows)
    (self.path, self.back) = (path, back)
    (self.changed, self.goneCount) = (changed, goneCount)
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
    PageFrame(
      words: words, look: PageLook(appearance), title: title, path: path, back: back,
      returning: returning, day: today.description, dayEnds: dayEnds, hasBar: hasBar,
      readingNotice: readingNotice, isToday: place == .today,
      isTimeline: place == .timeline, isAdd: place == .add, isPlants: place == .plants,
      isMe: place == .me, further: Further.all(words, at: path).filter { allows($0.href) },
      hasToday: allows("/"), hasAdd: allows("/add"), toast: try toast(), key: formKey)
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
    let gone = goneCount > 0 ? reader.count("gone", goneCount) : nil
    guard let id = changed,
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
