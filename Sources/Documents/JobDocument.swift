package import Fields

/// The progress of a job.
package struct JobProgress: Codable, Hashable, Sendable {
  /// The unit in which a kind of job counts its progress.
  package enum Unit: String, Codable, Sendable {
    case files, photos, percent
    /// Parts of the work that have no more specific name.
    case steps
  }

  package var done: Int
  /// Nil until it is known.
  package var total: Int?
  package let unit: Unit
  /// The item being processed, such as a file's name, if any.
  package var current: String?

  package init(unit: Unit) {
    self.unit = unit
    done = 0
  }
}

/// A file that is the result of a job.
package struct JobFile: Codable, Hashable, Sendable {
  /// The name to save it under.
  package let name: String
  package let mediaType: String
  package let byteCount: Int

  package init(name: String, mediaType: String, byteCount: Int) {
    (self.name, self.mediaType, self.byteCount) = (name, mediaType, byteCount)
  }
}

/// The reason why a job failed.
package struct JobProblem: Codable, Hashable, Sendable {
  /// The code of the library's error; nil for other errors.
  package let code: String?
  package let detail: String
  package let remedy: String?

  package init(code: String?, detail: String, remedy: String?) {
    (self.code, self.detail, self.remedy) = (code, detail, remedy)
  }
}

/// A job in JSON. Times are in UTC; values that are not known yet are omitted.
package struct JobDocument: Encodable {
  package let id: String
  package let kind: String
  package let request: [String: Scalar]
  package let state: String
  package let progress: JobProgress?
  package let createdAt: String
  package let startedAt: String?
  package let endedAt: String?
  package let result: JSONValue?
  package let file: JobFile?
  package let problem: JobProblem?
  /// The id of the job that this one retries.
  package let retryOf: String?

  package init(
    id: String, kind: String, request: [String: Scalar], state: String, progress: JobProgress?,
    createdAt: String, startedAt: String?, endedAt: String?, result: JSONValue?, file: JobFile?,
    problem: JobProblem?, retryOf: String?
  ) {
    (self.id, self.kind, self.request, self.state) = (id, kind, request, state)
    self.progress = progress
    (self.createdAt, self.startedAt, self.endedAt) = (createdAt, startedAt, endedAt)
    (self.result, self.file, self.problem, self.retryOf) = (result, file, problem, retryOf)
  }
}
