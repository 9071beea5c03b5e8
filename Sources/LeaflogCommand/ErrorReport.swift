internal import Leaflog

/// An error as shown to the user: a sentence, or a JSON object with `--json`.
struct ErrorReport {
  private struct Document: Encodable {
    struct Detail: Encodable {
      let code: String
      let message: String
      let remedy: String?
    }
    let error: Detail
  }

  let error: LeaflogError
  let isJSON: Bool

  /// - Returns: the status to exit with.
  func print(to stream: StandardStream) -> Int32 {
    if isJSON {
      let detail = Document.Detail(
        code: error.code.rawValue, message: error.message, remedy: error.remedy?.words)
      stream.print(json: Document(error: detail))
    } else {
      stream.print("leaflog: \(error.words)")
    }
    return ExitStatus(error.code).rawValue
  }
}
