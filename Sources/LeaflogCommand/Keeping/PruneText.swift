internal import Foundation
internal import Leaflog

/// The text for a prune, planned or done.
struct PruneText {
  let report: PruneReport
  let thinned: [Entry]
  /// Whether nothing has been done yet.
  let isPlanned: Bool
  private let zone: TimeZone

  /// - Parameter done: the report of the run; nil before the run.
  init(_ plan: PrunePlan, done: PruneReport?, in zone: TimeZone) {
    (report, isPlanned, self.zone) = (done ?? plan.report, done == nil, zone)
    thinned = done?.delayedUntil == nil ? plan.thinned : []
  }

  /// Whether anything was done, would be done, or is waiting.
  var isSomething: Bool {
    !thinned.isEmpty || !forgotten.isEmpty
      || [
        report.condemned, report.waiting, report.trashed, report.unlinked, report.former,
        report.previews,
      ]
      .contains { $0.count > 0 }
  }

  /// One sentence per line.
  var lines: [String] {
    var lines: [String] = []
    if !thinned.isEmpty {
      let photos = Quantities.count(thinned.count, "photo")
      lines.append(
        isPlanned
          ? "Would move \(photos) to the trash."
          : "Moved \(photos) to the trash. `leaflog undo` undoes it.")
    }
    if !forgotten.isEmpty {
      lines.append(
        "\(isPlanned ? "Would permanently delete" : "Permanently deleted") "
          + "\(Quantities.listing(forgotten)) from the trash, and the history with them: "
          + "no change before this can be undone.")
    }
    lines += [
      line(report.condemned, "Would mark % for removal.", "Marked % for removal.", "file"),
      line(
        report.waiting, "% marked for removal earlier: not due yet.",
        "% marked for removal earlier: not due yet.", "file"),
      line(
        report.trashed, "Would move % to the store's trash.", "Moved % to the store's trash.",
        "file"),
      line(report.unlinked, "Would delete % for good.", "Deleted % for good.", "file"),
      line(
        report.former, "Would delete % from the library's former store.",
        "Deleted % from the library's former store.", "file"),
      line(report.previews, "Would remove %.", "Removed %.", "preview"), delay,
    ].compactMap { $0 }
    return lines.isEmpty ? ["Nothing to prune."] : lines
  }

  private var delay: String? {
    report.delayedUntil.map {
      let time = EntryTime(.instant($0), in: zone)
      return
        "The library has not been changed for more than 30 days. In case the clock is wrong, nothing is "
        + "removed now: prune again after \(RecordedTime.zoned(time.wall, time.offset).iso8601)."
    }
  }

  private var forgotten: [String] {
    [
      report.purgedPhotoCount > 0 ? Quantities.count(report.purgedPhotoCount, "photo") : nil,
      report.purgedEntryCount > 0 ? Quantities.entries(report.purgedEntryCount) : nil,
      report.purgedPlantCount > 0 ? Quantities.count(report.purgedPlantCount, "plant") : nil,
      report.purgedActivityCount > 0
        ? Quantities.count(report.purgedActivityCount, "activity") : nil,
    ].compactMap { $0 }
  }

  private func line(
    _ share: PruneReport.Share, _ would: String, _ did: String, _ noun: String
  ) -> String? {
    guard share.count > 0 else { return nil }
    let what = "\(Quantities.count(share.count, noun)), \(Quantities.bytes(share.byteCount))"
    return (isPlanned ? would : did).replacing("%", with: what)
  }
}
