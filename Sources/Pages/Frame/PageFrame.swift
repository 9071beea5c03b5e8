internal import Language

/// The head, bar and toast that all pages have.
struct PageFrame {
  /// The entries of the bar.
  enum Place { case today, timeline, add, plants, me }

  /// The words of the document, whose language is that of its `lang`.
  let words: Words
  let look: PageLook
  /// The title of the document.
  let title: String
  /// The address of the page, with its query but without `changed`: forms send it as `back`.
  let path: String
  /// The page that its form returns to, where that is not one of its own.
  let back: String?
  /// The parameter, `back=…`, for a form that returns to this page, or to the one that this page returns to.
  let returning: String
  /// Today in the library's time zone: `2026-11-21`.
  let day: String
  /// The end of today, in ISO 8601.
  let dayEnds: String
  let hasBar: Bool
  /// A sentence that says why the library can only be read.
  let readingNotice: String?
  let isToday: Bool
  let isTimeline: Bool
  let isAdd: Bool
  let isPlants: Bool
  let isMe: Bool
  /// Further pages, for desktops, which have room for them.
  let further: [Further]
  /// Whether the reader may open the page of a day.
  var hasToday = true
  /// Whether the reader may add something.
  var hasAdd = true
  let toast: Toast?
  /// The key by which the page's form is saved once; empty on pages without a form of the diary.
  var key = ""
}

/// A page that is in the bar only on a desktop.
struct Further {
  let href: String
  let icon: String
  let label: String
  let isHere: Bool

  /// - Parameter path: the path of the current page.
  static func all(_ words: Words, at path: String) -> [Further] {
    [
      ("activities", "activities", "activities"), ("symptoms", "symptom", "symptoms"),
      ("log", "log", "dailyLog"), ("episodes", "episode", "episodes"),
      ("insights", "chart", "insights"), ("moods", "mood", "moods"), ("quotes", "quote", "quotes"),
      ("search", "search", "search"),
    ].map { page, icon, word in
      Further(
        href: "/\(page)", icon: icon, label: words[word],
        isHere: path.dropFirst().prefix { $0 != "/" && $0 != "?" } == page)
    }
  }
}

/// A change that was just made, with a button that undoes it.
struct Toast {
  let text: String
  /// The number of the change; nil where nothing was changed.
  let change: String?
  /// Whether the change was undone, and the button redoes it.
  let isUndone: Bool
  /// The way to the note of a tick or a mood that was just made; nil for everything else.
  var noteHref: String?
}

/// A failure, and what to do about it.
package struct PageProblem: Sendable {
  package let title: String
  package let detail: String?

  package init(title: String, detail: String?) { (self.title, self.detail) = (title, detail) }
}

/// Stored and typed values side by side, for a form whose entry was changed elsewhere in the meantime.
struct Conflict {
  struct Row {
    let label: String
    let stored: String
    let typed: String
  }

  let title: String
  /// The address of a fresh form, or of what was saved before.
  let href: String
  let hasRows: Bool
  let rows: [Row]
}

/// The fields of a list: one for each item, and one for new items, which are separated by commas.
struct ListField {
  struct Item {
    /// The id of its element.
    let itemId: String
    /// Counted from 1.
    let number: Int
    let item: String
  }

  let items: [Item]
  /// The name of the field for new items: the list's, unless fields of items have it.
  let newName: String
  let new: String?
  let suggestions: FormField.Suggestions?

  /// - Parameters:
  ///   - new: the new items, as typed.
  ///   - hasItems: whether items have fields, even if all of them are empty.
  init(_ list: String, _ items: [String], hasItems: Bool, new: String?, suggestions: [String]) {
    self.items = items.enumerated().map {
      Item(itemId: "\(list)-\($0 + 1)", number: $0 + 1, item: $1)
    }
    newName = hasItems ? Self.nameOfNew(list) : list
    self.new = new
    self.suggestions = FormField.Suggestions(suggestions)
  }

  static func nameOfNew(_ list: String) -> String { "\(list).new" }
}

/// An option of a select.
struct Option {
  let value: String
  let label: String
  let isChosen: Bool
  /// The language of the label, where it is another than the page's.
  var language: String? = nil
}

extension [Option] {
  /// The options of a list that opens.
  var html: HTML { "\(map(\.option))" }
}

extension Option: NamedValues {
  var values: [String: Any] {
    ["value": value, "label": label, "isChosen": isChosen, "option": option]
  }

  /// The option in a list that opens.
  fileprivate var option: HTML {
    #"<option value="\#(value)"\#(" selected", if: isChosen)\#(attribute: "lang", language)>\#(label)</option>"#
  }
}

/// One of a few answers, all of them visible.
struct Radio {
  let value: String
  let label: String
  let isChosen: Bool
  /// The answer that leaves the field unset.
  let isUnset: Bool
}

struct Link {
  let href: String
  let label: String
}

/// One of several links, of which one is active.
struct Choice {
  let href: String
  let label: String
  let isChosen: Bool
}

extension Choice: HTMLPart {
  var html: HTML { #"<a class="chip" href="\#(href)"\#(.chosen, if: isChosen)>\#(label)</a>"# }
}

struct Fact {
  let label: String
  let value: String
}
