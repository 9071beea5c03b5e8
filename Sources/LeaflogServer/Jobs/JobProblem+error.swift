internal import Documents
internal import Leaflog

extension JobProblem {
  /// The error as stored with its job. The text of unforeseen errors is left out, as it may contain words of the diary.
  init(_ error: any Error) {
    switch error {
    case let error as LeaflogError:
      self.init(
        code: error.code.rawValue, detail: error.message, remedy: error.remedy?.wordsOfService)
    case let problem as Problem:
      self.init(code: nil, detail: problem.detail ?? problem.status.reasonPhrase, remedy: nil)
    default:
      self.init(code: nil, detail: "The job failed; see the server's log.", remedy: nil)
    }
  }
}
