package import Leaflog

/// The totals of a prune, planned or done, in JSON.
package struct PruneDocument: Encodable {
  private struct ShareDocument: Encodable {
    let count: Int
    let byteCount: Int

    init(_ share: PruneReport.Share) {
      count = share.count
      byteCount = share.byteCount
    }
  }

  private let thinned: Int
  private let purgedPhotos: Int
  /// Entries that are not photos.
  private let purgedEntries: Int
  private let purgedPlants: Int
  private let purgedActivities: Int
  private let condemned: ShareDocument
  private let waiting: ShareDocument
  private let trashed: ShareDocument
  private let unlinked: ShareDocument
  /// Blobs in a store that the library was moved out of; absent if there are none.
  private let former: ShareDocument?
  private let previews: ShareDocument
  /// When another run goes on, as nothing was removed; absent otherwise.
  private let delayedUntil: String?
  private let interrupted: Bool?
  private let dryRun: Bool?
  private let reason: String?

  /// - Parameters:
  ///   - thinned: the number of photos that thinning puts into the trash.
  ///   - isDryRun: whether nothing was done.
  ///   - reason: why nothing was done, unless a dry run was asked for.
  package init(_ report: PruneReport, thinned: Int, isDryRun: Bool, reason: String? = nil) {
    self.thinned = thinned
    purgedPhotos = report.purgedPhotoCount
    purgedEntries = report.purgedEntryCount
    purgedPlants = report.purgedPlantCount
    purgedActivities = report.purgedActivityCount
    condemned = ShareDocument(report.condemned)
    waiting = ShareDocument(report.waiting)
    trashed = ShareDocument(report.trashed)
    unlinked = ShareDocument(report.unlinked)
    former = report.former.count > 0 ? ShareDocument(report.former) : nil
    previews = ShareDocument(report.previews)
    delayedUntil = report.delayedUntil.map { RecordedTime.instant($0).iso8601 }
    interrupted = report.isInterrupted ? true : nil
    dryRun = isDryRun ? true : nil
    self.reason = reason
  }
}

/// A photo that thinning puts into the trash, in JSON.
package struct ThinnedDocument: Encodable {
  let photo: String
  let plant: String?
  let localDay: String
  let outcome = "thinned"

  package init(_ entry: Entry) {
    photo = entry.id.description
    plant = entry.plant?.name
    localDay = entry.time.localDay.description
  }
}
