internal import CCurl
internal import Synchronization

/// Sends requests over connections that are kept open for later ones. Any number of threads may use it: each request
/// has a handle, with its connection, to itself.
package final class HTTPClient: Sendable {
  private let idle = Mutex<[HTTPHandle]>([])

  /// Further idle handles are closed.
  private static let maxIdleCount = 16

  /// libcurl's global initialization, once per process.
  private static let isPrepared = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  package init() {}

  /// Sends a request and waits for the whole answer.
  package func answer(to request: HTTPRequest) throws(HTTPFailure) -> HTTPAnswer {
    guard Self.isPrepared, let handle = take() else {
      throw HTTPFailure(code: .invalid, message: "libcurl has no memory")
    }
    defer { giveBack(handle) }
    return try handle.answer(to: request)
  }

  private func take() -> HTTPHandle? { idle.withLock { $0.popLast() } ?? HTTPHandle() }

  private func giveBack(_ handle: HTTPHandle) {
    idle.withLock { if $0.count < Self.maxIdleCount { $0.append(handle) } }
  }
}
