internal import Foundation
internal import HTTPTransfer

/// A download of a small answer, with one GET request and a time limit for all of it.
struct Download: Sendable {
  /// The outcome of a download.
  enum Outcome: Sendable {
    /// The whole body, with status 200.
    case body(Data)
    case status(Int)
    case tooLong
    case timedOut
    case failed(String)
  }

  private static let maxByteCount = 64 << 10

  private let request: HTTPRequest

  init(_ url: URL, within timeout: Duration) {
    var limits = HTTPLimits()
    (limits.total, limits.connecting) = (timeout, timeout)
    // Later than the limit for all of it, so that it never applies.
    limits.stall = timeout + timeout + .seconds(1)
    limits.bodyByteCount = Self.maxByteCount
    limits.closesConnection = true
    request = HTTPRequest(
      .get, url.absoluteString,
      headers: [("Accept", "application/json"), ("Connection", "close")], limits: limits)
  }

  /// Runs the request. Redirects are not followed.
  func result() async -> Outcome {
    await withCheckedContinuation { continuation in
      // A thread of its own waits, as those of the process may all be busy.
      Thread.detachNewThread { continuation.resume(returning: outcome()) }
    }
  }

  private func outcome() -> Outcome {
    do throws(HTTPFailure) {
      let answer = try HTTPClient().answer(to: request)
      return answer.status == 200 ? .body(Data(answer.body)) : .status(answer.status)
    } catch {
      switch error.code {
      case .timedOut: return .timedOut
      case .tooLong: return .tooLong
      case .unreachable, .untrusted, .broken, .invalid, .unreadable:
        return .failed(error.message)
      }
    }
  }
}
