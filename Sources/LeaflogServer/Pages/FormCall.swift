internal import Fields
internal import Foundation
internal import Hummingbird
internal import Language
internal import Leaflog
internal import NIOCore
internal import Pages
internal import Synchronization

/// A posted form: its fields, the address it was posted to, and the library.
final class FormCall {
  let form: TypedForm
  let address: PageServing.Address
  private let call: Call
  /// The scope of the request.
  var scope: AccessScope { jobClient.scope }
  /// Its client, as far as jobs are concerned.
  let jobClient: JobClient
  private var faults: [any Error] = []
  /// How many of the entries that it selects were no longer there.
  var goneCount = 0
  /// The number of a change that was undone or redone.
  var moved: Int64?
  /// The job that it has started.
  var startedJob: Job?

  init(
    _ form: TypedForm, _ address: PageServing.Address, _ call: Call, _ client: JobClient
  ) {
    (self.form, self.address, self.call, jobClient) = (form, address, call, client)
  }

  var library: Library { call.library }

  /// The number of the change that it made.
  var change: Int64? { call.state.change }

  var result: FormResult {
    FormResult(
      change: moved ?? change, goneCount: goneCount,
      startedJob: startedJob.map { job in
        FormResult.StartedJob(kind: job.kind, isDry: job.request["dryRun"] == .flag(true))
      })
  }

  /// The library to write to.
  func writer() throws -> Library { try call.writer() }

  /// The library to write to, as long as the entry is still as the form shows it; nil for an entry that does not exist.
  func writer(editing entry: Entry?) throws -> Library { try call.writer(editing: entry) }

  func writer(editing plant: Plant) throws -> Library { try call.writer(editing: plant) }

  func writer(editing activity: Activity) throws -> Library { try call.writer(editing: activity) }

  /// Reads a value of the form; one that is not taken is noted, and `finish` reports it with all others.
  func attempt<Value>(_ body: () throws -> Value) throws -> Value? {
    do { return try body() } catch let fault as FormFault { faults.append(fault) } catch let fault
      as InvalidValue
    { faults.append(fault) }
    return nil
  }

  /// - Throws: `FormFaults` with the values that are not taken, if there are any.
  func finish() throws { if !faults.isEmpty { throw FormFaults(all: faults) } }

  /// The changes that the form makes to a thing; fields that were not touched are kept.
  ///
  /// - Parameters:
  ///   - stored: the thing as it is; nil for a new one.
  ///   - absent: fields that the form does not have.
  func patch<Thing: Fielded>(
    of stored: Thing?, besides absent: Set<String> = []
  ) throws -> Patch<Thing> {
    var patch = Patch<Thing>()
    for field in Thing.fields.all where !absent.contains(field.name) {
      let former = stored.map(field.get)
      let value = typed(field.name, field.rule, replacing: former)
      guard value != former else { continue }
      try attempt { try patch.set(field.name, value) }
    }
    return patch
  }

  private func typed(_ name: String, _ rule: Rule, replacing former: Scalar?) -> Scalar {
    let stored = former.flatMap { String($0) }
    switch rule {
    case .list(let item):
      let items = list(name, replacing: former.flatMap { [String]($0) } ?? [])
      return .list(items.map(item.parsed))
    case .line, .text: return line(name, replacing: stored).map(rule.parsed) ?? .null
    default: return text(name, replacing: stored).map(rule.parsed) ?? .null
    }
  }

  /// The values of the factors that the form has a field for; nil where it was left empty.
  func factorValues(_ factors: [Factor]) throws -> [(factor: Factor, value: FactorValue?)] {
    try factors.filter { form[$0.formName] != nil }.map { factor in
      let value = try attempt { () throws -> FactorValue? in
        guard let typed = text(factor.formName) else { return nil }
        do throws(InvalidValue) { return try factor.details.checked(.typed(typed)) } catch {
          throw InvalidValue(factor.formName, error.problem, given: typed)
        }
      }
      return (factor, value ?? nil)
    }
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

  /// A number; nil where nothing was typed.
  func number(_ name: String) throws -> Scalar? {
    guard let text = text(name) else { return nil }
    if let whole = Int(text) { return .whole(whole) }
    guard let number = plainNumber(text) else {
      throw InvalidValue(name, takes: "a number", given: text)
    }
    return .number(number)
  }

  /// The reasons for doubt that are confirmed: boxes that are ticked, and the episodes that the page named.
  var confirmed: Set<Doubt.Confirmation> {
    var confirmed: Set<Doubt.Confirmation> = []
    if flag("allowLate") { confirmed.insert(.late) }
    if flag("allowFuture") { confirmed.insert(.future) }
    if let ids = text("allowOverlap") {
      confirmed.insert(
        .overlap(with: Set(ids.split(separator: " ").map { EntryID(stored: "\($0)") })))
    }
    return confirmed
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

extension TypedForm {
  /// Notes an error at each field, and returns all of them.
  fileprivate mutating func note(_ faults: [any Error], _ words: Words) -> String {
    var told: [String] = []
    for fault in faults {
      let (field, message) =
        switch fault {
        case let fault as FormFault: (fault.field, words[fault.word])
        case let fault as InvalidValue:
          (String(fault.field.split(separator: ".").last ?? ""), fault.told(in: words))
        default: preconditionFailure("no other error is about a field")
        }
      errors[field] = errors[field] ?? message
      if let fault = fault as? InvalidValue { errors[fault.field] = errors[fault.field] ?? message }
      told.append(message)
    }
    return told.joined(separator: " ")
  }
}

extension Request {
  /// The fields of a form (application/x-www-form-urlencoded; WHATWG URL, 5.1).
  ///
  /// - Parameter share: the memory for its body.
  func form(_ share: BodyShare) async throws -> TypedForm {
    let type = headers[.contentType]?.prefix { $0 != ";" }.lowercased()
    guard type == "application/x-www-form-urlencoded" else {
      throw Problem(
        .unsupportedMediaType, "Forms must be sent as application/x-www-form-urlencoded.")
    }
    let buffer = try await share.collect(self, upTo: BodyReader.maxByteCount)
    return try await decoding(buffer.readableBytes) { try TypedForm(encoded: buffer) }
  }
}

extension TypedForm {
  fileprivate init(encoded buffer: ByteBuffer) throws {
    var values: [String: [String]] = [:]
    for (name, value) in try encodedFields(String(buffer: buffer)) {
      // NUL ends a text in SQLite: what follows would be lost.
      guard !value.utf8.contains(0) else {
        throw BodyReader.textWithNUL
      }
      // Browsers end lines with CRLF.
      values[name, default: []].append(value.replacing("\r\n", with: "\n"))
    }
    self.init(values: values)
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

/// All the values of a form that are not taken.
struct FormFaults: Error {
  /// Each a `FormFault` or an `InvalidValue`.
  let all: [any Error]
}

extension InvalidValue {
  /// The message at the field.
  fileprivate func told(in words: Words) -> String {
    switch problem {
    case .empty, .missing: words[Self.missing[field] ?? "error.missing"]
    // Only the English text says which values a field takes.
    default: words.isEnglish ? description : words["error.value"]
    }
  }

  private static let missing = [
    "name": "error.nameMissing", "severity": "error.severityMissing", "type": "error.kindMissing",
  ]
}

extension Refusal {
  /// Creates a refusal; nil for errors that are not about the form.
  init?(_ error: any Error, _ form: TypedForm, _ words: Words) {
    var form = form
    var doubts: [Doubt] = []
    let detail: String?
    switch error {
    case let fault as FormFault: detail = form.note([fault], words)
    case let fault as InvalidValue: detail = form.note([fault], words)
    case let faults as FormFaults: detail = form.note(faults.all, words)
    case let error as LeaflogError
    where [.invalidRequest, .nameTaken, .conflict, .changed, .suspicious, .unconfirmed].contains(
      error.code):
      doubts = error.doubts
      detail = words.problem(error.message, of: "refusal.\(error.code.rawValue)")
    case let problem as Problem where problem.status.kind == .clientError:
      detail = problem.told(in: words)
    default: return nil
    }
    let isChanged = (error as? LeaflogError)?.code == .changed
    self.init(isConflict: isChanged, detail: detail, typed: form, doubts: doubts)
  }

  var status: HTTPResponse.Status { isConflict ? .conflict : .unprocessableContent }
}
