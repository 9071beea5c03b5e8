internal import Foundation

/// An address made of a path and a query.
package struct PageAddress {
  let path: String
  var parameters: [(String, String)]

  package init(_ path: String, _ parameters: [(String, String)] = []) {
    (self.path, self.parameters) = (path, parameters)
  }

  func with(_ name: String, _ value: String?) -> PageAddress {
    var address = self
    address.parameters.removeAll { $0.0 == name }
    if let value { address.parameters.append((name, value)) }
    return address
  }

  package var text: String { path + query }

  /// The query with its question mark; empty without parameters.
  var query: String {
    guard !parameters.isEmpty else { return "" }
    // The unreserved characters (RFC 3986, 2.3); Foundation's sets contain the letters of all scripts.
    let allowed = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    let parts = parameters.map { name, value in
      "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")"
    }
    return "?" + parts.joined(separator: "&")
  }

  /// The address, ending so that parameters can be appended.
  var open: String { parameters.isEmpty ? path + "?" : text + "&" }
}
