/// The description of the service (OpenAPI 3.1), written by hand: `openapi.json`.
enum OpenAPI {
  static var document: String {
    guard case .text(let text)? = EmbeddedFiles.file("openapi.json") else {
      preconditionFailure("the description is a part of the program")
    }
    return text
  }
}
