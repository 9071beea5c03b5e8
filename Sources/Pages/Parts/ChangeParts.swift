internal import Fields
internal import Language
internal import Leaflog

/// A thing that a change touched, with its fields before and after.
struct ChangedRow {
  /// The kind in one word, for those who do not see the picture; nil where the name is the kind.
  let kind: String?
  let name: String
  let photo: Cover?
  let emoji: String?
  let fields: [Field]

  struct Field {
    /// Nil for the only value that a thing has.
    let label: String?
    let old: String
    let new: String
  }
}

extension ChangedRow {
  init(_ thing: ChangedThing, in context: PageContext) {
    let words = context.words
    let (kind, name, emoji): (String?, String, String?) =
      switch thing.subject {
      case .entry(let entry): context.heading(of: entry)
      case .plant(let plant): (words["singular.plant"], plant.name, "🪴")
      case .activity(let activity): (words["singular.activity"], activity.name, activity.emoji)
      case .quote(let quote): (words["singular.quote"], quote.text, "💬")
      case .factor(_, let name): (words["singular.factor"], name, "📋")
      case .setting(let key): (nil, words.field(key), nil)
      }
    // The file of a photo that is no longer in the diary cannot be asked for.
    let photo = thing.entry.flatMap { $0.photo?.thumbnail == nil ? nil : Cover($0) }
    self.init(
      kind: kind, name: name, photo: photo, emoji: photo == nil ? emoji : nil,
      fields: thing.fields.map { field in
        Field(
          label: thing.setting == nil ? words.field(field.name) : nil,
          old: context.text(field.before, of: field.name, thing),
          new: context.text(field.after, of: field.name, thing))
      })
  }
}

extension PageContext {
  /// Its kind, `Monstera, 4 June` or `Headache, 4 June`, and its emoji.
  fileprivate func heading(of entry: Entry) -> (kind: String?, name: String, emoji: String?) {
    guard let line = EntryLine(entry, in: self) else {
      return (words["singular.photo"], alt(of: entry), "📷")
    }
    let name = words.text("photoAlt", ["plant": line.title, "date": reader.day(entry.time)])
    return (line.kind, name, line.emoji)
  }

  /// A value in the reader's language; typed texts are in quotes.
  fileprivate func text(_ value: Scalar, of field: String, _ thing: ChangedThing) -> String {
    switch value {
    case .null, .list([]): words["changedValue.nothing"]
    case .flag(let flag): words[flag ? "changedValue.yes" : "changedValue.no"]
    case .whole(let number): reader.number(number)
    case .number(let number):
      field == "severity"
        ? words.text("ofFive", ["number": reader.exactNumber(number)]) : reader.exactNumber(number)
    case .text(let text): self.text(text, of: field, thing)
    case .list(let items):
      items.map { choice($0.shown, of: field) ?? $0.shown }
        .joined(separator: ", ")
    case .members(let members):
      members.sorted { $0.key < $1.key }.map { "\($0.key): \(text($0.value, of: field, thing))" }
        .joined(separator: ", ")
    }
  }

  private func text(_ text: String, of field: String, _ thing: ChangedThing) -> String {
    if thing.setting != nil {
      return choice(text, of: thing.id) ?? (text.isEmpty ? "–" : text)
    }
    if field == "severityLabel" { return label(text) }
    if let choice = choice(text, of: field) { return choice }
    if let time = RecordedTime(text), field == "time" || LocalDay(text) != nil {
      let time = EntryTime(time, in: reader.zone)
      return [reader.day(time), reader.clock(time)].compactMap { $0 }.joined(separator: ", ")
    }
    return words.text("quoted", ["text": text])
  }

  private func choice(_ text: String, of field: String) -> String? {
    words.optional("\(field).\(text)") ?? words.optional("changedValue.\(text)")
  }

  /// The reason why a change cannot be undone or redone.
  func text(_ blocker: ChangeBlocker) -> String {
    switch blocker {
    case .changedLater(nil): words["blocker.changedLater"]
    case .changedLater(let later?): words.text("blocker.changedBy", ["change": "\(later)"])
    case .nameTaken(let thing): words["blocker.nameTaken.\(thing.rawValue)"]
    case .dayTaken: words["blocker.dayTaken"]
    case .filesGone: words["blocker.filesGone"]
    case .inUse: words["blocker.inUse"]
    case .ownerInTrash(let thing): words["blocker.ownerInTrash.\(thing.rawValue)"]
    }
  }
}

extension Words {
  /// The label of a field or of a setting.
  fileprivate func field(_ name: String) -> String { optional("changed.\(name)") ?? self[name] }
}
