package import Leaflog

/// The filters of a timeline, as in its address.
package struct TimelineFilters: Sendable {
  package var kind: EntryKind?
  package var plant: String?
  package var tag: String?
  /// The only day shown.
  package var day: LocalDay?
  package var isSelecting = false

  package init() {}

  /// The list that the filters select.
  ///
  /// - Throws: `LeaflogError` with code `notFound` for an unknown plant.
  func shown(in library: Library) throws -> (entries: ShownEntries, plant: PlantReference?) {
    let reference = try plant.map { try library.plants.reference($0) }
    var shown = ShownEntries()
    shown.query = TimelineQuery(
      plant: reference?.id, kinds: isSelecting ? [.photo] : kind.map { [$0] } ?? [],
      tags: tag.map { [$0] } ?? [], firstDay: day, lastDay: day)
    shown.isSelecting = isSelecting
    shown.isStacking = day == nil && !isSelecting
    let kept =
      (reference.map { [("plant", $0.id.description)] } ?? []) + (tag.map { [("tag", $0)] } ?? [])
    shown.kept = kept
    shown.address.parameters =
      (kind.map { [("kind", $0.rawValue)] } ?? []) + kept
      + (day.map { [("day", "\($0)")] } ?? []) + (isSelecting ? [("select", "true")] : [])
    return (shown, reference)
  }
}

/// All entries, newest first.
package struct TimelinePage: Screen {
  package static let template = "timeline"

  let page: PageFrame
  let heading: String
  let subheading: String?
  let playHref: String?
  let selectHref: String?
  let isSelecting: Bool
  let doneHref: String
  let kinds: [Choice]
  let kind: String?
  let filterLabel: String
  let plantOptions: [Option]
  let tagOptions: [Option]
  let clearHref: String?
  let dateSources: [Option]
  let isEmpty: Bool
  let emptyText: String
  let months: MonthSections

  /// - Parameter start: the first part to fill; nil means the newest.
  package init(
    _ context: PageContext, _ filters: TimelineFilters, from start: SectionStart?
  ) throws {
    let (reader, words) = (context.reader, context.words)
    let (shown, plant) = try filters.shown(in: context.library)
    let address = shown.address
    let months = try MonthSections(
      shown, from: start, at: PageAddress("/timeline/section", address.parameters).open, context)
    let isFiltered = plant != nil || filters.tag != nil || filters.day != nil
    isSelecting = filters.isSelecting && !months.sections.isEmpty
    heading =
      isSelecting
      ? words["selectPhotos"]
      : filters.day.map(reader.day) ?? plant?.name ?? words["timeline"]
    subheading = filters.day == nil ? nil : plant?.name
    playHref = plant.flatMap { plant in
      filters.kind == .photo ? filters.day.map { "/plants/\(plant.id)/film?day=\($0)" } : nil
    }
    selectHref = months.sections.isEmpty ? nil : address.with("select", "true").text
    doneHref = address.with("select", nil).text
    let plain = address.with("kind", nil).with("select", nil)
    let everything = Choice(
      href: plain.text, label: words["kind.everything"], isChosen: filters.kind == nil)
    kinds =
      [everything]
      + EntryKind.allCases.map { kind in
        Choice(
          href: plain.with("kind", kind.rawValue).text, label: words["kind.\(kind.rawValue)"],
          isChosen: filters.kind == kind)
      }
    kind = filters.kind?.rawValue
    let chosen = [filters.day.map(reader.day), plant?.name, filters.tag].compactMap { $0 }
    filterLabel =
      chosen.isEmpty
      ? words["filter"]
      : words.text("filterOn", ["what": chosen.joined(separator: ", ")])
    plantOptions = try context.plantOptions(chosen: plant?.id.description)
    tagOptions = try context.library.diary.tags().map {
      Option(value: $0.name, label: $0.name, isChosen: $0.name == filters.tag)
    }
    clearHref = isFiltered || filters.kind != nil ? "/timeline" : nil
    dateSources = Redating.Source.allCases.map {
      Option(value: $0.rawValue, label: words["source.\($0.rawValue)"], isChosen: false)
    }
    isEmpty = months.sections.isEmpty
    emptyText = words[clearHref == nil ? "timelineEmpty" : "timelineNone"]
    self.months = months
    page = try context.frame(heading, at: .timeline)
  }
}

extension SectionContent {
  /// A section requested by a script.
  package init(
    _ filters: TimelineFilters, month: CalendarMonth, part: Int, in context: PageContext
  ) throws {
    try self.init(
      filters.shown(in: context.library).entries, month: month, part: part, in: context)
  }
}
