internal import Foundation
internal import Hummingbird

extension RequestContext {
  /// A part of the path, percent-decoded (RFC 3986, 2.1).
  func text(_ name: String) throws -> String { try Self.decoded(parameters.require(name)) }

  /// All named parts of the path, percent-decoded.
  func decodedParameters() throws -> [String: String] {
    var names: [String: String] = [:]
    for (name, value) in parameters { names[String(name)] = try Self.decoded(String(value)) }
    return names
  }

  private static func decoded(_ text: String) throws -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
    guard let text = text.removingPercentEncoding else {
      throw Problem(.badRequest, "The address is not encoded as UTF-8.")
    }
    return text
  }
}
