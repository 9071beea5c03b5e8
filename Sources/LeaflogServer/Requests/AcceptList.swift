internal import Hummingbird

/// The value of `Accept` or `Accept-Encoding`: what a client accepts, with weights from 0 to 1 (RFC 9110, 12.4.2).
package struct AcceptList {
  private var weights: [String: Double] = [:]

  package init(_ header: String) {
    for item in header.lowercased().split(separator: ",") {
      let parts = item.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
      guard let name = parts.first else { continue }
      let weight = parts.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2)
      weights[name] = weight.map { Double($0) ?? 0 } ?? 1
    }
  }

  /// The names in a list, most preferred first, as written.
  static func ranked(_ header: String) -> [String] {
    let list = AcceptList(header)
    return header.split(separator: ",").compactMap { item -> (String, Double)? in
      let name = item.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }
      guard let weight = list[name.lowercased()], weight > 0 else { return nil }
      return (name, weight)
    }.sorted { $0.1 > $1.1 }.map(\.0)
  }

  /// The weight of a name itself; nil when the list does not contain it.
  package subscript(name: String) -> Double? { weights[name] }
}

extension Request {
  /// Whether the client names this media type among those it accepts. `*/*` does not count: many clients that send it
  /// cannot show every format.
  func accepts(mediaType: String) -> Bool {
    guard let accepted = headers[.accept] else { return false }
    return (AcceptList(accepted)[mediaType] ?? 0) > 0
  }
}
