package import Leaflog

/// The totals of a verification in JSON.
package struct VerifyDocument: Encodable {
  let blobs: Int
  let byteCount: Int
  let damaged: Int
  let unknown: Int
  let complete: Bool
  let seconds: Double

  package init(_ summary: VerifySummary) {
    blobs = summary.blobCount
    byteCount = summary.byteCount
    damaged = summary.damageCount
    unknown = summary.unknownCount
    complete = summary.isComplete
    seconds = summary.duration.roundedSeconds
  }
}
