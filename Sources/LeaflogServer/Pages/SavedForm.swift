internal import Foundation
internal import Hummingbird
internal import Leaflog
internal import Pages

/// A form that was saved, kept for the browser that may send it again: after Back, after a double tap, or over a slow
/// network.
struct SavedForm: Codable {
  /// The page that it led to.
  let place: String
  /// The number of its change, for undoing it.
  let change: Int64?
  /// Its words.
  let values: [String: [String]]

  init(_ call: FormCall, leadingTo place: String) {
    (self.place, change, values) = (place, call.change, call.form.words)
  }

  /// A form that is known by its key. After a day, its words are no longer kept.
  init(_ known: ClientRequest.Known) throws {
    switch known.answer {
    case .known(let data): self = try JSONDecoder().decode(SavedForm.self, from: data)
    case .carriedOut(let former): (place, change, values) = ("/me/history", former.change?.id, [:])
    }
  }

  var encoded: Data {
    get throws { try JSONEncoder().encode(self) }
  }

  /// The refusal of a form with other words, which shows both.
  func refusal(of form: TypedForm) -> Refusal {
    Refusal(former: TypedForm(values: values), at: place, typed: form)
  }
}

extension TypedForm {
  /// The fields, but for those that the page has filled in itself: a page that is fetched again has them anew.
  fileprivate var words: [String: [String]] {
    values.filter { name, _ in
      !["key", "back", "version"].contains(name) && !name.hasSuffix(".filled")
    }
  }

  /// The key by which it is saved once; nil for a form that may be saved each time.
  ///
  /// - Parameters:
  ///   - origin: the form as the history names it.
  ///   - holder: the reader.
  func key(_ origin: String, of holder: AccessToken?) throws -> ClientRequest.Key? {
    guard let key = self["key"], !key.isEmpty else { return nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let request = Array("\(origin)\n".utf8) + (try encoder.encode(words))
    return try ClientRequest.Key(key, for: request, of: holder)
  }
}

/// A saved form, for the script that has sent it.
struct SavedDocument: Shown {
  /// The page to go to, which reports the change.
  let place: String
  /// Nil where nothing was changed.
  let change: Int64?
  /// The sentence of the toast; nil where there is none.
  let text: String?
  /// The address of the form of its note; nil where none is offered.
  let note: String?

  static let shown = Fields<SavedDocument>([
    .init(adding: "place", .text) { $0.place },
    .init(adding: "change", .count) { $0.change.map(Int.init) },
    .init(adding: "text", .text) { $0.text },
    .init(adding: "note", .text) { $0.note },
  ])
}
