internal import DiaryModel
internal import Foundation
internal import HTTPTransfer

/// Retries, and the errors that remain after them.
extension S3Client {
  /// Sends a request until its answer has one of the expected statuses.
  ///
  /// - Parameters:
  ///   - byteCount: the expected size of the answer, which extends the deadline.
  ///   - isWhole: whether an answer is complete; an incomplete one is requested again.
  /// - Throws: the error of the last try, or immediately an error that a retry would not change.
  func answer(
    to request: HTTPRequest, about key: String, statuses: some Collection<Int>,
    byteCount: Int = 0, isWhole: (HTTPAnswer) -> Bool = { _ in true }
  ) throws(BlobStoreError) -> HTTPAnswer {
    let start = ContinuousClock.now
    let deadline = policy.deadline(forByteCount: request.body?.byteCount ?? byteCount)
    var request = request
    for count in 1... {
      request.limits.total = max(.seconds(1), deadline - (ContinuousClock.now - start))
      switch try outcome(of: request, about: key, statuses, isWhole) {
      case .answer(let answer): return answer
      case .failure(let error, let asked):
        let pause = policy.pause(afterTries: count, asked: asked)
        guard count < policy.maxTryCount, ContinuousClock.now - start + pause < deadline else {
          throw error
        }
        policy.sleep(pause)
      }
    }
    preconditionFailure("tries are limited")
  }

  /// The outcome of one try.
  private enum Outcome {
    case answer(HTTPAnswer)
    /// A retry may succeed, after the pause that the store asked for, if any.
    case failure(BlobStoreError, pause: Duration?)
  }

  private func outcome(
    of request: HTTPRequest, about key: String, _ statuses: some Collection<Int>,
    _ isWhole: (HTTPAnswer) -> Bool
  ) throws(BlobStoreError) -> Outcome {
    let answer: HTTPAnswer
    do throws(HTTPFailure) { answer = try send(request) } catch {
      let failure = self.error(error)
      guard ![.untrusted, .invalid, .unreadable].contains(error.code) else { throw failure }
      return .failure(failure, pause: nil)
    }
    guard statuses.contains(answer.status) else {
      let failure = error(request.method, key, answer)
      guard answer.isWorthAnotherTry else { throw failure }
      return .failure(failure, pause: answer.retryAfter)
    }
    return isWhole(answer) ? .answer(answer) : .failure(brokenOff(key), pause: nil)
  }

  func missing(_ key: String, _ answer: HTTPAnswer) -> BlobStoreError {
    if answer.s3Code == "NoSuchBucket" { return error(.get, key, answer) }
    return BlobStoreError(
      code: .notFound, message: "\(name(of: key)) is not there.", path: name(of: key))
  }

  func brokenOff(_ key: String) -> BlobStoreError {
    BlobStoreError(
      code: .unreachable,
      message:
        "\(location.endpoint) sent \(name(of: key)) incomplete or damaged, however often it was asked.",
      path: name(of: key))
  }

  private func name(of key: String) -> String { "s3://\(location.bucket)/\(location.prefix)\(key)" }

  private func error(_ failure: HTTPFailure) -> BlobStoreError {
    let (code, sentence): (BlobStoreError.Code, String) =
      switch failure.code {
      case .untrusted:
        (
          .refused,
          "The certificate of \(location.endpoint) is not trusted (\(failure.message)). "
            + "Name the file with its authority's certificate."
        )
      case .unreadable:
        (
          .failed,
          "What was to be sent to \(location.endpoint) cannot be read (\(failure.message))."
        )
      case .invalid, .notAllowed:
        (.invalid, "\(location.endpoint) could not be asked (\(failure.message)).")
      case .timedOut:
        (.unreachable, "\(location.endpoint) did not answer in time. Try again later.")
      case .unreachable, .broken, .tooLong:
        (
          .unreachable,
          "\(location.endpoint) could not be reached (\(failure.message)). "
            + "Check the network and the endpoint, and try again."
        )
      }
    return BlobStoreError(code: code, message: sentence, path: location.url)
  }

  /// The error for an answer, by its code in Amazon's "Error responses", which other stores have adopted.
  func error(
    _ method: HTTPRequest.Method, _ key: String, _ answer: HTTPAnswer
  ) -> BlobStoreError {
    let (code, sentence): (BlobStoreError.Code, String) =
      switch answer.s3Code {
      case "NoSuchBucket":
        (.noBucket, "There is no bucket \(location.bucket) at \(location.endpoint). Make it first.")
      case "RequestTimeTooSkewed":
        (
          .clockWrong,
          "\(location.endpoint) refuses this machine's clock\(answer.clockGap). Set it right."
        )
      case "SignatureDoesNotMatch":
        (.refused, "\(location.endpoint) refuses the secret key. Check it, and the region.")
      case "InvalidAccessKeyId":
        (.refused, "\(location.endpoint) does not know the access key. Check it.")
      case "AccessDenied", "AccountProblem", "AllAccessDisabled":
        (
          .refused,
          "\(location.endpoint) does not allow this key to \(method.verb) \(name(of: key))."
        )
      case "QuotaExceeded", "EntityTooLarge", "InsufficientCapacity", "XMinioStorageFull":
        (.noSpace, "\(location.endpoint) has no room for \(name(of: key)).")
      case "PermanentRedirect", "TemporaryRedirect", "AuthorizationHeaderMalformed":
        (
          .refused,
          "The bucket \(location.bucket) is in another region. Name its region and endpoint."
        )
      case let found:
        (
          answer.isWorthAnotherTry ? .unreachable : answer.status == 507 ? .noSpace : .failed,
          "\(location.endpoint) could not \(method.verb) \(name(of: key)): status "
            + "\(answer.status)\(found.map { ", " + $0 } ?? "")."
        )
      }
    return BlobStoreError(code: code, message: sentence, path: name(of: key))
  }
}

extension HTTPRequest.Method {
  fileprivate var verb: String {
    switch self {
    case .get: "read"
    case .head: "look at"
    case .put, .post: "write"
    case .delete: "remove"
    }
  }
}

extension HTTPAnswer {
  /// The S3 error code in the body of an error; nil if there is none.
  var s3Code: String? { status < 300 ? nil : S3Document(body)?.texts["Error/Code"] }

  /// Whether the same request may succeed later: the server is busy, or the request arrived damaged.
  package var isWorthAnotherTry: Bool {
    if [408, 425, 429, 500, 502, 503, 504].contains(status) { return true }
    let transient: Set = [
      "BadDigest", "XAmzContentSHA256Mismatch", "IncompleteBody", "RequestTimeout", "SlowDown",
      "InternalError", "OperationAborted",
    ]
    return s3Code.map(transient.contains) ?? false
  }

  /// The `Retry-After` header (RFC 9110, 10.2.3) if it is a number of seconds; at most a minute.
  package var retryAfter: Duration? {
    headers["retry-after"].flatMap { Int($0) }.map { .seconds(min(max(0, $0), 60)) }
  }

  /// How far this machine's clock differs from the store's, in words; empty if unknown.
  fileprivate var clockGap: String {
    guard let date else { return "" }
    let seconds = Double(Timestamp.now.milliseconds - date.milliseconds) / 1000
    let minutes = Int((seconds / 60).rounded())
    guard minutes != 0 else { return "" }
    return ", which is \(abs(minutes)) min \(minutes < 0 ? "slow" : "fast")"
  }

  /// Whether the body has all existing bytes of a range.
  func hasAllOf(_ range: Range<Int>?) -> Bool {
    guard let range, status == 206 else { return true }
    // `bytes 10-19/100000`
    guard let total = headers["content-range"]?.split(separator: "/").last.flatMap({ Int($0) }),
      total >= 0
    else { return body.count == range.count }
    return body.count == range.clamped(to: 0..<total).count
  }
}

/// The number of times a request is tried, and the pauses between tries.
package struct RetryPolicy: Sendable {
  package var maxTryCount = 5
  /// The pause after the first try, which doubles with each further try. Half of it is random, so that clients
  /// turned away together do not retry together.
  package var firstPause = Duration.milliseconds(200)
  package var maxPause = Duration.seconds(10)
  /// The time limit for all tries of a request together, in addition to the time for its bytes.
  package var deadline = Duration.seconds(120)
  /// The slowest tolerated transfer, in bytes per second.
  package var slowestRate = 50_000
  /// How long nothing may be transferred before a try is given up.
  package var stall = Duration.seconds(20)
  /// Waits; tests record the duration instead.
  package var sleep: @Sendable (Duration) -> Void = {
    Thread.sleep(forTimeInterval: $0 / .seconds(1))
  }
  /// A random number from 0 up to, but not including, 1.
  package var chance: @Sendable () -> Double = { .random(in: 0..<1) }

  package init() {}

  /// - Parameters:
  ///   - count: the number of tries so far.
  ///   - asked: the pause that the server asked for.
  package func pause(afterTries count: Int, asked: Duration?) -> Duration {
    let doubled = firstPause * pow(2, Double(count - 1))
    return max(min(doubled, maxPause) * (0.5 + chance() / 2), asked ?? .zero)
  }

  package func deadline(forByteCount count: Int) -> Duration {
    deadline + .seconds(count / max(1, slowestRate))
  }
}
