internal import Leaflog

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
  /// What the entry is a part of: the activity, or the moods.
  let links: [Link]

  /// - Parameter id: the id of a completion or a mood.
  /// - Throws: `LeaflogError` with code `notFound` for entries of other kinds.
  package init(_ context: PageContext, _ id: String, refusal: Refusal? = nil) throws {
    let (reader, words) = (context.reader, context.words)
    let entry = try context.library.diary.entry(id)
    let form = FormBuilder(refusal, context)
    var rows = [
      FormRow(form.notes(entry.notes)), FormRow(try form.tags(entry.tags, hint: "tagsHint")),
    ]
    let source: Link
    switch entry.content {
    case .completion(let completion):
      let activity = completion.activity
      (emoji, heading) = (activity.emoji, activity.name)
      source = Link(href: "/activities/\(activity.id)", label: activity.name)
    case .mood(let mood):
      (emoji, heading) = (mood.emoji, context.name(mood))
      source = Link(href: "/moods", label: words["moods"])
      let moods = Mood.allCases.map { ($0.rawValue, "\($0.emoji) \(context.name($0))") }
      rows.insert(
        FormRow(form.menu("mood", label: "kind.mood", stored: mood.rawValue, none: nil, moods)),
        at: 0)
    default: throw LeaflogError(.notFound, "\(entry.id) has a form of its own.")
    }
    guard entry.deletedAt == nil else {
      throw LeaflogError(.notFound, "\(entry.id) is in the trash.")
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

extension Entry {
  /// The way to its notes, where they have a form of their own.
  func notesLink(in context: PageContext) -> Link {
    Link(
      href: PageAddress("/entries/\(id)", [("back", context.path)]).text,
      label: notes ?? context.words["addNote"])
  }
}
