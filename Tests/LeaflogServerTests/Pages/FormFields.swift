import Foundation

/// The fields of a form on a page, as a browser sends them.
struct FormFields {
  var fields: [(String, String)] = []

  /// The form that is posted to an address; nil if the page has none.
  init?(of html: String, to action: String) {
    var rest = html[...]
    var body: Substring?
    while body == nil, let form = rest.firstMatch(of: Self.form) {
      if Self.text(form.1) == action { body = form.2 }
      rest = rest[form.range.upperBound...]
    }
    guard let body else { return nil }
    for element in body.matches(of: Self.element) {
      if let select = element.2 { fields += Self.select(element.1 ?? "", select) }
      if let text = element.4 {
        fields += Self.named(element.3 ?? "", Self.text(text).replacing("\n", with: "\r\n"))
      }
      if let input = element.5 { fields += Self.input(input) }
    }
  }

  /// Sets the value of a field, as somebody who types it.
  mutating func type(_ value: String, into name: String) {
    fields = fields.map { $0.0 == name ? (name, value) : $0 }
  }

  /// Gives the form another key, as somebody who changes it after Back.
  mutating func renew() { type(UUID().uuidString, into: "key") }

  func value(_ name: String) -> String? { fields.first { $0.0 == name }?.1 }

  nonisolated(unsafe) private static let form =
    /<form[^>]*? method="post" action="([^"]*)"[^>]*>((?s:.*?))<\/form>/
  nonisolated(unsafe) private static let element =
    /(?s:<select([^>]*)>(.*?)<\/select>|<textarea([^>]*)>(.*?)<\/textarea>|<input([^>]*)>)/

  private static func input(_ input: Substring) -> [(String, String)] {
    let type = attribute("type", of: input) ?? "text"
    let isBox = ["checkbox", "radio"].contains(type)
    guard type != "submit", !input.contains(#/ disabled(?![-\w])/#),
      !isBox || input.contains(#/ checked(?![-\w])/#)
    else { return [] }
    let value = attribute("value", of: input) ?? (isBox ? "on" : "")
    return named(input, value.filter { !$0.isNewline })
  }

  private static func select(_ select: Substring, _ options: Substring) -> [(String, String)] {
    let options = options.matches(of: /<option([^>]*)>/).map(\.1)
    let chosen = options.first { $0.contains(#/ selected(?![-\w])/#) } ?? options.first
    return chosen.map { named(select, attribute("value", of: $0) ?? "") } ?? []
  }

  private static func named(_ element: Substring, _ value: String) -> [(String, String)] {
    attribute("name", of: element).map { [($0, value)] } ?? []
  }

  private static func attribute(_ name: String, of element: Substring) -> String? {
    element.matches(of: #/ ([-\w]+)="([^"]*)"/#).first { $0.1 == name }.map { text($0.2) }
  }

  /// The text of HTML with references.
  private static func text(_ html: Substring) -> String {
    let names = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
    return String(html).replacing(/&(?:#x([0-9A-Fa-f]+)|#([0-9]+)|(\w+));/) { match -> String in
      if let name = match.3 { return names[String(name)] ?? String(match.0) }
      let number: UInt32?
      if let digits = match.1 {
        number = UInt32(digits, radix: 16)
      } else {
        number = match.2.flatMap { UInt32($0) }
      }
      return number.flatMap { Unicode.Scalar($0) }.map { String(Character($0)) } ?? ""
    }
  }
}
