import ArgumentParser
internal import Fields
internal import Leaflog

/// An error as shown to the user: a sentence, or a JSON object with `--json`.
struct ErrorReport {
  let error: LeaflogError
  let isJSON: Bool

  /// - Returns: the status to exit with.
  func print(to stream: StandardStream) -> Int32 {
    if isJSON {
      stream.print(json: self)
    } else {
      stream.tell("leaflog: \(error.words)", as: .error)
    }
    return ExitStatus(error.code).rawValue
  }
}

extension ErrorReport: Shown {
  static let shown = Fields<ErrorReport>([Field(adding: "error", error) { $0.error }])

  private static let error = Fields<LeaflogError>([
    Field(adding: "code", .text) { $0.code.rawValue },
    Field(adding: "message", .text) { $0.message },
    Field(adding: "remedy", .text) { $0.remedy?.words },
  ])
}

/// The exit status of a command. Scripts rely on the numbers.
enum ExitStatus: Int32 {
  case done = 0
  case failed = 1
  case partlyDone = 3
  case noLibrary = 10
  case locked = 11
  case damaged = 12
  /// An answer was needed that nobody could give; nothing was done.
  case unanswered = 13
  case wrongUsage = 64
  case interrupted = 130

  /// The only mapping from errors to statuses.
  init(_ code: LeaflogError.Code) {
    self =
      switch code {
      case .noLibrary: .noLibrary
      case .locked: .locked
      case .damaged, .markerMissing: .damaged
      case .invalidRequest, .libraryExists: .wrongUsage
      case .unconfirmed: .unanswered
      case .readOnly, .closed, .noSpace, .tooNew, .notFound, .notKept, .ambiguous, .nameTaken,
        .conflict,
        .suspicious, .forked, .tooLarge, .mismatch, .changed, .repeated,
        .unreachable, .refused, .failed:
        .failed
      }
  }

  var exitCode: ExitCode { ExitCode(rawValue) }
}

extension Remedy {
  /// The remedy for users of the command line.
  var words: String {
    switch self {
    case .undoFirst(let change): "Undo that one first, with `leaflog undo \(change)`."
    case .deleteUnedited(let change, let later):
      (later.map { "Undo that one first, with `leaflog undo \($0)`. " } ?? "")
        + "`leaflog photo delete --change \(change)` puts its other photos into the trash."
    case .attachLibrary: "`leaflog attach` attaches it to this machine."
    case .promoteReplica: "`leaflog promote` turns it into the library."
    case .resolveFork:
      "`leaflog attach` into an empty folder takes the store's side; `leaflog backup` keeps this side; "
        + "`leaflog bring-over`, run in the one, brings the changes of the other over."
    case .backUpBeside:
      "Use --beside to keep both sides in it, or back up to another place."
    case .chooseHead: "Name the side to follow with --head."
    case .repairStore:
      "`leaflog repair` puts the catalog there again, if the library's marker is there."
    case .endFollowing: "Stop `leaflog follow` and try again."
    case .repair: "`leaflog repair` rebuilds it."
    case .repairOrRestore:
      "Use `leaflog repair` to recover from snapshots, or `leaflog restore` from a backup."
    case .allowLate: "Use --yes to accept it."
    case .allowFuture: "Use --allow-future to accept it."
    case .allowOverlap: "Use --yes to accept it."
    case .mergePlants: "Use `leaflog plant edit --merge-into` to merge them."
    case .listEntries: "`leaflog timeline` shows their ids."
    case .listPlants: "`leaflog plant list` lists all plants."
    case .listActivities: "`leaflog activity list` lists all activities."
    case .listFactors: "`leaflog factor list` lists all factors."
    case .listQuotes: "`leaflog quote list --all` shows their ids."
    case .listEpisodes: "`leaflog episode list` lists all episodes."
    case .addToken: "Add one with `leaflog token add NAME`."
    case .listTokens: "`leaflog token list` lists all tokens."
    case .editEpisode: "Change its end with `leaflog episode edit`."
    case .mountOrInit: "Mount the disk, or create a library there with `leaflog init`."
    case .mountOrConfirm: "Mount it; --yes uses the place all the same."
    case .keepLocalOrConfirm:
      "Keep it on a disk of this machine, and back it up there; --yes creates it all the same."
    case .hideKey:
      "On exFAT or NTFS, mount the disk with umask=077, elsewhere use chmod; or name a certificate in another place with "
        + "--tls-certificate and --tls-key."
    case .mountOrNewBackup: "Mount its disk, or make a new backup there with --new."
    case .createLibrary:
      "`leaflog import FOLDER` or `leaflog init` creates one; --library names another place."
    case .nameLibrary: "Name the library's place with --library."
    case .restoreElsewhere: "Restore it to another place with --library."
    case .nameEmptyFolder: "Name an empty folder with --library."
    case .restoreInstead: "Use `leaflog restore` for the opposite direction."
    case .replaceBackup: "Back up to another place, or replace them with --yes."
    case .restoreOrReplaceBackup:
      "Use `leaflog restore` for the opposite direction; --yes replaces the backup's catalog."
    case .repairFromBackup: "Repair it from the backup with `leaflog repair --from`."
    case .nameMoment: "Name the time as well, with --at."
    case .setTimeZone:
      "Write the offset too, as in 2026-03-01T09:30+01:00, or set the zone with "
        + "`leaflog settings set timeZone Europe/Berlin`."
    case .waive(let reason): "Use --force \(reason.rawValue) to prune anyway."
    case .repairOrWaive(let reason):
      "`leaflog repair` recovers them; use --force \(reason.rawValue) to prune anyway."
    case .resolveForkOrWaive(let reason):
      Remedy.resolveFork.words
        + " --force \(reason.rawValue) prunes anyway, and gives up what the other side has there."
    }
  }
}

extension LeaflogError {
  /// The message and the remedy.
  var words: String { sentence(message, remedy) }
}

extension EditResult.Failure {
  var words: String { sentence(message, remedy) }
}

private func sentence(_ message: String, _ remedy: Remedy?) -> String {
  remedy.map { "\(message) \($0.words)" } ?? message
}
