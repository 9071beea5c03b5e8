package import Fields

/// The totals of a verification.
extension VerifySummary: Shown {
  package static let shown = Fields<VerifySummary>([
    Field(adding: "blobs", .count) { $0.blobCount },
    Field(adding: "byteCount", .byteCount) { $0.byteCount },
    Field(adding: "damaged", .count) { $0.damageCount },
    Field(adding: "unknown", .count) { $0.unknownCount },
    Field(adding: "complete", .flag) { $0.isComplete },
    Field(adding: "seconds", .seconds) { $0.duration.roundedSeconds },
  ])
}

/// Damage found in a library.
package struct DamageDocument: Shown {
  private let damage: Damage
  private let remedy: String?

  /// - Parameter remedy: the remedy, worded for the interface that shows it.
  package init(_ found: Damage, remedy: String?) { (damage, self.remedy) = (found, remedy) }

  package static let shown = Fields<DamageDocument>([
    Field(adding: "damage", .choice) { $0.damage.kind },
    Field(adding: "blob", .digest) { $0.damage.blob },
    Field(adding: "photos", .ids) { $0.damage.photos.map(\.id) },
    Field(adding: "roles", .choices()) { $0.damage.roles },
    Field(adding: "message", .text) { $0.damage.message },
    Field(adding: "remedy", .text) { $0.remedy },
  ])
}

extension Damage.Kind: FieldValue {}
extension RecompressOutcome.Reason: FieldValue {}

/// The totals of a backup.
extension BackupSummary: Shown {
  package static let shown = Fields<BackupSummary>([
    Field(adding: "blobs", .count) { $0.blobCount },
    Field(adding: "byteCount", .byteCount) { $0.byteCount },
    Field(adding: "linked", .count) { $0.linkedCount },
    Field(adding: "copied", .count) { $0.copiedCount },
    Field(adding: "copiedByteCount", .byteCount) { $0.copiedByteCount },
    Field(adding: "surplus", .count) { $0.surplusCount },
    Field(adding: "damaged", .count) { $0.damageCount },
    Field(adding: "reachesBackTo", .moment) { $0.reachesBackTo },
    Field(adding: "newOnOwnDisk", .flag) { $0.isNewOnOwnDisk ? true : nil },
    Field(adding: "interrupted", .flag) { $0.isInterrupted ? true : nil },
    Field(adding: "seconds", .seconds) { $0.duration.roundedSeconds },
  ])
}

/// The totals of a recompression, counted photo by photo.
package struct RecompressDocument: Shown {
  package private(set) var changed = 0
  private var kept: [RecompressOutcome.Reason: Int] = [:]
  package private(set) var failed = 0
  package private(set) var formerByteCount = 0
  package private(set) var byteCount = 0
  package var dryRun: Bool?
  package var interrupted: Bool?

  package init() {}

  package mutating func count(_ outcome: RecompressOutcome) {
    switch outcome.result {
    case .changed(let before, let after):
      changed += 1
      formerByteCount += before
      byteCount += after
    case .kept(let reason): kept[reason, default: 0] += 1
    case .failed: failed += 1
    }
  }

  package static let shown = Fields<RecompressDocument>([
    Field(adding: "changed", .count) { $0.changed },
    Field(adding: "kept", .counts()) { $0.kept },
    Field(adding: "failed", .count) { $0.failed },
    // The size of the changed photos before.
    Field(adding: "formerByteCount", .byteCount) { $0.formerByteCount },
    Field(adding: "byteCount", .byteCount) { $0.byteCount },
    Field(adding: "dryRun", .flag) { $0.dryRun },
    Field(adding: "interrupted", .flag) { $0.interrupted },
  ])
}

/// The totals of a prune, planned or done.
package struct PruneDocument: Shown {
  private let report: PruneReport
  private let thinned: Int
  private let isDryRun: Bool
  private let reason: String?

  /// - Parameters:
  ///   - thinned: the number of photos that thinning puts into the trash.
  ///   - isDryRun: whether nothing was done.
  ///   - reason: why nothing was done, unless a dry run was asked for.
  package init(_ report: PruneReport, thinned: Int, isDryRun: Bool, reason: String? = nil) {
    (self.report, self.thinned) = (report, thinned)
    (self.isDryRun, self.reason) = (isDryRun, reason)
  }

  package static let shown = Fields<PruneDocument>([
    Field(adding: "thinned", .count) { $0.thinned },
    // Photos that thinning does not count: their dates are too imprecise, or may be by a clock that was never set.
    Field(adding: "unthinnable", .count) { $0.report.unthinnableCount },
    Field(adding: "purgedPhotos", .count) { $0.report.purgedPhotoCount },
    // Entries that are not photos.
    Field(adding: "purgedEntries", .count) { $0.report.purgedEntryCount },
    Field(adding: "purgedPlants", .count) { $0.report.purgedPlantCount },
    Field(adding: "purgedActivities", .count) { $0.report.purgedActivityCount },
    Field(adding: "condemned", share) { $0.report.condemned },
    Field(adding: "waiting", share) { $0.report.waiting },
    Field(adding: "trashed", share) { $0.report.trashed },
    Field(adding: "unlinked", share) { $0.report.unlinked },
    // Blobs in a store that the library was moved out of; absent if there are none.
    Field(adding: "former", share) { $0.report.former.count > 0 ? $0.report.former : nil },
    Field(adding: "previews", share) { $0.report.previews },
    // When another run goes on, as nothing was removed; absent otherwise.
    Field(adding: "delayedUntil", .moment) { $0.report.delayedUntil },
    Field(adding: "interrupted", .flag) { $0.report.isInterrupted ? true : nil },
    Field(adding: "dryRun", .flag) { $0.isDryRun ? true : nil },
    Field(adding: "reason", .text) { $0.reason },
  ])

  private static let share = Fields<PruneReport.Share>([
    Field(adding: "count", .count) { $0.count },
    Field(adding: "byteCount", .byteCount) { $0.byteCount },
  ])
}

/// A photo that thinning puts into the trash.
package struct ThinnedDocument: Shown {
  private let entry: Entry

  package init(_ entry: Entry) { self.entry = entry }

  package static let shown = Fields<ThinnedDocument>([
    Field(adding: "photo", .id) { $0.entry.id },
    Field(adding: "plant", .text) { $0.entry.plant?.name },
    Field(adding: "localDay", .day) { $0.entry.time.localDay },
    Field(adding: "outcome", .oneOf("thinned")) { _ in "thinned" },
  ])
}

extension Thinning {
  /// Parses the number of photos to keep per span, such as `1/week`. Nil for anything else.
  package init?(text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let count = Int(parts[0]), (1...1_000_000).contains(count),
      let unit = BucketUnit(rawValue: String(parts[1]))
    else { return nil }
    self.init(count: count, per: unit)
  }
}

extension Duration {
  /// Parses a duration such as `-1h30m`: an optional sign, then numbers, each followed by w, d, h, m
  /// or s. Nil for anything else.
  package init?(text: String) {
    let isNegative = text.hasPrefix("-")
    let units: [Character: Int] = ["w": 604_800, "d": 86_400, "h": 3600, "m": 60, "s": 1]
    var seconds = 0
    var number: Int?
    for character in text.lowercased().drop(while: { "+-".contains($0) }) {
      if let digit = character.wholeNumberValue, character.isASCII {
        number = (number ?? 0) * 10 + digit
      } else if let unit = units[character], let count = number {
        seconds += count * unit
        number = nil
      } else {
        return nil
      }
      // At most a thousand years: no clock is off by more.
      guard number ?? 0 < 1_000_000_000, seconds < 31_557_600_000 else { return nil }
    }
    guard number == nil, text.contains(where: \.isNumber),
      text.filter({ "+-".contains($0) }).count <= 1
    else { return nil }
    self = .seconds(isNegative ? -seconds : seconds)
  }
}

extension PruneGuard: FieldValue {}
