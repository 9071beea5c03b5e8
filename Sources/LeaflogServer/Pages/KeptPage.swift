internal import Foundation
internal import HTTPTypes
internal import Hashing
internal import Hummingbird
internal import Leaflog
internal import NIOCore
internal import NIOPosix
internal import Pages
internal import Synchronization

/// The key of a kept page: its text is everything besides the commit that the page depends on.
struct PageKey: Sendable {
  /// The page's place in the cache, which is for one commit.
  let text: String
  /// The page's validator (RFC 9110, 8.8), unless it has a form's key.
  let tag: EntityTag

  /// Distinguishes this run of the service from others: marks of commits are those of a run, and the next one may be of
  /// another version or have another base.
  private static let run = UUID().uuidString

  init(_ text: String, at commit: CommitMark) {
    self.text = text
    var hash = SHA256()
    commit.words.withUnsafeBytes { hash.update($0) }
    for var part in [Self.run, text] { part.withUTF8 { hash.update(UnsafeRawBufferPointer($0)) } }
    guard let digest = hash.withDigest({ BlobID(bytes: $0) }) else {
      preconditionFailure("a digest has 32 bytes")
    }
    tag = EntityTag(digest: digest.hex)
  }
}

/// A page as it is kept in memory.
final class KeptPage: Sendable {
  private let plain: ByteBuffer
  /// Where the key of its form is, which each answer gets anew, as a form is saved once for each key.
  private let keys: [Int]
  private let tag: EntityTag?
  private let packed = Mutex<ByteBuffer?>(nil)

  /// - Parameters:
  ///   - html: as browsers get it.
  ///   - formKey: the key that forms in it have.
  ///   - tag: nil if its key has changed while it was made, as when the day ends.
  init(html: [UInt8], formKey: String, tag: EntityTag?) {
    plain = ByteBuffer(bytes: html)
    keys = html.places(of: Array(formKey.utf8))
    self.tag = keys.isEmpty ? tag : nil
  }

  /// The memory that it takes: compressed, a page is less than half as long.
  var byteCount: Int { plain.storageCapacity * 3 / 2 }

  /// The answer to a client that has the page with this tag.
  static func unchanged(_ tag: EntityTag, for request: Request) throws -> Response? {
    guard try request.isCurrent(tag) else { return nil }
    var headers = HTTPFields.page
    headers[.contentType] = nil
    headers[.eTag] = tag.description
    return Response(status: .notModified, headers: headers)
  }

  func response(to request: Request) async throws -> Response {
    if let tag, let unchanged = try Self.unchanged(tag, for: request) { return unchanged }
    var headers = HTTPFields.page
    headers[.eTag] = tag?.description
    headers[.leaflogBased] = "1"
    var body = plain
    for place in keys { body.setString(UUID().uuidString, at: body.readerIndex + place) }
    if keys.isEmpty, AcceptedEncodings(request.headers[.acceptEncoding] ?? "").allowGzip,
      let compressed = try await compressed()
    {
      headers[.contentEncoding] = "gzip"
      body = compressed
    }
    return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
  }

  private func compressed() async throws -> ByteBuffer? {
    if let known = packed.withLock({ $0 }) { return known }
    let made = try await NIOThreadPool.singleton.runIfActive { [plain] in
      Gzip.compressed(plain.readableBytesView)
    }
    packed.withLock { $0 = made }
    return made
  }
}

extension HTTPField.Name {
  /// Says within the service that the addresses in an answer have its base.
  static let leaflogBased = HTTPField.Name("Leaflog-Based")!
}

extension HTTPFields {
  /// The header fields of all pages.
  static let page: HTTPFields = [
    .contentType: "text/html; charset=utf-8", .cacheControl: "private, no-cache",
    .vary: "Accept-Language, Cookie",
  ]
}

extension [UInt8] {
  /// The places at which a text begins.
  fileprivate func places(of text: [UInt8]) -> [Int] {
    let data = Data(self)
    var (places, start): ([Int], Int) = ([], 0)
    while let found = data.range(of: Data(text), in: start..<count) {
      places.append(found.lowerBound)
      start = found.upperBound
    }
    return places
  }
}
