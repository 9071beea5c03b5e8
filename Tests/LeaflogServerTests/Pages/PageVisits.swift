import Foundation
import Leaflog
import TestSupport

extension RunningServer {
  /// Runs a test of pages: the disclaimer is acknowledged, and there are no photos unless given.
  static func visit(
    importing paths: [String] = [], clock: WallClock = .system,
    prepare: (Library) throws -> Void = { _ in }, _ body: (RunningServer) async throws -> Void
  ) async throws {
    try await run(
      importing: paths, clock: clock,
      prepare: { library in
        try library.settings.set(.disclaimer, to: "acknowledged")
        try prepare(library)
      }, body)
  }

  /// Posts a form as a browser does.
  func submit(
    _ path: String, _ fields: KeyValuePairs<String, String>
  ) async throws -> Answer {
    try await submit(path, fields.map { ($0.key, $0.value) })
  }

  /// The same with fields that were put together.
  func submit(_ path: String, _ fields: [(String, String)]) async throws -> Answer {
    var allowed = CharacterSet.alphanumerics
    allowed.insert(charactersIn: "-._*")
    let body = fields.map { name, value in
      "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")"
    }.joined(separator: "&")
    return try await answer(
      "POST", path, ["Content-Type: application/x-www-form-urlencoded"], body: Array(body.utf8))
  }

  /// A page's HTML.
  func look(at path: String, _ language: String = "en") async throws -> String {
    String(
      decoding: try await answer("GET", path, ["Accept-Language: \(language)"]).body, as: UTF8.self)
  }
}

extension Answer {
  var html: String { String(decoding: body, as: UTF8.self) }
}
