package import Fields
internal import Foundation
internal import HTTPTypes
internal import Hashing
internal import Hummingbird
package import Leaflog

/// An answer that is kept for a client that may repeat its request.
struct KeptAnswer: Codable {
  private let status: Int
  private let text: String
  private let tag: String?
  private let location: String?
  /// The number of the change, for undoing it.
  private let change: Int64?

  init(_ written: Written, change: Int64?) {
    status = written.status.code
    text = written.text
    (tag, location) = (written.tag?.description, written.location)
    self.change = change
  }

  var encoded: Data {
    get throws { try JSONEncoder().encode(self) }
  }

  var response: Response {
    var headers: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]
    headers[.eTag] = tag
    headers[.location] = location
    headers[.leaflogChange] = change.map(String.init)
    return Response(
      status: .init(code: status), headers: headers,
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }

  static func response(_ known: ClientRequest.Known) throws -> Response {
    guard known.isSame else { throw LeaflogError.usedKey }
    switch known.answer {
    case .known(let data): return try JSONDecoder().decode(KeptAnswer.self, from: data).response
    case .carriedOut(let former):
      return KeptAnswer(Written(former), change: former.change?.id).response
    }
  }
}

extension HTTPField.Name {
  /// The number of the change that a request made.
  static let leaflogChange = HTTPField.Name("Leaflog-Change")!
  /// Present when the change is done and saved on the server's machine, but not in the object store yet.
  static let leaflogUnsent = HTTPField.Name("Leaflog-Unsent")!
  /// draft-ietf-httpapi-idempotency-key-header
  static let idempotencyKey = HTTPField.Name("Idempotency-Key")!
}

/// The effect of a request whose answer is no longer kept.
extension ClientRequest.CarriedOut: Shown {
  package static let shown = Fields<ClientRequest.CarriedOut>([
    // The commit that carried it out.
    Field(adding: "commit", .number) { $0.commit },
    // Its change, and whether it was undone since; absent if it was none, or is no longer kept.
    Field(adding: "change", Change.shown) { $0.change },
    // The entries that it added or edited, as far as they are kept.
    Field(adding: "entries", each: entry) { $0.entries },
  ])

  private static let entry = Fields<(entry: Entry, isChanged: Bool)>([
    Field(adding: "id", .id) { $0.entry.id },
    Field(adding: "deleted", .flag) { $0.entry.deletedAt != nil },
    Field(adding: "changed", .flag) { $0.isChanged },
  ])
}

extension ClientRequest.Key {
  /// The shortest text that can hold 128 random bits: 22 letters and digits in base 64.
  private static let lastingKeyCount = 22

  /// - Parameters:
  ///   - text: the key as the client sent it.
  ///   - request: everything that the request says.
  ///   - holder: the client, whose keys are separate from those of others.
  init(_ text: String, for request: [UInt8], of holder: AccessToken?) throws {
    try Self.check(text)
    // A key of 128 random bits needs no client beside it, and is never used twice by chance. The answer to another may
    // still be beyond what a limited token sees.
    let isLasting = text.utf8.count >= Self.lastingKeyCount
    let isAlone = !isLasting || !(holder?.scope.seesAll ?? true)
    let name = !isAlone ? text : "\(holder.map { "\($0.id)" } ?? "")/\(text)"
    self.init(
      digest: Data(SHA256.digest(of: name.utf8)),
      request: Data(SHA256.digest(of: request)), isLasting: isLasting)
  }

  /// Refuses a text that is no key.
  static func check(_ text: String) throws {
    guard (1...200).contains(text.utf8.count), text.utf8.allSatisfy(\.isOfKey) else {
      throw Problem(
        .badRequest, "Idempotency-Key takes 1 to 200 letters and digits, such as a UUID.")
    }
  }
}

extension UInt8 {
  /// Whether it is a letter, a digit, `-`, `_`, or a quotation mark of a structured field (RFC 9651).
  fileprivate var isOfKey: Bool {
    switch self {
    case 48...57, 65...90, 97...122, 45, 95, 34: true
    default: false
    }
  }
}
