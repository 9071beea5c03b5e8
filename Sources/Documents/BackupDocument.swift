package import Leaflog

/// The totals of a backup in JSON.
package struct BackupDocument: Encodable {
  let blobs: Int
  let byteCount: Int
  let linked: Int
  let copied: Int
  let copiedByteCount: Int
  let surplus: Int
  let damaged: Int
  let reachesBackTo: String?
  let interrupted: Bool?
  let seconds: Double

  package init(_ summary: BackupSummary) {
    blobs = summary.blobCount
    byteCount = summary.byteCount
    linked = summary.linkedCount
    copied = summary.copiedCount
    copiedByteCount = summary.copiedByteCount
    surplus = summary.surplusCount
    damaged = summary.damageCount
    reachesBackTo = summary.reachesBackTo.map { RecordedTime.instant($0).iso8601 }
    interrupted = summary.isInterrupted ? true : nil
    seconds = summary.duration.roundedSeconds
  }
}
