import ArgumentParser
internal import Foundation
internal import Leaflog

/// `leaflog plant`
struct PlantCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plant", abstract: "Look after plants.", subcommands: [List.self],
    defaultSubcommand: List.self)

  /// `leaflog plant list`
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "All plants by name.")

    @OptionGroup var global: GlobalOptions

    func run() throws {
      let plants = try global.openLibrary(for: .reading).plants()
      if global.json {
        Output.result(JSON.line(Listing(items: plants.map(PlantDocument.init), next: nil)))
        return
      }
      let columns = min(40, plants.map { TextLayout.width($0.name) }.max() ?? 0)
      for plant in plants {
        let name = TextLayout.truncated(TextLayout.singleLine(plant.name), to: columns)
        var line = TextLayout.padded(name, to: columns) + "  "
        line += TextLayout.rightAligned(Quantities.count(plant.photoCount, "photo"), to: 12)
        if let first = plant.firstPhotoDay, let last = plant.lastPhotoDay {
          line += "  " + (first == last ? "\(first)" : "\(first) to \(last)")
        }
        Output.result(line)
      }
    }
  }
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

  init(_ plant: Plant) {
    id = plant.id.description
    name = plant.name
    scientificName = plant.scientificName
    location = plant.location
    notes = plant.notes
    photoCount = plant.photoCount
    firstPhotoDay = plant.firstPhotoDay?.description
    lastPhotoDay = plant.lastPhotoDay?.description
  }
}
