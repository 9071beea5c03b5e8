package import Leaflog

/// The totals of an import in JSON.
package struct ImportSummaryDocument: Encodable {
  let added: Int
  let duplicate: Int
  let restored: Int
  /// Only with `--update`.
  let updated: Int?
  let skipped: Int
  let failed: Int
  let guessedDates: Int
  let sourceByteCount: Int
  let storedByteCount: Int
  let seconds: Double
  let dryRun: Bool?
  let interrupted: Bool?

  package init(_ summary: ImportSummary, isDryRun: Bool) {
    added = summary.added
    duplicate = summary.duplicate
    restored = summary.restored
    updated = summary.updated == 0 ? nil : summary.updated
    skipped = summary.skipped
    failed = summary.failed
    guessedDates = summary.guessedDates
    sourceByteCount = summary.sourceByteCount
    storedByteCount = summary.storedByteCount
    seconds = summary.duration.roundedSeconds
    dryRun = isDryRun ? true : nil
    interrupted = summary.isInterrupted ? true : nil
  }
}
