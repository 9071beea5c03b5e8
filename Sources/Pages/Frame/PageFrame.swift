/// The head, bar and toast that all pages have.
struct PageFrame {
  /// The places of the bar.
  enum Place { case today, timeline, add, plants, me }

  /// For `lang` of HTML.
  let lang: String
  /// Of the document.
  let title: String
  /// Of the page, with its query but for `changed` and `undone`: forms send it as `back`.
  let path: String
  /// The path of the assets, which changes with them.
  let assets: String
  /// Today in the library's zone: `2026-11-21`.
  let day: String
  /// When it ends, in ISO 8601.
  let dayEnds: String
  let hasBar: Bool
  /// Whether the library can only be read.
  let isReplica: Bool
  let isToday: Bool
  let isTimeline: Bool
  let isAdd: Bool
  let isPlants: Bool
  let isMe: Bool
  /// Where a desk has room for more.
  let further: [Further]
  let toast: Toast?
}

/// A page that is one of the bar's on a desk alone.
struct Further {
  let href: String
  let icon: String
  let label: String
  let isHere: Bool

  /// - Parameter path: of the page that is shown.
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
  /// Its number.
  let change: String
  /// Whether it was undone, and the button does it again.
  let isUndone: Bool
}

/// A failure, and what to do about it.
package struct PageProblem: Sendable {
  package let title: String
  package let detail: String?

  package init(title: String, detail: String?) { (self.title, self.detail) = (title, detail) }
}

/// Stored and typed values side by side, where something was changed elsewhere meanwhile.
struct Conflict {
  struct Row {
    let label: String
    let stored: String
    let typed: String
  }

  /// The form afresh.
  let href: String
  let rows: [Row]
}

/// A field of a form.
struct Field {
  let value: String?
  let error: String?

  init(_ value: String?, error: String? = nil) {
    self.value = value.flatMap { $0.isEmpty ? nil : $0 }
    self.error = error
  }
}

/// An item of a list to choose from.
struct Option {
  let value: String
  let label: String
  let isChosen: Bool
}

/// One of a few answers, all of which are seen.
struct Radio {
  let value: String
  let label: String
  let isChosen: Bool
  /// The answer that says nothing.
  let isUnset: Bool
}

struct Link {
  let href: String
  let label: String
}

/// A link that is one of several, of which one is on.
struct Choice {
  let href: String
  let label: String
  let isChosen: Bool
}

struct Fact {
  let label: String
  let value: String
}
