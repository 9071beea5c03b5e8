package import DiaryModel
package import Foundation
internal import HTTPTransfer
package import SystemPackage

/// A client for S3-compatible stores. It uses only requests that all of them support: PUT, GET with ranges, HEAD,
/// ListObjectsV2 and DELETE. Any number of threads may use it; each request has a connection to itself.
///
/// An acknowledged object is durable as far as the store is. A PUT or a DELETE without an answer may or may not have
/// been carried out, and is sent again.
package final class S3Client: Sendable {
  package let location: S3Location
  let policy: RetryPolicy
  private let credentials: Result<S3Credentials, BlobStoreError>
  private let http = HTTPClient()

  package convenience init(
    _ location: S3Location, _ credentials: S3Credentials, policy: RetryPolicy = RetryPolicy()
  ) {
    self.init(location, .success(credentials), policy: policy)
  }

  /// If the credentials are a failure, each request throws it: reading what is on this machine needs no key.
  package init(
    _ location: S3Location, _ credentials: Result<S3Credentials, BlobStoreError>,
    policy: RetryPolicy = RetryPolicy()
  ) {
    (self.location, self.credentials, self.policy) = (location, credentials, policy)
  }

  /// The SHA-256 of an empty body, in hexadecimal.
  static let emptyDigest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  /// Stores an object, replacing an existing one.
  ///
  /// - Parameter digest: the SHA-256 of the bytes. It is sent in two headers, as each store checks one of the two.
  package func put(_ key: String, _ bytes: SharedBytes, digest: BlobID) throws(BlobStoreError) {
    _ = try answer(to: putting(key, HTTPBody(bytes), digest), about: key, statuses: [200])
  }

  /// Stores the bytes of a file, which is read twice: to hash it and to send it.
  package func put(_ key: String, contentsOf path: FilePath) throws(BlobStoreError) {
    let (file, digest) = try attempt("read", path) { () throws(Errno) in
      let file = try FileReader(path)
      return (file, try file.hash())
    }
    let body = HTTPBody(byteCount: file.byteCount) { try file.read(into: $0, from: $1) }
    _ = try answer(to: putting(key, body, digest), about: key, statuses: [200])
  }

  /// Creates the bucket, unless the owner of this key already has it.
  package func makeBucket() throws(BlobStoreError) {
    var request = try request(.put, location.address(of: ""))
    request.body = HTTPBody(SharedBytes(copying: []))
    let answer = try answer(to: request, about: "", statuses: [200, 409])
    if answer.status == 409, answer.s3Code != "BucketAlreadyOwnedByYou" {
      throw error(.put, "", answer)
    }
  }

  /// Whether the store accepts bytes under the digest of different bytes.
  func accepts(
    _ key: String, _ bytes: SharedBytes, claiming digest: BlobID
  ) throws(BlobStoreError) -> Bool {
    let request = try putting(key, HTTPBody(bytes), digest)
    return try answer(to: request, about: key, statuses: 200..<500).status < 300
  }

  private func putting(
    _ key: String, _ body: HTTPBody, _ digest: BlobID
  ) throws(BlobStoreError) -> HTTPRequest {
    var request = try request(.put, location.address(of: key), digest: digest.hex)
    request.body = body
    let checksum = Data(digest.bytes).base64EncodedString()
    request.headers.append(("x-amz-checksum-sha256", checksum))
    if let storageClass = location.settings.storageClass {
      request.headers.append(("x-amz-storage-class", storageClass))
    }
    return request
  }

  /// The bytes of an object, or the existing bytes of a range of it.
  ///
  /// Bytes of a whole object that are not correct are requested again.
  ///
  /// - Parameters:
  ///   - digest: the SHA-256 that correct bytes have; nil when it is not known.
  ///   - isGood: whether the bytes are correct.
  package func get(
    _ key: String, range: Range<Int>? = nil, digest: BlobID? = nil,
    isGood: (SharedBytes) -> Bool = { _ in true }
  ) throws(BlobStoreError) -> SharedBytes {
    if let range, range.isEmpty { return SharedBytes(copying: []) }
    var request = try request(.get, location.address(of: key))
    request.range = range
    request.limits.bodyByteCount = .max
    if digest != nil, range == nil { request.answerBody = .keptAndHashed }
    var damagedCount = 0
    let answer: HTTPAnswer
    do throws(BlobStoreError) {
      answer = try self.answer(
        to: request, about: key, statuses: [200, 206, 404, 416],
        byteCount: range?.count ?? Self.pieceByteCount
      ) { answer in
        let hasBytes = answer.status == 200 || answer.status == 206
        let hasDigest = answer.digest == nil || answer.digest == digest?.bytes
        let isWhole =
          !hasBytes
          || answer.hasAllOf(range) && (range != nil || hasDigest && isGood(answer.body))
        damagedCount += isWhole ? 0 : 1
        return isWhole
      }
    } catch {
      // A failing network may also corrupt a byte now and then; a damaged object is wrong every time.
      guard damagedCount > 1 else { throw error }
      throw BlobStoreError(code: .damaged, message: error.message, path: error.path)
    }
    switch answer.status {
    case 416: return SharedBytes(copying: [])
    case 404: throw missing(key, answer)
    case 200:
      guard let range else { return answer.body }
      // The store or a proxy does not support ranges.
      let all = ByteRange(answer.body, 0..<answer.body.count)
      return SharedBytes(copying: all[range.clamped(to: 0..<answer.body.count)])
    default: return answer.body
    }
  }

  /// Appends an object to a file in pieces, starting at the offset that is the file's size.
  package func fetch(_ key: String, to file: GrowingFile) throws(BlobStoreError) {
    while true {
      let start = file.byteCount
      let piece = try get(key, range: start..<start + Self.pieceByteCount)
      try piece.withUnsafeBytes { bytes throws(BlobStoreError) in try file.append(bytes) }
      if piece.count < Self.pieceByteCount { return }
    }
  }

  /// The most bytes of an object to hold in memory at a time, when it is fetched to a file.
  package static let pieceByteCount = 32 << 20

  /// The bytes of an object; nil when it is missing.
  package func present(_ key: String) throws(BlobStoreError) -> SharedBytes? {
    do throws(BlobStoreError) { return try get(key) } catch {
      guard error.code == .notFound else { throw error }
      return nil
    }
  }

  /// The size of an object in bytes; nil when it is missing.
  package func byteCount(of key: String) throws(BlobStoreError) -> Int? {
    let request = try request(.head, location.address(of: key))
    let answer = try answer(to: request, about: key, statuses: 200...499)
    if answer.status == 200, let text = answer.headers["content-length"], let count = Int(text) {
      return count
    }
    // Answers to HEAD have no body and therefore no reason; a listing's answer has one.
    let found = try page(prefix: key, at: .start, limit: 1).objects.first { $0.key == key }
    guard answer.status == 404 else { throw error(.head, key, answer) }
    return found?.byteCount
  }

  /// The store's time; nil if it does not say that.
  package func time() throws(BlobStoreError) -> Timestamp? {
    let request = try request(.head, location.address(of: "leaflog.json"))
    return try answer(to: request, about: "leaflog.json", statuses: 200...499).date
  }

  /// Removes an object; a missing one is not an error.
  package func delete(_ key: String) throws(BlobStoreError) {
    let request = try request(.delete, location.address(of: key))
    let answer = try answer(to: request, about: key, statuses: [200, 204, 404])
    if answer.status == 404, answer.s3Code == "NoSuchBucket" { throw missing(key, answer) }
  }

  /// Calls `body` with the objects whose keys begin with a prefix, in key order, requesting a thousand at a time.
  ///
  /// - Parameter key: lists only keys after this one, which need not exist; nil lists all.
  package func list(
    prefix: String, after key: String? = nil, pageLimit: Int = 1000,
    _ body: (S3Object) throws -> Void
  ) throws {
    var place = key.map { ListPlace.behind(key: location.prefix + $0) } ?? .start
    while true {
      let page = try page(prefix: prefix, at: place, limit: pageLimit)
      try page.objects.forEach(body)
      guard let next = page.next else { return }
      place = next
    }
  }

  /// Where a page of a listing begins.
  enum ListPlace: Equatable {
    case start
    /// At a continuation token from the store.
    case token(String)
    case behind(key: String)
  }

  private struct ListPage {
    let objects: [S3Object]
    /// Nil only at the end; a short page does not mean the end.
    let next: ListPlace?
  }

  private func page(
    prefix: String, at place: ListPlace, limit: Int
  ) throws(BlobStoreError) -> ListPage {
    // Sorted by name, as the signature requires.
    var query = [
      ("list-type", "2"), ("max-keys", "\(limit)"), ("prefix", location.prefix + prefix),
    ]
    switch place {
    case .start: break
    case .token(let token): query.insert(("continuation-token", token), at: 0)
    case .behind(let key): query.append(("start-after", key))
    }
    let text = query.map { "\($0.0)=\($0.1.escapedForQuery)" }.joined(separator: "&")
    let request = try request(.get, location.address(of: "") + "?" + text)
    let answer = try answer(to: request, about: prefix, statuses: [200]) { answer in
      answer.status != 200 || S3Document(answer.body)?.texts["ListBucketResult"] != nil
    }
    guard let document = S3Document(answer.body) else { throw brokenOff(prefix) }
    var next: ListPlace?
    if document.texts["ListBucketResult/IsTruncated"] == "true" {
      next =
        document.texts["ListBucketResult/NextContinuationToken"].map(ListPlace.token)
        ?? document.objects.last.map { .behind(key: $0.key) }
      // The listing would never end.
      guard next != nil, next != place else { throw brokenOff(prefix) }
    }
    let objects = document.objects.compactMap { object -> S3Object? in
      guard object.key.hasPrefix(location.prefix) else { return nil }
      return S3Object(
        key: String(object.key.dropFirst(location.prefix.count)), byteCount: object.byteCount,
        storedAt: object.storedAt)
    }
    return ListPage(objects: objects, next: next)
  }

  private func request(
    _ method: HTTPRequest.Method, _ url: String, digest: String = S3Client.emptyDigest
  ) throws(BlobStoreError) -> HTTPRequest {
    var request = HTTPRequest(method, url, headers: [("x-amz-content-sha256", digest)])
    let key = try credentials.get()
    request.signature = AWSSignature(
      key: key.key, secret: key.secret, region: location.settings.region)
    request.limits.authorities = location.settings.authorities
    request.limits.stall = policy.stall
    request.limits.bodyByteCount = Self.maxDocumentByteCount
    return request
  }

  /// More than a listing of a thousand keys of a kilobyte, each byte escaped.
  private static let maxDocumentByteCount = 32 << 20

  /// Sends a request once. After retries, the last `HTTPFailure` says nothing about what the store did before.
  func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPAnswer {
    try http.answer(to: request)
  }
}

extension String {
  /// The text with all but RFC 3986's unreserved characters as `%XX`, even slashes, as the signature requires.
  fileprivate var escapedForQuery: String {
    let unreserved = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    return addingPercentEncoding(withAllowedCharacters: unreserved) ?? self
  }
}

extension S3Client {
  /// Stores an object, replacing an existing one.
  package func put(_ key: String, _ data: Data) throws(BlobStoreError) {
    let bytes = SharedBytes(copying: data)
    try put(key, bytes, digest: bytes.withUnsafeBytes { BlobID(hashing: $0) })
  }

  /// The keys with a prefix, in order; only those after `key`, if it is given.
  package func keys(_ prefix: String, after key: String? = nil) throws -> [String] {
    var keys: [String] = []
    try list(prefix: prefix, after: key) { keys.append($0.key) }
    return keys
  }
}
