internal import Documents
internal import Foundation
internal import Hummingbird
internal import Leaflog
internal import NIOCore
internal import Pages
internal import Synchronization

/// A posted form: its fields, the address it was posted to, and the library.
final class FormCall {
  let form: TypedForm
  let address: PageServing.Address
  private let call: Call
  /// The number of a change that was undone or redone.
  var moved: Int64?

  init(_ form: TypedForm, _ address: PageServing.Address, _ call: Call) {
    (self.form, self.address, self.call) = (form, address, call)
  }

  var library: Library { call.library }

  /// The number of the change that it made.
  var change: Int64? { call.state.change }

  /// The library to write to.
  func writer() throws -> Library { try call.writer() }

  /// The library to write to, as long as the entry is still as the form shows it; nil for an entry that does not exist.
  func writer(editing entry: Entry?) throws -> Library { try call.writer(editing: entry) }

  func writer(editing plant: Plant) throws -> Library { try call.writer(editing: plant) }

  func writer(editing activity: Activity) throws -> Library { try call.writer(editing: activity) }

  /// Makes a change as the API does.
  @discardableResult func perform(
    _ action: (Call) throws -> Written, _ fields: [String: JSONValue]
  ) throws -> Written {
    try action(
      Call(
        library: call.library, names: call.names, body: BodyReader(fields),
        condition: call.condition, key: nil, origin: call.origin, state: call.state))
  }

  /// A field's text, trimmed; nil where nothing was typed.
  func text(_ name: String) -> String? { form[name]?.tidied }

  /// The text of a field of several lines; the stored one if it was not touched.
  func text(_ name: String, replacing stored: String?) -> String? {
    let typed = text(name)
    let shown = stored?.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    return typed == shown?.tidied ? stored : typed
  }

  /// The text of a field of one line, from which browsers drop line breaks; the stored one if it was not touched.
  func line(_ name: String, replacing stored: String?) -> String? {
    let typed = text(name)
    return typed == stored?.withoutLineBreaks.tidied ? stored : typed
  }

  /// A required field, which the page itself sends.
  func required(_ name: String) throws -> String {
    guard let text = text(name) else {
      throw Problem(.badRequest, "The form has no “\(name)”.")
    }
    return text
  }

  func day(_ name: String) throws -> LocalDay {
    guard let day = LocalDay(try required(name)) else {
      throw Problem(.badRequest, "“\(name)” is not a day such as 2026-03-01.")
    }
    return day
  }

  /// A number as JSON; null where nothing was typed.
  func number(_ name: String) throws -> JSONValue {
    guard let text = text(name) else { return .null }
    if let whole = Int(text) { return .integer(whole) }
    guard let number = Double(text.replacing(",", with: ".")), number.isFinite else {
      throw InvalidValue(name, takes: "a number", given: text)
    }
    return .number(number)
  }

  func flag(_ name: String) -> Bool { form[name] == "true" }

  /// The items of a list. Stored items have a field each, which is taken whole; new ones are typed into one field, with
  /// commas between them. Where a form has only that field, a stored item in it is taken whole, too.
  func list(_ name: String, replacing stored: [String]) -> [String] {
    let fields = (form.values[name] ?? []).flatMap { $0.split(whereSeparator: \.isNewline) }
      .compactMap { String($0).tidied }
    func kept(_ typed: String) -> String? { stored.first { $0.withoutLineBreaks == typed } }
    guard let new = form.newItems(of: name) else {
      return fields.flatMap { typed in kept(typed).map { [$0] } ?? typed.separatedByCommas }
    }
    return fields.map { kept($0) ?? $0 } + new.separatedByCommas
  }
}

extension TypedForm {
  /// The limit for forms that anybody may send.
  static let maxOpenByteCount = 4096

  /// The page to go back to, on this site. Browsers strip tabs and line breaks from an address, so a slash after one
  /// would name another host (WHATWG URL, 4.4).
  var back: String? {
    // By scalars: a mark after a slash would make it another character.
    guard let back = self["back"], back.unicodeScalars.first == "/",
      back.unicodeScalars.dropFirst().first != "/",
      !back.unicodeScalars.contains(where: {
        $0 == "\\" || $0.properties.generalCategory == .control
      })
    else { return nil }
    return back
  }
}

extension Request {
  /// The fields of a form (application/x-www-form-urlencoded; WHATWG URL, 5.1).
  ///
  /// - Parameter maxByteCount: the limit of its body.
  func form(upTo maxByteCount: Int = BodyReader.maxByteCount) async throws -> TypedForm {
    let type = headers[.contentType]?.prefix { $0 != ";" }.lowercased()
    guard type == "application/x-www-form-urlencoded" else {
      throw Problem(
        .unsupportedMediaType, "Forms must be sent as application/x-www-form-urlencoded.")
    }
    let buffer: ByteBuffer
    do {
      buffer = try await body.collect(upTo: maxByteCount)
    } catch is NIOTooManyBytesError {
      throw Problem(.contentTooLarge, "The form is larger than \(maxByteCount) bytes.")
    }
    var values: [String: [String]] = [:]
    for pair in String(buffer: buffer).split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { $0.replacing("+", with: " ").removingPercentEncoding }
      guard let name = parts[0], let value = parts.count > 1 ? parts[1] : "" else {
        throw Problem(.badRequest, "The form is not encoded as UTF-8.")
      }
      // NUL ends a text in SQLite: what follows would be lost.
      guard !value.utf8.contains(0) else {
        throw BodyReader.textWithNUL
      }
      // Browsers end lines with CRLF.
      values[name, default: []].append(value.replacing("\r\n", with: "\n"))
    }
    return TypedForm(values: values)
  }
}

extension String {
  /// The text as an input of one line holds it (HTML, 4.10.5.1.2).
  fileprivate var withoutLineBreaks: String { filter { !["\r", "\n", "\r\n"].contains($0) } }

  /// The items between commas. An item in double quotes may have commas in it; two double quotes in it are one.
  var separatedByCommas: [String] {
    var items: [String] = []
    var rest = Substring(self)
    while let first = rest.firstIndex(where: { !$0.isWhitespace && $0 != "," }) {
      rest = rest[first...]
      let quoted = rest.prefixMatch(of: #/"((?:[^"]|"")+)"\s*(?:,|$)/#)
      if let quoted {
        items.append(String(quoted.1).replacing("\"\"", with: "\""))
        rest = rest[quoted.range.upperBound...]
      } else {
        items.append(String(rest.prefix { $0 != "," }))
        rest = rest.drop { $0 != "," }
      }
    }
    return items.compactMap(\.tidied)
  }
}

/// A form field that is missing or has an invalid value.
struct FormFault: Error {
  let field: String
  /// The key of the message about it.
  let word: String

  init(_ field: String, _ word: String) { (self.field, self.word) = (field, word) }
}

extension Refusal {
  /// Creates a refusal; nil for errors that are not about the form.
  init?(_ error: any Error, _ form: TypedForm, _ words: Words) {
    var form = form
    let detail: String?
    switch error {
    case let fault as FormFault:
      form.errors[fault.field] = words[fault.word]
      detail = words[fault.word]
    case let error as InvalidValue:
      // Only the English text says which values a field takes.
      let told = words.isEnglish ? error.description : words["error.value"]
      form.errors[String(error.field.split(separator: ".").last ?? "")] = told
      detail = told
    case let error as LeaflogError
    where [.invalidRequest, .nameTaken, .conflict, .changed, .suspicious].contains(error.code):
      detail =
        words.isEnglish ? error.message : words["refusal.\(error.code.rawValue)"]
    case let problem as Problem where problem.status.kind == .clientError:
      detail = words.isEnglish ? problem.detail : words["refusal.invalidRequest"]
    default: return nil
    }
    let isChanged = (error as? LeaflogError)?.code == .changed
    self.init(isConflict: isChanged, detail: detail, typed: form)
  }

  var status: HTTPResponse.Status { isConflict ? .conflict : .unprocessableContent }
}
