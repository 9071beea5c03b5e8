internal import Foundation
internal import HTTPTransfer

/// An error in asking a service for its quote, as a sentence without a full stop.
struct QuoteServiceError: Error {
  let message: String
}

/// A service with a quote of the day, in zenquotes.io's format: `[{"q":"text","a":"author"}]`.
///
/// The request reveals nothing: it has no parameters, no cookies and no user agent.
public struct QuoteService: Sendable {
  /// zenquotes.io
  public static let zenquotes = QuoteService(address: "https://zenquotes.io/api/today")

  private let address: String
  private let timeout: Duration

  /// - Parameters:
  ///   - address: a URL to request with GET.
  ///   - timeout: the limit for the whole request.
  package init(address: String, timeout: Duration = .seconds(5)) {
    self.address = address
    self.timeout = timeout
  }

  private var host: String { URL(string: address)?.host ?? address }

  private struct Answer: Decodable {
    let q: String
    let a: String?
  }

  private static let maxTextLength = 500
  private static let maxAuthorLength = 100

  /// Today's quote.
  func today() async throws(QuoteServiceError) -> Quote {
    let body = try await get()
    let noQuote = QuoteServiceError(message: "\(host) answered with something that is not a quote")
    guard let answer = (try? JSONDecoder().decode([Answer].self, from: body))?.first,
      let text = try? oneLine(answer.q, field: "text", upTo: Self.maxTextLength)
    else { throw noQuote }
    let author = answer.a.flatMap { try? oneLine($0, field: "author") }
    // The service's message about too many requests has the form of a quote.
    guard author?.lowercased() != "zenquotes.io" else {
      throw QuoteServiceError(message: "\(host) wants no more questions for now")
    }
    guard author?.count ?? 0 <= Self.maxAuthorLength else { throw noQuote }
    // The service is free if it is credited.
    return Quote(
      id: .random(), text: text, author: author, source: "zenquotes.io", origin: .zenquotes)
  }

  private func get() async throws(QuoteServiceError) -> Data {
    guard let url = URL(string: address) else {
      throw QuoteServiceError(message: "\(address) is not a URL")
    }
    switch await Download(url, within: timeout).result() {
    case .body(let data): return data
    case .status(let status):
      throw QuoteServiceError(message: "\(host) answered with status \(status)")
    case .tooLong:
      throw QuoteServiceError(message: "\(host) answered with something that is not a quote")
    case .timedOut:
      throw QuoteServiceError(
        message:
          "\(host) did not answer within \(timeout.description.replacing(" seconds", with: " s"))")
    case .failed(let reason):
      throw QuoteServiceError(message: "\(host) could not be asked (\(reason))")
    }
  }
}

/// A download of a small answer, with one GET request and a time limit for all of it.
private struct Download: Sendable {
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
      case .unreachable, .notAllowed, .untrusted, .broken, .invalid, .unreadable:
        return .failed(error.message)
      }
    }
  }
}
