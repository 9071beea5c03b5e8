internal import Foundation
internal import Leaflog

/// All plants, as cards.
package struct PlantsPage: Screen {
  package static let template = "plants"

  /// The order of the cards.
  package enum Sort: String, CaseIterable {
    case photo, name, due, age
  }

  let page: PageFrame
  let summary: String?
  let hasPlants: Bool
  let sorts: [Choice]
  let hasLocations: Bool
  let locations: [Choice]
  let plants: [PlantCard]

  struct PlantCard {
    let id: String
    let name: String
    let location: String?
    let photo: Cover?
    let lastPhoto: String
    let care: DueCare?
  }

  /// - Parameter location: the location of the plants to show; nil means any or none.
  package init(_ context: PageContext, sort: Sort = .photo, location: String? = nil) throws {
    let (reader, words, library) = (context.reader, context.words, context.library)
    let all = try library.plants.all()
    let names = Set(all.compactMap(\.details.location)).sorted {
      $0.compare($1, locale: reader.locale) == .orderedAscending
    }
    // The last plant of a location may have been moved.
    let chosen = location.flatMap { names.contains($0) ? $0 : nil }
    let shown = chosen.map { chosen in all.filter { $0.details.location == chosen } } ?? all
    let due = try Self.dueActivities(in: library, on: context.today)
    let covers = try context.covers(of: shown.map(\.id))
    page = try context.frame(words["plants"], at: .plants)
    summary = all.isEmpty ? nil : reader.count("countPlants", shown.count)
    hasPlants = !all.isEmpty
    func address(_ sort: Sort, _ location: String?) -> String {
      PageAddress("/plants").with("sort", sort == .photo ? nil : sort.rawValue)
        .with("location", location).text
    }
    sorts = Sort.allCases.map {
      Choice(
        href: address($0, chosen), label: words["sort.\($0.rawValue)"], isChosen: $0 == sort)
    }
    hasLocations = !names.isEmpty
    locations =
      [Choice(href: address(sort, nil), label: words["everywhere"], isChosen: chosen == nil)]
      + names.map { Choice(href: address(sort, $0), label: $0, isChosen: $0 == chosen) }
    plants = shown.sorted(by: sort, due: due).map { plant in
      PlantCard(
        id: plant.id.description, name: plant.name, location: plant.details.location,
        photo: covers[plant.id],
        lastPhoto: plant.lastPhotoDay.map { words.text("lastPhoto", ["when": reader.ago($0)]) }
          ?? words["noPhotosYet"],
        care: due[plant.id].flatMap { DueCare($0, in: context) })
    }
  }
}

extension PlantsPage.PlantCard: HTMLPart {
  var html: HTML {
    """
    <li class="card plant">
    \(photo?.html ?? #"<div class="blank">\#(HTML.icon("plants"))</div>"#)
    <div class="text"><a href="/plants/\(id)">\(name)</a>\(location.map { "<p>\($0)</p>" as HTML })<p>\(lastPhoto)</p>\(care?.html)</div>
    </li>
    """
  }
}

extension DueCare {
  fileprivate var html: HTML { #"<p\#(#" class="late""#, if: isLate)>\#(text)</p>"# }
}

extension PlantsPage {
  /// The activity of each plant that is due first.
  private static func dueActivities(
    in library: Library, on today: LocalDay
  ) throws -> [PlantID: Activity] {
    try library.activities.all(isCounting: false).reduce(into: [:]) { due, activity in
      guard let plant = activity.plant?.id, let day = activity.dueDay, day <= today else { return }
      if let other = due[plant]?.dueDay, other <= day { return }
      due[plant] = activity
    }
  }
}

extension [Plant] {
  /// The plants in this order. They come sorted by name, which stays the order among equals.
  fileprivate func sorted(by sort: PlantsPage.Sort, due: [PlantID: Activity]) -> [Plant] {
    func ranked(_ rank: (Plant) -> Int) -> [Plant] {
      enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }
        .map(\.element)
    }
    return switch sort {
    case .name: self
    case .photo: ranked { $0.lastPhotoDay.map { -$0.dayNumber } ?? .max }
    case .age: ranked { $0.firstPhotoDay?.dayNumber ?? .max }
    case .due: ranked { due[$0.id]?.dueDay?.dayNumber ?? .max }
    }
  }
}
