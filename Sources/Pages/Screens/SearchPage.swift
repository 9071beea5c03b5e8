package import Leaflog

/// A search for words in everything.
package struct SearchPage: Screen {
  package static let template = "search"

  let page: PageFrame
  let text: String?
  /// Whether no search has been made yet.
  let isFresh: Bool
  let hasText: Bool
  let kinds: [Choice]
  let found: String
  /// Another text to search for, where nothing was found.
  let suggestion: Link?
  let hasPlants: Bool
  let plants: [FoundPlant]
  let content: SectionContent
  let olderHref: String?
  let hasTags: Bool
  let tags: [Link]

  struct FoundPlant {
    let id: String
    let name: String
    let detail: String
    let photo: Cover?
  }

  /// The number of entries on a page.
  private static let pageLimit = 100

  /// - Parameters:
  ///   - text: nil means that no search has been made yet.
  ///   - kind: the kind of the entries; nil means any.
  ///   - cursor: the end of the previous page.
  package init(
    _ context: PageContext, text: String?, kind: EntryKind? = nil, before cursor: Cursor? = nil
  ) throws {
    let (reader, words, library) = (context.reader, context.words, context.library)
    let result = try text.map {
      try library.timeline.search(
        $0, names: words.shownNames, in: TimelineQuery(kinds: kind.map { [$0] } ?? []),
        at: cursor.map { .cursor($0) } ?? .start, limit: Self.pageLimit)
    }
    let address = PageAddress("/search").with("text", text)
    page = try context.frame(words["search"])
    self.text = text
    isFresh = text == nil
    hasText = text != nil
    kinds = ([nil] + EntryKind.allCases).map { other in
      Choice(
        href: address.with("kind", other?.rawValue).text,
        label: words["kind.\(other?.rawValue ?? "everything")"], isChosen: other == kind)
    }
    let entries = result?.page.elements ?? []
    let covers = try context.covers(of: (result?.plants ?? []).map(\.id))
    plants = (result?.plants ?? []).map { plant in
      FoundPlant(
        id: plant.id.description, name: plant.name,
        detail: .dotted(
          plant.details.scientificName, plant.details.location,
          reader.count("countPhotos", plant.photoCount)),
        photo: covers[plant.id])
    }
    hasPlants = !plants.isEmpty
    let count = plants.count + entries.count
    let hasMore = result?.page.next != nil
    found =
      count == 0
      ? words["foundNone"]
      : hasMore
        ? words.text("foundMore", ["count": reader.number(Self.pageLimit)])
        : reader.count("foundCount", count)
    content = Self.days(of: entries, in: context)
    suggestion = result?.suggestion.map {
      Link(
        href: address.with("text", $0).with("kind", kind?.rawValue).text,
        label: words.text("didYouMean", ["text": $0]))
    }
    olderHref = result?.page.next.map {
      address.with("kind", kind?.rawValue).with("before", $0.description).text
    }
    tags =
      text == nil
      ? try library.diary.tags().prefix(40).map { tag in
        Link(
          href: PageAddress("/timeline").with("tag", tag.name).text,
          label: words.text("tagCount", ["tag": tag.name, "number": reader.number(tag.count)]))
      } : []
    hasTags = !tags.isEmpty
  }
}

extension SearchPage {
  /// The entries by day, under headings.
  private static func days(of entries: [Entry], in context: PageContext) -> SectionContent {
    var days: [(day: LocalDay, entries: [Entry])] = []
    for entry in entries {
      if days.last?.day != entry.time.localDay { days.append((entry.time.localDay, [])) }
      days[days.count - 1].entries.append(entry)
    }
    return SectionContent(
      isSelecting: false,
      groups: days.map {
        EntryGroup($0.day, $0.entries, returningTo: PageAddress(context.path), in: context)
      }, words: context.words)
  }
}
