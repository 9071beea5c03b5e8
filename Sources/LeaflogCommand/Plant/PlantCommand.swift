import ArgumentParser
internal import Foundation
internal import Leaflog

/// `leaflog plant`
struct PlantCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plant", abstract: "Look after plants.",
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

  init(_ plant: Plant) {
    id = plant.id.description
    name = plant.name
    scientificName = plant.scientificName
    location = plant.location
    notes = plant.notes
    photoCount = plant.photoCount
    firstPhotoDay = plant.firstPhotoDay?.description
    lastPhotoDay = plant.lastPhotoDay?.description
    daysSinceLastPhoto = plant.lastPhotoDay?.daysAgo
    latestPhotos = plant.latestPhotos.map(\.description)
    deletedAt = plant.deletedAt.map { RecordedTime.instant($0).iso8601 }
  }
}

extension EntryTime {
  /// How many seconds ago it was.
  var age: Double {
    Date().timeIntervalSince1970 - Double(instant.milliseconds) / 1000
  }
}

extension LocalDay {
  /// Today, by the system's clock and zone.
  static var today: LocalDay {
    let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    return EntryTime(.instant(now), in: .current).localDay
  }

  /// How many days it is since this one.
  var daysAgo: Int { LocalDay.today.dayNumber - dayNumber }

  /// `today`, `yesterday`, `12 days ago`.
  var agoText: String {
    switch daysAgo {
    case 0: "today"
    case 1: "yesterday"
    case ..<0: "in \(Quantities.count(-daysAgo, "day"))"
    default: "\(daysAgo) days ago"
    }
  }
}
