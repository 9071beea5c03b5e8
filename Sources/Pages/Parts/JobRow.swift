internal import Documents
internal import Fields
internal import Foundation
internal import Leaflog

/// A long-running job: its progress or outcome.
struct JobRow {
  let id: String
  let title: String
  let detail: String
  /// Whether it has failed.
  let isBad: Bool
  /// Whether it is waiting or running.
  let isOpen: Bool
  let total: Int
  let done: Int
  let progressText: String
  let hasResults: Bool
  let results: [Fact]
  /// The good news of a check that has found no damage.
  let allWell: String?
  let fileHref: String?
  let fileLabel: String?
  /// After a dry run: the form that runs it for real.
  let really: Really?
  let canRetry: Bool

  struct Really {
    let formAction: String
    let fields: [HiddenField]
    let button: String
  }

  struct HiddenField {
    let fieldName: String
    let fieldValue: String
  }
}

extension JobRow {
  init(_ job: JobDocument, in context: PageContext) {
    let (reader, words) = (context.reader, context.words)
    let isOpen = ["waiting", "running"].contains(job.state)
    let title = words["job.\(job.kind)"]
    let file = job.state == "done" ? job.file : nil
    let progress = job.progress
    let done = progress?.done ?? 0
    let summary = job.state == "done" ? job.result?["summary"] ?? job.result : nil
    let results = summary.map { Self.results(of: job.kind, $0, reader) } ?? []
    self.init(
      id: job.id,
      title: job.isDryRun ? words.text("jobDry", ["title": title]) : title,
      detail: Self.state(of: job, reader),
      isBad: job.state == "failed", isOpen: isOpen, total: max(1, progress?.total ?? 1), done: done,
      progressText: progress?.total.map { "\(reader.number(done)) / \(reader.number($0))" }
        ?? (done > 0 ? reader.number(done) : ""), hasResults: !results.isEmpty, results: results,
      allWell: job.kind == "verify" && summary?["damaged"]?.whole == 0 ? words["jobAllWell"] : nil,
      fileHref: file.map { _ in "/api/v1/jobs/\(job.id)/result" },
      fileLabel: file.map { "\($0.name), \(reader.bytes($0.byteCount))" },
      really: summary.flatMap { Really(job, $0, reader) },
      canRetry: ["failed", "cancelled", "interrupted"].contains(job.state))
  }

  private static func state(of job: JobDocument, _ reader: Reader) -> String {
    let words = reader.words
    switch job.state {
    case "done":
      let day = job.endedAt.flatMap { RecordedTime($0) }.map {
        // Jobs report times in UTC; the reader's day is the library's.
        let moment = EntryTime($0, in: reader.zone).instant
        return EntryTime(.instant(moment), in: reader.zone).localDay
      }
      return words.text("jobState.done", ["when": reader.ago(day ?? reader.today)])
    case "failed": return words.text("jobState.failed", ["reason": job.problem?.detail ?? ""])
    default: return words["jobState.\(job.state)"]
    }
  }

  private static func results(
    of kind: String, _ summary: JSONValue, _ reader: Reader
  ) -> [Fact] {
    let words = reader.words
    func count(_ label: String, _ value: Int?, evenNone: Bool = false) -> Fact? {
      value.flatMap {
        $0 == 0 && !evenNone ? nil : Fact(label: words[label], value: reader.number($0))
      }
    }
    func size(_ label: String, _ value: Int?) -> Fact? {
      value.map { Fact(label: words[label], value: reader.bytes($0)) }
    }
    let facts: [Fact?]
    switch kind {
    case "verify":
      facts = [
        count("files", summary["blobs"]?.whole), size("storedSize", summary["byteCount"]?.whole),
        count("jobResult.damaged", summary["damaged"]?.whole, evenNone: true),
      ]
    case "backup":
      facts = [
        count("files", summary["blobs"]?.whole), size("storedSize", summary["byteCount"]?.whole),
        count("jobResult.copied", summary["copied"]?.whole, evenNone: true),
        count("jobResult.damaged", summary["damaged"]?.whole),
      ]
    case "recompress":
      let (before, after) = (summary["formerByteCount"]?.whole, summary["byteCount"]?.whole)
      facts = [
        count("kind.photo", summary["changed"]?.whole, evenNone: true),
        size("freed", before.flatMap { before in after.map { before - $0 } }),
        count("jobResult.failed", summary["failed"]?.whole),
      ]
    case "prune":
      facts = [
        count("kind.photo", summary["purgedPhotos"]?.whole),
        count("entries", summary["purgedEntries"]?.whole),
        count("plants", summary["purgedPlants"]?.whole),
        count("files", summary.prunedFiles, evenNone: true),
        size("freed", summary["unlinked"]?["byteCount"]?.whole),
        summary["delayedUntil"]?.text.flatMap { RecordedTime($0) }.map {
          let moment = EntryTime($0, in: reader.zone).instant
          let time = EntryTime(.instant(moment), in: reader.zone)
          return Fact(
            label: words["jobResult.delayedUntil"],
            value: "\(reader.longDay(time)), \(reader.time(time))")
        },
      ]
    default: facts = []
    }
    return facts.compactMap { $0 }
  }
}

extension JobRow.Really {
  /// Nil where there is nothing to do.
  fileprivate init?(_ job: JobDocument, _ summary: JSONValue, _ reader: Reader) {
    guard job.isDryRun, ["prune", "recompress"].contains(job.kind) else { return nil }
    let entries =
      (summary["purgedPhotos"]?.whole ?? 0) + (summary["purgedEntries"]?.whole ?? 0)
    let count =
      job.kind == "recompress"
      ? summary["changed"]?.whole ?? 0 : entries > 0 ? entries : summary.prunedFiles
    guard count > 0 else { return nil }
    self.init(
      formAction: "/me/store",
      fields: [
        JobRow.HiddenField(fieldName: "kind", fieldValue: job.kind),
        JobRow.HiddenField(fieldName: "dryRun", fieldValue: "false"),
      ], button: reader.words.text("jobReally.\(job.kind)", ["number": reader.number(count)]))
  }
}

extension JobDocument {
  /// Whether it only reports what would be done.
  fileprivate var isDryRun: Bool { request["dryRun"] == .flag(true) }
}

extension JSONValue {
  subscript(name: String) -> JSONValue? {
    if case .object(let fields) = self { fields[name] } else { nil }
  }

  var text: String? { if case .string(let text) = self { text } else { nil } }

  fileprivate var whole: Int? { if case .integer(let number) = self { number } else { nil } }

  /// The number of files affected by a prune.
  fileprivate var prunedFiles: Int {
    ["condemned", "trashed", "unlinked"].reduce(0) { $0 + (self[$1]?["count"]?.whole ?? 0) }
  }
}
