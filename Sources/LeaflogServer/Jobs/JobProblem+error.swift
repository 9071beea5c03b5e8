internal import Documents
internal import Leaflog

extension JobProblem {
  /// An error as it is kept with its job. What nobody foresaw may have words of the diary in its text.
  init(_ error: any Error) {
    switch error {
    case let error as LeaflogError:
      self.init(
        code: error.code.rawValue, detail: error.message, remedy: error.remedy?.wordsOfService)
    case let problem as Problem:
      self.init(code: nil, detail: problem.detail ?? problem.status.reasonPhrase, remedy: nil)
    default:
      self.init(code: nil, detail: "The job failed; the server's log says where.", remedy: nil)
    }
  }
}
