internal import BlobStorage
internal import Foundation
internal import HTTPTransfer

/// A client of a Leaflog service. Requests are retried like those to an object store: of all that are sent here, only the
/// beginning of an upload is not idempotent, and a second one that nobody continues is removed by the service.
struct ServiceClient: Sendable {
  private let base: String
  private let token: String?
  private let authorities: String?
  private let http = HTTPClient()
  private let policy = RetryPolicy()

  /// The time that a small machine may need to compress a large photo before it answers.
  private static let compressionTime = Duration.seconds(240)

  init(_ address: String, token: String?, authorities: String?) throws(LeaflogError) {
    guard let url = URL(string: address), ["http", "https"].contains(url.scheme), url.host != nil,
      url.query == nil, url.fragment == nil
    else { throw .invalid("\(address) is not an address such as https://diary.example.org.") }
    base = (address.hasSuffix("/") ? String(address.dropLast()) : address) + "/api/v1/"
    (self.token, self.authorities) = (token, authorities)
  }

  /// Sends a request and decodes the JSON answer.
  func json<Value: Decodable>(
    _: Value.Type, _ method: HTTPRequest.Method, _ path: String, body: Data? = nil,
    mediaType: String = "application/json"
  ) throws(LeaflogError) -> Value {
    let answer = try answer(method, path, body.map { SharedBytes(copying: $0) }, mediaType)
    guard answer.status < 300 else { throw error(answer) }
    return try decoded(answer)
  }

  /// Sends bytes of a file, and decodes what has become of it, also if it could not be imported (413, 422).
  ///
  /// - Parameter range: the header `Content-Range`, for a piece of an upload.
  /// - Returns: the answer, and how many bytes of the upload have been received, if it says so. A piece that begins elsewhere
  ///   (409) has only the latter.
  func taken<Value: Decodable>(
    _: Value.Type, _ method: HTTPRequest.Method, _ path: String, _ bytes: SharedBytes,
    range: String? = nil
  ) throws(LeaflogError) -> (Value, offset: Int?) {
    let headers = range.map { [("content-range", $0)] } ?? []
    let answer = try answer(
      method, path, bytes, "application/octet-stream", headers, stall: Self.compressionTime)
    let offset = answer.headers["upload-offset"].flatMap { Int($0) }
    // Of a file that was not received as a whole, or whose bytes are not those that were said, there is a problem instead;
    // a proxy with a limit of its own has a page.
    let isOutcome = answer.headers["content-type"]?.hasPrefix("application/json") == true
    guard
      answer.status < 300 || [413, 422].contains(answer.status) && isOutcome
        || answer.status == 409 && offset != nil
    else { throw error(answer) }
    return (try decoded(answer), offset)
  }

  /// Gets the JSON at a path and decodes it, with the service's time, if it says that.
  func jsonAndTime<Value: Decodable>(
    _: Value.Type, _ path: String
  ) throws(LeaflogError) -> (Value, Timestamp?) {
    let answer = try answer(.get, path, nil, "")
    guard answer.status < 300 else { throw error(answer) }
    return (try decoded(answer), answer.date)
  }

  /// Gets the JSON at a path and decodes it; nil when there is nothing at the path (404).
  func present<Value: Decodable>(
    _: Value.Type, _ path: String, _ method: HTTPRequest.Method = .get
  ) throws(LeaflogError) -> Value? {
    let answer = try answer(method, path, nil, "")
    if answer.status == 404 { return nil }
    guard answer.status < 300 else { throw error(answer) }
    return try decoded(answer)
  }

  /// Whether there is something at a path, and what it is if the token includes seeing it.
  func presence<Value: Decodable>(
    of _: Value.Type, _ path: String, _ method: HTTPRequest.Method = .get
  ) throws(LeaflogError) -> (isThere: Bool, value: Value?) {
    let answer = try answer(method, path, nil, "")
    switch answer.status {
    case 404: return (false, nil)
    case 204: return (true, nil)
    case ..<300: return (true, try decoded(answer))
    default: throw error(answer)
    }
  }

  /// The SHA-256 of the bytes at a path, which are not kept.
  func digest(_ path: String) throws(LeaflogError) -> [UInt8]? {
    let answer = try answer(.get, path, nil, "", keepsBody: false)
    guard answer.status < 300 else { throw error(answer) }
    return answer.digest
  }

  /// Sends JSON; throws unless the status is a success.
  func send(
    _ method: HTTPRequest.Method, _ path: String, _ body: some Encodable
  ) throws {
    let bytes = SharedBytes(copying: try JSONEncoder().encode(body))
    let answer = try answer(method, path, bytes, "application/json")
    guard answer.status < 300 else { throw error(answer) }
  }

  private func decoded<Value: Decodable>(_ answer: HTTPAnswer) throws(LeaflogError) -> Value {
    do { return try JSONDecoder().decode(Value.self, from: Data(answer.body)) } catch {
      throw LeaflogError(.refused, "\(base) does not answer as a Leaflog service of this version.")
    }
  }

  private func answer(
    _ method: HTTPRequest.Method, _ path: String, _ body: SharedBytes?, _ mediaType: String,
    _ headers: [(String, String)] = [], stall: Duration? = nil, keepsBody: Bool = true
  ) throws(LeaflogError) -> HTTPAnswer {
    var request = HTTPRequest(method, base + path)
    request.answerBody = keepsBody ? .kept : .hashed
    request.headers += headers
    if let token { request.headers.append(("authorization", "Bearer \(token)")) }
    if let body {
      request.headers.append(("content-type", mediaType))
      request.body = HTTPBody(body)
    }
    request.limits.authorities = authorities
    request.limits.stall = stall ?? policy.stall
    let start = ContinuousClock.now
    let deadline = policy.deadline(forByteCount: body?.count ?? 0)
    for count in 1... {
      request.limits.total = max(.seconds(1), deadline - (ContinuousClock.now - start))
      var asked: Duration?
      let failure: LeaflogError
      do throws(HTTPFailure) {
        let answer = try http.answer(to: request)
        guard answer.isWorthAnotherTry else { return answer }
        (failure, asked) = (error(answer), answer.retryAfter)
      } catch {
        failure = self.error(error)
        guard error.code != .untrusted, error.code != .invalid else { throw failure }
      }
      let pause = policy.pause(afterTries: count, asked: asked)
      guard count < policy.maxTryCount, ContinuousClock.now - start + pause < deadline else {
        throw failure
      }
      policy.sleep(pause)
    }
    preconditionFailure("tries are limited")
  }

  private func error(_ failure: HTTPFailure) -> LeaflogError {
    switch failure.code {
    case .untrusted:
      LeaflogError(
        .refused,
        "The certificate of \(base) is not trusted (\(failure.message)). Name the file with its authority's "
          + "certificate.")
    case .unreadable:
      LeaflogError(.failed, "What was to be sent to \(base) cannot be read (\(failure.message)).")
    case .invalid, .notAllowed:
      LeaflogError(.invalidRequest, "\(base) could not be asked (\(failure.message)).")
    case .timedOut: LeaflogError(.unreachable, "\(base) did not answer in time.")
    case .unreachable, .broken, .tooLong:
      LeaflogError(.unreachable, "\(base) could not be reached (\(failure.message)).")
    }
  }

  /// A problem document (RFC 9457).
  private struct Problem: Decodable {
    let detail: String?
    let code: String?
  }

  private func error(_ answer: HTTPAnswer) -> LeaflogError {
    let problem = try? JSONDecoder().decode(Problem.self, from: Data(answer.body))
    let detail = problem?.detail ?? "It answered with status \(answer.status)."
    let code: LeaflogError.Code =
      switch answer.status {
      case 401, 403: .refused
      case 507: .noSpace
      case 503: .unreachable
      default: problem?.code.flatMap(LeaflogError.Code.init) ?? .failed
      }
    return LeaflogError(code, "\(base): \(detail)")
  }
}

/// A body of `multipart/form-data` (RFC 7578).
struct FormBody {
  private let boundary = "leaflog-\(UUID().uuidString)"
  private var data = Data()

  var mediaType: String { "multipart/form-data; boundary=\(boundary)" }

  /// - Parameter fileName: the file's name, if the part is a file.
  mutating func add(_ name: String, _ value: Data, fileName: String? = nil) {
    var head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\""
    if let fileName {
      head += "; filename=\"\(fileName)\"\r\nContent-Type: application/octet-stream"
    }
    data += Data((head + "\r\n\r\n").utf8) + value + Data("\r\n".utf8)
  }

  var finished: Data { data + Data("--\(boundary)--\r\n".utf8) }
}
