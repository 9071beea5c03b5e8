import ArgumentParser
internal import Leaflog

/// `leaflog activity`
struct ActivityCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "activity",
    abstract: "Recurring activities such as watering, and when each was last done.",
    subcommands: [
      ActivityAdd.self, ActivityList.self, ActivityShow.self, ActivityDone.self,
      ActivityNotDone.self, ActivityEdit.self, ActivityDelete.self, ActivityReorder.self,
      EntryRestore<CompletionNoun>.self,
    ], defaultSubcommand: ActivityList.self)
}

/// The completions of activities, which are entries of their own.
enum CompletionNoun: DiaryNoun {
  static let kind = EntryKind.completion
  static let command = "activity"
  static let noun = "completion"

  static func rows(_ content: EntryContent) -> [(name: String, value: String?)] {
    guard case .completion(let completion) = content else { return [] }
    return [("Activity", content.summary), ("Source", completion.source)]
  }
}
