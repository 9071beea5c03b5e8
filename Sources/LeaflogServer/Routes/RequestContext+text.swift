internal import Foundation
internal import Hummingbird

extension RequestContext {
  /// A part of the path, with its percent-encoding undone (RFC 3986, 2.1).
  func text(_ name: String) throws -> String {
    guard let text = try parameters.require(name).removingPercentEncoding else {
      throw Problem(.badRequest, "The address is not encoded as UTF-8.")
    }
    return text
  }
}
