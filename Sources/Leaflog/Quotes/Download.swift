internal import Dispatch
internal import Foundation
internal import FoundationNetworking
internal import Synchronization

/// A small answer to one GET request, within a time for all of it.
///
/// `URLSession` on Linux knows no such time: its `timeoutIntervalForResource` does nothing, and a server
/// that sends a byte now and then keeps it waiting. While it waits it also keeps half a core busy (Swift
/// 6.3.1), so the time should be short.
final class Download: NSObject, URLSessionDataDelegate, Sendable {
  /// The outcome of a download.
  enum Outcome: Sendable {
    /// All of the body, with status 200.
    case body(Data)
    case status(Int)
    case tooLong
    case timedOut
    case failed(String)
  }

  private struct State {
    var body = Data()
    var status = 0
    var session: URLSession?
    var continuation: CheckedContinuation<Outcome, Never>?
  }

  private static let maxByteCount = 64 << 10

  private let request: URLRequest
  /// In seconds.
  private let timeout: Double
  private let state = Mutex(State())
  /// One of its own has a thread whatever else goes on; those of the process may all be busy.
  private let queue = DispatchQueue(label: "leaflog.download")

  init(_ url: URL, within timeout: Duration) {
    var request = URLRequest(url: url)
    request.httpShouldHandleCookies = false
    request.cachePolicy = .reloadIgnoringLocalCacheData
    // Said otherwise, `URLSession` adds the program's name and the languages of its user.
    for (name, value) in [
      ("Accept", "application/json"), ("Accept-Language", ""), ("User-Agent", ""),
      ("Connection", "close"),
    ] {
      request.setValue(value, forHTTPHeaderField: name)
    }
    self.request = request
    let (seconds, attoseconds) = timeout.components
    self.timeout = Double(seconds) + Double(attoseconds) / 1e18
  }

  func result() async -> Outcome {
    await withCheckedContinuation { continuation in
      let configuration = URLSessionConfiguration.ephemeral
      configuration.urlCache = nil
      configuration.httpCookieStorage = nil
      configuration.urlCredentialStorage = nil
      // Only later than the one below, which tells.
      configuration.timeoutIntervalForRequest = 2 * timeout
      let delegateQueue = OperationQueue()
      delegateQueue.maxConcurrentOperationCount = 1
      delegateQueue.underlyingQueue = queue
      let session = URLSession(
        configuration: configuration, delegate: self, delegateQueue: delegateQueue)
      state.withLock { state in
        state.session = session
        state.continuation = continuation
      }
      queue.asyncAfter(deadline: .now() + timeout) { [weak self] in
        self?.finish(.timedOut)
      }
      session.dataTask(with: request).resume()
    }
  }

  /// Delivers the first outcome; later ones are ignored.
  private func finish(_ outcome: Outcome) {
    let (continuation, session) = state.withLock { state in
      defer { (state.continuation, state.session) = (nil, nil) }
      return (state.continuation, state.session)
    }
    continuation?.resume(returning: outcome)
    session?.invalidateAndCancel()
  }

  /// Redirections are not followed.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection: HTTPURLResponse,
    newRequest: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    if status == 200 { return completionHandler(.allow) }
    completionHandler(.cancel)
    finish(.status(status))
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let isTooLong = state.withLock { state in
      state.body.append(data)
      return state.body.count > Self.maxByteCount
    }
    if isTooLong { finish(.tooLong) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    if let error {
      finish(.failed(error.localizedDescription))
    } else {
      finish(.body(state.withLock { $0.body }))
    }
  }
}
