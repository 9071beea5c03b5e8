import Foundation
import TestSupport

extension RunningServer {
  /// Sends a form as a browser does.
  func submit(
    _ path: String, _ fields: KeyValuePairs<String, String>
  ) async throws -> Answer {
    let unreserved = CharacterSet.alphanumerics.intersection(CharacterSet(charactersIn: "a"..."z"))
    let body = fields.map { name, value in
      "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: unreserved) ?? "")"
    }.joined(separator: "&")
    return try await answer(
      "POST", path, ["Content-Type: application/x-www-form-urlencoded"], body: Array(body.utf8))
  }

  /// The HTML of a page.
  func page(_ path: String, _ headers: [String] = []) async throws -> String {
    String(decoding: try await answer("GET", path, headers).body, as: UTF8.self)
  }

  /// Sees what is told first.
  func acknowledge() throws { try library.settings.set(.disclaimer, to: "acknowledged") }
}

extension Answer {
  var text: String { String(decoding: body, as: UTF8.self) }
}
