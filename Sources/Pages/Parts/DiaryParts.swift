internal import Language
internal import Leaflog

struct SymptomRow {
  let id: String
  let name: String
  let detail: String
  /// The severity in words, for those who do not see the dots.
  let severity: String
  /// One dot for each step of its scale, full up to the severity.
  let dots: [Bool]
  let href: String
  let words: Words
}

struct QuoteCard {
  let id: String
  let text: String
  /// The language of the text, if it is known.
  let quoteLanguage: String?
  /// Its first words, which tell its buttons from those of others.
  let start: String
  /// The author, and the work quoted from.
  let author: String?
  let isFavourite: Bool
  let shareText: String
  let canDelete: Bool
  /// The start of a picture's name: `quote-ralph-waldo-emerson`
  let fileName: String

  init(_ quote: Quote, isFavourite: Bool, canDelete: Bool = false) {
    id = quote.id.description
    quoteLanguage = quote.language
    // Printed poems mark their lines by slashes.
    text = quote.quoted.replacing(" / ", with: "\n")
    start = quote.quoted.split(maxSplits: 6, whereSeparator: \.isWhitespace).prefix(6)
      .joined(separator: " ")
    let by = [quote.author, quote.source].joined(by: ", ")
    author = by.isEmpty ? nil : by
    self.isFavourite = isFavourite
    shareText = quote.attributed
    self.canDelete = canDelete
    let words = (quote.author ?? "").lowercased().split { !$0.isLetter && !$0.isNumber }
    fileName = (["quote"] + words).joined(separator: "-")
  }
}

struct MoodButton {
  let mood: String
  let emoji: String
  let name: String
  let isChosen: Bool
  /// The day of the mood.
  let day: String
  /// Whether its name is written on it.
  let isNamed: Bool
}

extension MoodButton: HTMLPart {
  var html: HTML {
    #"<button class="mood\#(" named", if: isNamed)" name="mood" value="\#(isChosen ? "none" : mood)" data-value="\#(mood)" data-on="PUT /api/v1/days/\#(day)/mood" data-on-body="{&quot;mood&quot;:&quot;\#(mood)&quot;}" aria-pressed="\#(isChosen ? "true" : "false")"\#(attribute: "aria-label", isNamed ? nil : name)\#(attribute: "title", isNamed ? nil : name)><span aria-hidden="true">\#(emoji)</span>\#("<small>\(name)</small>", if: isNamed)</button>"#
  }
}

extension SymptomRow: HTMLPart {
  var html: HTML {
    """
    <li class="row" data-swipe="\(id)" data-delete="\(words["delete"])">
    <div class="grow"><a class="cover" href="\(href)"><strong>\(name)</strong><span class="detail">\(detail)</span></a></div>
    <span class="dots" role="img" aria-label="\(severity)">\(dots.map { $0 ? #"<i class="full"></i>"# : "<i></i>" as HTML })</span>
    </li>
    """
  }
}

extension SymptomRow {
  /// Nil for an entry of another kind.
  ///
  /// - Parameter withDay: whether to include its day.
  init?(_ entry: Entry, withDay: Bool = false, in context: PageContext) {
    guard case .symptom(let symptom) = entry.content else { return nil }
    let reader = context.reader
    let severity = context.severity(symptom.severity)
    let day = withDay ? reader.day(entry.time.localDay) : nil
    let medications = symptom.medications.map(\.isolated).joined(separator: ", ")
    self.init(
      id: entry.id.description, name: symptom.name,
      detail: .dotted(severity, day, reader.clock(entry.time), medications, entry.notes),
      severity: context.words.text("severityOf", ["label": severity]),
      dots: context.scales.dots(of: symptom.severity),
      href: "/symptoms/\(entry.id)?\(context.returning)", words: context.words)
  }
}

extension MoodButton {
  /// A button for each mood: five frequent ones, and the others.
  static func all(
    chosen: Mood?, on day: LocalDay, in context: PageContext
  ) -> (first: [MoodButton], more: [MoodButton]) {
    var first: [Mood] = [.happy, .okay, .tired, .stressed, .sad]
    // The chosen one must be visible.
    if let chosen, !first.contains(chosen) { first[2] = chosen }
    func button(_ mood: Mood, isNamed: Bool) -> MoodButton {
      MoodButton(
        mood: mood.rawValue, emoji: mood.emoji, name: context.name(mood), isChosen: mood == chosen,
        day: day.description, isNamed: isNamed)
    }
    return (
      first.map { button($0, isNamed: false) },
      Mood.allCases.filter { !first.contains($0) }.map { button($0, isNamed: true) }
    )
  }
}
