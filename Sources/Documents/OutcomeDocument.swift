package import Leaflog

/// The outcome of importing one file in JSON.
package struct OutcomeDocument: Encodable {
  private let path: String
  private var outcome: String
  private var reason: String?
  private var message: String?
  private var photo: String?
  private var plant: String?
  private var capturedAt: String?
  private var captureSource: String?
  private var sourceByteCount: Int?
  private var storedByteCount: Int?
  private var warnings: [String]?

  package init(_ outcome: FileOutcome, isDryRun: Bool = false) {
    path = outcome.path
    switch outcome.result {
    case .added(let photo):
      self.outcome = "added"
      self.photo = photo.id.description
      plant = photo.plantName
      capturedAt = photo.time.recorded.iso8601
      captureSource = photo.captureSource.rawValue
      sourceByteCount = photo.sourceByteCount
      storedByteCount = isDryRun ? nil : photo.storedByteCount
    case .duplicate(let id):
      self.outcome = "duplicate"
      photo = id.description
    case .restored(let id):
      self.outcome = "restored"
      photo = id.description
    case .updated(let id):
      self.outcome = "updated"
      photo = id.description
    case .skipped(let reason):
      self.outcome = "skipped"
      self.reason = reason.rawValue
    case .failed(let reason, let message):
      self.outcome = "failed"
      self.reason = reason.rawValue
      self.message = message
    }
    if photo != nil || !outcome.warnings.isEmpty { warnings = outcome.warnings.map(\.rawValue) }
  }
}
