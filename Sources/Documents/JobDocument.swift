/// How far a job is.
package struct JobProgress: Codable, Hashable, Sendable {
  /// The things that a kind of job counts.
  package enum Unit: String, Codable, Sendable {
    case files, photos, percent
    /// Parts of the work that have no other name.
    case steps
  }

  package var done: Int
  /// Nil until it is known.
  package var total: Int?
  package let unit: Unit
  /// The thing at work, such as a file's name; nil where there is none.
  package var current: String?

  package init(unit: Unit) {
    self.unit = unit
    done = 0
  }
}

/// A file that is the result of a job.
package struct JobFile: Codable, Hashable, Sendable {
  /// The name to keep it under.
  package let name: String
  package let mediaType: String
  package let byteCount: Int

  package init(name: String, mediaType: String, byteCount: Int) {
    (self.name, self.mediaType, self.byteCount) = (name, mediaType, byteCount)
  }
}

/// Why a job has failed.
package struct JobProblem: Codable, Hashable, Sendable {
  /// The library's, where the error is its own.
  package let code: String?
  package let detail: String
  package let remedy: String?

  package init(code: String?, detail: String, remedy: String?) {
    (self.code, self.detail, self.remedy) = (code, detail, remedy)
  }
}

/// A job in JSON. Times are in UTC; what is not known yet is left out.
package struct JobDocument: Encodable {
  package let id: String
  package let kind: String
  package let request: JSONValue
  package let state: String
  package let progress: JobProgress?
  package let createdAt: String
  package let startedAt: String?
  package let endedAt: String?
  package let result: JSONValue?
  package let file: JobFile?
  package let problem: JobProblem?
  /// The job that this one does again.
  package let retryOf: String?

  package init(
    id: String, kind: String, request: JSONValue, state: String, progress: JobProgress?,
    createdAt: String, startedAt: String?, endedAt: String?, result: JSONValue?, file: JobFile?,
    problem: JobProblem?, retryOf: String?
  ) {
    (self.id, self.kind, self.request, self.state) = (id, kind, request, state)
    self.progress = progress
    (self.createdAt, self.startedAt, self.endedAt) = (createdAt, startedAt, endedAt)
    (self.result, self.file, self.problem, self.retryOf) = (result, file, problem, retryOf)
  }
}
