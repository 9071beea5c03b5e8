package import Leaflog

/// The form of an entry that is made by one tap: the notes and tags of a tick or a mood, and which mood it is.
package struct NotesPage: Screen {
  package static let template = "notes"

  let page: PageFrame
  let backHref: String
  let backLabel: String
  let emoji: String
  let heading: String
  let date: String
  let action: String
  let version: String
  let problem: PageProblem?
  let conflict: Conflict?
  let rows: [FormRow]
  /// The activity or the moods, and the day on the timeline.
  let links: [Link]

  /// - Parameter id: the id of a completion or a mood.
  /// - Throws: `LeaflogError` with code `notFound` for entries of other kinds.
  package init(_ context: PageContext, _ id: String, refusal: Refusal? = nil) throws {
    let (reader, words) = (context.reader, context.words)
    let entry = try context.library.diary.noted(id)
    let form = FormBuilder(refusal, context)
    var rows = [FormRow(form.notes(entry.notes))]
    let source: Link
    switch entry.content {
    case .completion(let completion):
      let activity = completion.activity
      (emoji, heading) = (activity.emoji, activity.name)
      source = Link(href: "/activities/\(activity.id)", label: activity.name)
      rows.append(FormRow(try form.tags(entry.tags, hint: "tagsHint")))
    case .mood(let mood):
      (emoji, heading) = (mood.emoji, context.name(mood))
      source = Link(href: "/moods", label: words["moods"])
      let moods = Mood.allCases.map { ($0.rawValue, "\($0.emoji) \(context.name($0))") }
      let menu = form.menu("mood", label: "kind.mood", stored: mood.rawValue, none: nil, moods)
      rows.insert(FormRow(menu), at: 0)
      rows.append(FormRow(try form.tags(entry.tags, hint: "tagsHintDiary")))
    default: preconditionFailure("entries of other kinds are not found")
    }
    let day = entry.time.localDay
    date = .dotted(reader.longDay(day), reader.clock(entry.time))
    page = try context.frame(heading, at: .today)
    backHref = context.back ?? source.href
    backLabel = context.back == nil ? source.label : words["back"]
    action = "/entries/\(entry.id)"
    version = entry.versionDigest
    problem = context.problem(refusal)
    conflict = refusal?.conflict(at: action, rows.fields, words)
    self.rows = rows
    links =
      (context.back == nil ? [] : [source])
      + [Link(href: context.timelineHref(at: day), label: words["inTimeline"])]
  }
}

extension LibraryDiary {
  /// A completion or a mood that is not in the trash.
  ///
  /// - Throws: `LeaflogError` with code `notFound` for other entries, which have forms of their own.
  package func noted(_ id: String) throws(LeaflogError) -> Entry {
    let entry = try entry(matching: id)
    guard entry.deletedAt == nil, [.completion, .mood].contains(entry.kind) else {
      throw LeaflogError(.notFound, "\(entry.id) is not a completion or a mood on the timeline.")
    }
    return entry
  }
}

extension Entry {
  /// The way to its notes, where they have a form of their own.
  ///
  /// - Parameter place: the page that the form returns to.
  func notesHref(returningTo place: String) -> String {
    PageAddress("/entries/\(id)", [("back", place)]).text
  }

  /// The way to its notes, with their beginning.
  func notesLink(in context: PageContext) -> Link {
    let notes = notes.map { $0.count > 60 ? "\($0.prefix(60))…" : $0 }
    return Link(
      href: notesHref(returningTo: context.path), label: notes ?? context.words["addNote"])
  }
}
