internal import Language
internal import Leaflog

/// An activity with its tick for a day.
struct CareRow {
  let id: String
  let emoji: String
  let name: String
  let day: String
  /// The text while it is not done: `2 days late · every 4 days`.
  let detail: String
  /// The text once it is done: `done today`.
  let doneDetail: String
  let isDone: Bool
  let isLate: Bool
  /// The photo that stands for its plant.
  let photo: Cover?
  let tickLabel: String
  /// Where a tick is recorded.
  let source: String
  /// The page that it is on.
  let path: String
  let words: Words
}

extension CareRow: HTMLPart {
  var html: HTML {
    """
    <li class="row\(" done", if: isDone)" data-state="\(isDone ? "on" : "off")">
    <span class="face">
    \(photo.map { "\($0.html)\n" as HTML })<span class="emoji" aria-hidden="true">\(emoji)</span>
    </span>
    <div class="grow"><a class="cover" href="/activities/\(id)"><strong>\(name)</strong></a>
    <span class="detail\(" late", if: isLate)" data-when="off">\(detail)</span><span class="detail" data-when="on">\(doneDetail)</span></div>
    <form method="post" action="/activities/\(id)/tick" data-instant data-notes data-on="POST /api/v1/activities/\(id)/completions" data-on-body="{&quot;days&quot;:[&quot;\(day)&quot;],&quot;skipDone&quot;:true,&quot;source&quot;:&quot;\(source)&quot;}" data-off="DELETE /api/v1/activities/\(id)/completions/\(day)" data-toast-on="\(tickLabel)" data-toast-off="\(words["toastUntick"])">
    <input type="hidden" name="on" value="\(day)">
    <input type="hidden" name="source" value="\(source)">
    <input type="hidden" name="back" value="\(path)">
    <button class="tick" name="done" value="\(isDone ? "false" : "true")" aria-pressed="\(isDone ? "true" : "false")" aria-label="\(tickLabel)">\(HTML.icon("check"))</button>
    </form>
    </li>
    """
  }
}

extension CareRow {
  init(
    _ activity: Activity, on day: LocalDay, isDone: Bool, photo: Cover? = nil,
    source: String = Completion.Source.app, in context: PageContext
  ) {
    let words = context.words
    let late = activity.dueDay.map { $0.daysAgo(on: day) } ?? 0
    self.init(
      id: activity.id.description, emoji: activity.details.emoji, name: activity.name,
      day: day.description,
      detail: source == Completion.Source.widget
        ? Self.daysAgo(activity, on: day, context.reader)
        : Self.detail(activity, on: day, context.reader),
      doneDetail: words[day == context.today ? "doneToday" : "doneThen"], isDone: isDone,
      isLate: !isDone && late > 0, photo: photo,
      tickLabel: words.text("tickLabel", ["name": activity.name]), source: source,
      path: context.path, words: words)
  }

  /// When it was last done, and when it is due: `3 days ago · in 4 days`.
  private static func daysAgo(_ activity: Activity, on day: LocalDay, _ reader: Reader) -> String {
    let words = reader.words
    let due = activity.dueDay.map { due in
      switch due.daysAgo(on: day) {
      case 0: words["dueTodayFirst"]
      case let late where late > 0: reader.count("lateDays", late)
      case let early: reader.count("dueIn", -early)
      }
    }
    return .dotted(
      activity.lastDone.map { reader.ago($0, on: day).capitalizedFirst } ?? words["neverDone"], due)
  }

  private static func detail(_ activity: Activity, on day: LocalDay, _ reader: Reader) -> String {
    let words = reader.words
    // On a past day, what was done later is not told.
    let last = activity.lastDone.flatMap { $0 > day ? nil : reader.ago($0, on: day) }
    let isToday = day == reader.today
    guard isToday || activity.dueDay.map({ $0 <= day }) == true else {
      return last.map { words.text("lastDone", ["when": $0]) } ?? ""
    }
    guard let due = activity.dueDay, let interval = activity.details.everyDays else {
      return last.map { words.text("lastDone", ["when": $0]) } ?? words["neverDone"]
    }
    let late = due.daysAgo(on: day)
    let lastTime = last.map { words.text("lastTime", ["when": $0]) }
    if late > 0 {
      return .dotted(
        words.text(
          "lateEvery",
          ["late": reader.count("lateDays", late), "interval": reader.every(interval)]), lastTime)
    }
    if late == 0 {
      guard let last else { return words[isToday ? "dueTodayFirst" : "dueThenFirst"] }
      return words.text(isToday ? "dueToday" : "dueThen", ["last": last])
    }
    return .dotted(reader.count("dueIn", -late), lastTime)
  }
}

extension PageContext {
  /// The photo that stands for each of these plants.
  func covers(of plants: some Sequence<PlantID>) throws -> [PlantID: Cover] {
    let ids = Set(plants)
    guard !ids.isEmpty else { return [:] }
    return try library.plants.covers(of: ids).reduce(into: [:]) { covers, found in
      covers[found.plant.id] = found.photo.flatMap { Cover($0) }
    }
  }
}

/// Care that a plant needs.
struct DueCare {
  let text: String
  let isLate: Bool
}

extension DueCare {
  /// The due care and how late it is: `Water the basil: 2 days late`; nil when it is not due.
  init?(_ activity: Activity, in context: PageContext) {
    guard let day = activity.dueDay else { return nil }
    let (reader, words) = (context.reader, context.words)
    let late = day.daysAgo(on: context.today)
    guard late >= 0 else { return nil }
    let text =
      late == 0
      ? words.text("careDue", ["name": activity.name])
      : words.text(
        "careLate", ["name": activity.name, "late": reader.count("lateDays", late)])
    self.init(text: text, isLate: late > 0)
  }
}
