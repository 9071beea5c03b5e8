import ArgumentParser
internal import Leaflog

/// `leaflog plant`
struct PlantCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plant", abstract: "Add, list, edit and delete plants.",
    subcommands: [
      PlantAdd.self, PlantList.self, PlantShow.self, PlantEdit.self, PlantRename.self,
      PlantDelete.self, PlantRestore.self,
    ], defaultSubcommand: PlantList.self)
}

/// A listing in JSON.
struct Listing<Item: Encodable>: Encodable {
  let items: [Item]
  let next: String?

  private enum Key: CodingKey { case items, next }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(items, forKey: .items)
    try object.encode(next, forKey: .next)  // null at the end
  }
}

/// A plant in JSON.
struct PlantDocument: Encodable {
  let id: String
  let name: String
  let scientificName: String?
  let location: String?
  let notes: String?
  let photoCount: Int
  let firstPhotoDay: String?
  let lastPhotoDay: String?
  let daysSinceLastPhoto: Int?
  /// The ids of the latest few, the last one first.
  let latestPhotos: [String]
  let deletedAt: String?

  init(_ plant: Plant, today: LocalDay) {
    id = plant.id.description
    name = plant.name
    scientificName = plant.scientificName
    location = plant.location
    notes = plant.notes
    photoCount = plant.photoCount
    firstPhotoDay = plant.firstPhotoDay?.description
    lastPhotoDay = plant.lastPhotoDay?.description
    daysSinceLastPhoto = plant.lastPhotoDay?.daysAgo(on: today)
    latestPhotos = plant.latestPhotos.map(\.description)
    deletedAt = plant.deletedAt.map { RecordedTime.instant($0).iso8601 }
  }
}

extension LocalDay {
  /// How many days it is since this one.
  func daysAgo(on today: LocalDay) -> Int { today.dayNumber - dayNumber }

  /// `today`, `yesterday`, `12 days ago`.
  func agoText(on today: LocalDay) -> String {
    let days = daysAgo(on: today)
    return switch days {
    case 0: "today"
    case 1: "yesterday"
    case ..<0: "in \(Quantities.count(-days, "day"))"
    default: "\(days) days ago"
    }
  }
}
