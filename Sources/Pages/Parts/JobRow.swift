internal import Language
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
  /// Whether the reader may cancel or remove it.
  let canEnd: Bool

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

/// The jobs that a page has begun.
struct JobList {
  let jobs: [JobRow]
  /// Whether some have not ended.
  let hasOpen: Bool

  /// Nil without any.
  ///
  /// - Parameter jobs: jobs of any kind, newest first.
  init?(_ jobs: [JobDocument], in context: PageContext, where isShown: (JobDocument) -> Bool) {
    self.jobs = jobs.filter(isShown).map { JobRow($0, in: context) }
    hasOpen = self.jobs.contains(where: \.isOpen)
    if self.jobs.isEmpty { return nil }
  }
}

extension JobRow {
  init(_ job: JobDocument, in context: PageContext) {
    let (reader, words) = (context.reader, context.words)
    let title = words["job.\(job.kind)"]
    let file = job.state == .done ? job.file : nil
    let progress = job.progress
    let done = progress?.done ?? 0
    let outcome = job.state == .done ? job.outcome : nil
    let results = outcome?.facts(reader) ?? []
    self.init(
      id: job.id,
      title: job.isDryRun ? words.text("jobDry", ["title": title]) : title,
      detail: Self.state(of: job, reader),
      isBad: job.state == .failed, isOpen: !job.state.isEnd, total: max(1, progress?.total ?? 1),
      done: done,
      progressText: progress?.total.map { "\(reader.number(done)) / \(reader.number($0))" }
        ?? (done > 0 ? reader.number(done) : ""), hasResults: !results.isEmpty, results: results,
      allWell: outcome?.isAllWell == true ? words["jobAllWell"] : nil,
      fileHref: file.map { _ in "/api/v1/jobs/\(job.id)/result" },
      fileLabel: file.map { "\($0.name), \(reader.bytes($0.byteCount))" },
      really: outcome.flatMap { Really(job, $0, reader) },
      canRetry: job.isControlled && [.failed, .cancelled, .interrupted].contains(job.state),
      canEnd: job.isControlled)
  }

  private static func state(of job: JobDocument, _ reader: Reader) -> String {
    let words = reader.words
    switch job.state {
    case .done:
      let day = job.endedAt.map { EntryTime(.instant($0), in: reader.zone).localDay }
      return words.text("jobState.done", ["when": reader.ago(day ?? reader.today)])
    case .failed:
      return words.text("jobState.failed", ["reason": job.problem?.told(in: words) ?? ""])
    case .waiting, .running, .cancelled, .interrupted:
      return words["jobState.\(job.state.rawValue)"]
    }
  }
}

extension JobProblem {
  fileprivate func told(in words: Words) -> String? {
    words.problem(detail, of: code.map { "refusal.\($0)" } ?? "jobFailed") ?? words["jobFailed"]
  }
}

extension JobOutcome {
  /// Whether it is a check that has found no damage.
  fileprivate var isAllWell: Bool { if case .verified(_, _, 0) = self { true } else { false } }

  fileprivate func facts(_ reader: Reader) -> [Fact] {
    let words = reader.words
    func count(_ label: String, _ number: Int, evenNone: Bool = false) -> Fact? {
      number == 0 && !evenNone ? nil : Fact(label: words[label], value: reader.number(number))
    }
    func size(_ label: String, _ byteCount: Int) -> Fact {
      Fact(label: words[label], value: reader.bytes(byteCount))
    }
    let facts: [Fact?]
    switch self {
    case .verified(let fileCount, let byteCount, let damageCount):
      facts = [
        count("files", fileCount), size("storedSize", byteCount),
        count("jobResult.damaged", damageCount, evenNone: true),
      ]
    case .backedUp(let fileCount, let byteCount, let copiedCount, let damageCount):
      facts = [
        count("files", fileCount), size("storedSize", byteCount),
        count("jobResult.copied", copiedCount, evenNone: true),
        count("jobResult.damaged", damageCount),
      ]
    case .recompressed(let photoCount, let freedByteCount, let failureCount):
      facts = [
        count("kind.photo", photoCount, evenNone: true), size("freed", freedByteCount),
        count("jobResult.failed", failureCount),
      ]
    case .pruned(let pruned):
      facts = [
        count("kind.photo", pruned.photoCount), count("entries", pruned.entryCount),
        count("plants", pruned.plantCount), count("files", pruned.fileCount, evenNone: true),
        size("freed", pruned.freedByteCount),
        pruned.delayedUntil.map {
          let time = EntryTime(.instant(Timestamp(milliseconds: $0)), in: reader.zone)
          return Fact(
            label: words["jobResult.delayedUntil"],
            value: "\(reader.longDay(time)), \(reader.time(time))")
        },
      ]
    }
    return facts.compactMap { $0 }
  }

  /// The number of things that a dry run would change.
  fileprivate var plannedCount: Int {
    switch self {
    case .recompressed(let photoCount, _, _): return photoCount
    case .pruned(let pruned):
      let entryCount = pruned.photoCount + pruned.entryCount
      return entryCount > 0 ? entryCount : pruned.fileCount
    case .verified, .backedUp: return 0
    }
  }
}

extension JobRow.Really {
  /// Nil where there is nothing to do.
  fileprivate init?(_ job: JobDocument, _ outcome: JobOutcome, _ reader: Reader) {
    let count = outcome.plannedCount
    guard job.isDryRun, count > 0 else { return nil }
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
