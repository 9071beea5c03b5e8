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

extension LocalDay {
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
