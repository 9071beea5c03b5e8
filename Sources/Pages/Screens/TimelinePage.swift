internal import Language
package import Leaflog

/// The filters of a timeline, as in its address.
package struct TimelineFilters: Sendable {
  /// A choice of entries other than by kind, plant or tag.
  package enum Only: String, CaseIterable, Sendable {
    case favourites, withoutPlant, deleted
  }

  /// How much of the timeline is seen at once.
  package enum Zoom: String, CaseIterable, Sendable {
    case days, months, years

    fileprivate var layout: TimelineLayout {
      switch self {
      case .days: .days
      case .months: .pictureADay
      case .years: .pictureAMonth
      }
    }
  }

  package var kind: EntryKind?
  package var plant: String?
  package var tag: String?
  package var only: Only?
  package var zoom = Zoom.days
  /// The only day shown.
  package var day: LocalDay?
  package var isSelecting = false
  /// Whether photos are shown as one grid, as on a plant's page.
  package var isGrid = false

  package init() {}

  /// The list that the filters select.
  ///
  /// - Throws: `LeaflogError` with code `notFound` for an unknown plant.
  func shown(in library: Library) throws -> (entries: ShownEntries, plant: PlantReference?) {
    let reference = try plant.map { try library.plants.reference(matching: $0) }
    var shown = ShownEntries()
    shown.query = TimelineQuery(
      plant: reference?.id, isWithoutPlant: only == .withoutPlant, kinds: kinds,
      tags: tag.map { [$0] } ?? [], isFavourite: only == .favourites, firstDay: day,
      lastDay: day, deleted: only == .deleted)
    shown.layout = isGrid ? .grid : isSelecting ? .days : zoom.layout
    shown.isSelecting = isSelecting
    shown.isStacking = day == nil && !isSelecting && only != .deleted
    var kept: [(String, String)] = []
    if let reference { kept.append(("plant", reference.id.description)) }
    if let tag { kept.append(("tag", tag)) }
    if let only { kept.append(("only", only.rawValue)) }
    shown.kept = kept
    var parameters: [(String, String)] = kind.map { [("kind", $0.rawValue)] } ?? []
    parameters += kept
    if let day { parameters.append(("day", "\(day)")) }
    if isSelecting { parameters.append(("select", "true")) }
    if zoom != .days { parameters.append(("zoom", zoom.rawValue)) }
    shown.address.parameters = parameters
    return (shown, reference)
  }

  private var kinds: Set<EntryKind> {
    if isSelecting || zoom != .days || only == .withoutPlant { return [.photo] }
    return kind.map { [$0] } ?? []
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
  let selection: SelectionParts?
  let hasKinds: Bool
  let kinds: [Choice]
  let kind: String?
  let filterLabel: String
  let hasZooms: Bool
  let zooms: [Choice]
  let onlyOptions: HTML
  let plantOptions: HTML
  let tagOptions: HTML
  let clearHref: String?
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
    let isFiltered =
      plant != nil || filters.tag != nil || filters.day != nil || filters.only != nil
    isSelecting = filters.isSelecting && !months.sections.isEmpty
    heading =
      isSelecting
      ? words["selectPhotos"]
      : filters.day.map(reader.day) ?? plant?.name ?? words["timeline"]
    subheading = filters.day == nil ? nil : plant?.name
    playHref = plant.flatMap { plant in
      filters.kind == .photo ? filters.day.map { "/plants/\(plant.id)/film?day=\($0)" } : nil
    }
    selectHref =
      months.sections.isEmpty || filters.only == .deleted
      ? nil : address.with("zoom", nil).with("select", "true").text
    zooms = filters.day == nil ? filters.zooms(of: address, words) : []
    // From afar, where a diary without photos is empty, they are the way back.
    hasZooms = !zooms.isEmpty && (filters.zoom != .days || !months.sections.isEmpty)
    onlyOptions =
      TimelineFilters.Only.allCases.map {
        Option(
          value: $0.rawValue, label: words["only.\($0.rawValue)"], isChosen: $0 == filters.only)
      }.html
    doneHref = address.with("select", nil).text
    // Only photos are seen from afar.
    hasKinds = filters.zoom == .days && filters.only != .withoutPlant
    kinds = filters.kinds(of: address, words)
    kind = filters.kind?.rawValue
    filterLabel =
      filters.label(plant, reader).map { words.text("filterOn", ["what": $0]) } ?? words["filter"]
    let plants = try context.plantOptions(chosen: plant?.id.description)
    plantOptions = plants.html
    tagOptions = try context.library.diary.tags().map {
      Option(value: $0.name, label: $0.name, isChosen: $0.name == filters.tag)
    }.html
    clearHref = isFiltered || filters.kind != nil ? "/timeline" : nil
    selection =
      isSelecting ? SelectionParts(shown, months.photoCount, plants, context) : nil
    isEmpty = months.sections.isEmpty
    emptyText = words[clearHref == nil && filters.zoom == .days ? "timelineEmpty" : "timelineNone"]
    self.months = months
    page = try context.frame(heading, at: .timeline)
  }
}

extension TimelineFilters {
  /// The filters but the kind, as a list; nil without any.
  func label(_ plant: PlantReference?, _ reader: Reader) -> String? {
    let only = only.map { reader.words["only.\($0.rawValue)"] }
    let chosen = [day.map(reader.day), only, plant?.name, tag].compactMap(\.self)
    return chosen.isEmpty ? nil : chosen.joined(separator: ", ")
  }

  /// The links to the other kinds of entries.
  fileprivate func kinds(of address: PageAddress, _ words: Words) -> [Choice] {
    let plain = address.with("kind", nil).with("select", nil).with("zoom", nil)
    let everything = Choice(
      href: plain.text, label: words["kind.everything"], isChosen: kind == nil)
    return [everything]
      + EntryKind.allCases.map {
        Choice(
          href: plain.with("kind", $0.rawValue).text, label: words["kind.\($0.rawValue)"],
          isChosen: kind == $0)
      }
  }

  /// The links to the same list from nearer and from farther.
  fileprivate func zooms(of address: PageAddress, _ words: Words) -> [Choice] {
    let days = address.with("select", nil).with("zoom", nil)
    return Zoom.allCases.map {
      let href = $0 == .days ? days : days.with("kind", nil).with("zoom", $0.rawValue)
      return Choice(
        href: href.text, label: words["zoom.\($0.rawValue)"], isChosen: $0 == zoom)
    }
  }
}

extension SectionContent {
  /// A section requested by a script.
  package init(
    _ filters: TimelineFilters, section: SectionSpan, part: Int, in context: PageContext
  ) throws {
    try self.init(
      filters.shown(in: context.library).entries, section: section, part: part, in: context)
  }
}
