internal import CCurl
internal import DiaryModel
internal import Glibc
internal import Synchronization

/// Sends requests over connections that are kept open for later ones. Any number of threads may use it: each request
/// has a handle, with its connection, to itself.
package final class HTTPClient: Sendable {
  private let idle = Mutex<[HTTPHandle]>([])

  /// Further idle handles are closed.
  private static let maxIdleCount = 16

  /// libcurl's global initialization, once per process.
  private static let isPrepared = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  /// Nil for a client of addresses that the library's owner has chosen.
  private let isAllowed: (@Sendable (ServerAddress) -> Bool)?

  /// Creates a client for addresses that the library's owner has chosen: `http` and `https`, through the proxy that the
  /// environment names.
  package init() { isAllowed = nil }

  /// Creates a client for addresses that came from somebody else, such as a subscription to Web Push: `https` alone, and
  /// through no proxy, which would connect to the server itself.
  ///
  /// A request fails with the code `notAllowed` when none of its server's addresses are allowed, and with `invalid` when
  /// its URL is not one of `https`. A connection that is kept open is used again without a question, so that each rule
  /// needs a client of its own.
  ///
  /// - Parameter isAllowed: whether to connect to an address, asked before each connection, on the thread of the request.
  ///   The name has been looked up by then, so that one whose addresses change cannot evade the question.
  package init(allowing isAllowed: @escaping @Sendable (ServerAddress) -> Bool) {
    self.isAllowed = isAllowed
  }

  /// Sends a request and waits for the whole answer. Redirects are answers, too: none is followed.
  package func answer(to request: HTTPRequest) throws(HTTPFailure) -> HTTPAnswer {
    guard Self.isPrepared, let handle = take() else {
      throw HTTPFailure(code: .invalid, message: "libcurl has no memory")
    }
    defer { giveBack(handle) }
    return try handle.answer(to: request, isAllowed.map(SocketGate.init))
  }

  private func take() -> HTTPHandle? { idle.withLock { $0.popLast() } ?? HTTPHandle() }

  private func giveBack(_ handle: HTTPHandle) {
    idle.withLock { if $0.count < Self.maxIdleCount { $0.append(handle) } }
  }
}

/// A libcurl easy handle with its connections, for one request at a time (https://curl.se/libcurl/c/).
private final class HTTPHandle: @unchecked Sendable {  // one thread at a time has it
  private let handle: UnsafeMutableRawPointer

  /// Nil when out of memory.
  init?() {
    guard let handle = curl_easy_init() else { return nil }
    self.handle = handle
  }

  deinit { curl_easy_cleanup(handle) }

  /// - Parameter gate: asked before each connection; nil for a client that may connect to any address.
  func answer(
    to request: HTTPRequest, _ gate: SocketGate?
  ) throws(HTTPFailure) -> HTTPAnswer {
    curl_easy_reset(handle)  // keeps connections, names and TLS sessions
    let headers = HTTPHeaderList(request.headers)
    let sink = BodySink(
      maxByteCount: request.limits.bodyByteCount, use: request.answerBody
    ) { [handle] in Self.announcedByteCount(handle) }
    let source = request.body.map(BodySource.init)
    leaflog_curl_set_headers(handle, headers.list)
    set(request)
    set(request.limits)
    if let signature = request.signature { set(signature) }
    set(sink)
    if let source { set(source) }
    if let gate { set(gate) }
    let code = withExtendedLifetime((headers, sink, source, gate)) { curl_easy_perform(handle) }
    // The handle must not touch anything of this request afterwards.
    defer { curl_easy_reset(handle) }
    if sink.isFull {
      throw HTTPFailure(
        code: .tooLong, message: "the answer has more than \(request.limits.bodyByteCount) bytes")
    }
    if let fault = source?.fault { throw HTTPFailure(code: .unreadable, message: "\(fault)") }
    guard code == CURLE_OK else { throw gate?.refusal ?? refusalByProxy ?? HTTPFailure(code) }
    var status = 0
    leaflog_curl_get_long(handle, CURLINFO_RESPONSE_CODE, &status)
    return HTTPAnswer(
      status: status, headers: answeredHeaders(), digest: sink.digest, body: sink.take())
  }

  private static func announcedByteCount(_ handle: UnsafeMutableRawPointer) -> Int {
    var count: curl_off_t = 0
    leaflog_curl_get_offset(handle, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &count)
    return max(0, Int(count))
  }

  /// The failure for a proxy that refused to connect to the server; nil if none did.
  private var refusalByProxy: HTTPFailure? {
    var status = 0
    leaflog_curl_get_long(handle, CURLINFO_HTTP_CONNECTCODE, &status)
    guard status >= 300 else { return nil }
    return HTTPFailure(
      code: .unreachable, message: "the proxy answered with status \(status)")
  }

  private func set(_ request: HTTPRequest) {
    set(CURLOPT_URL, request.url)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    // Otherwise name lookups may use SIGALRM, which belongs to the whole process.
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_PATH_AS_IS, 1)
    // CURLOPT_FOLLOWLOCATION is off unless it is set.
    switch request.method {
    case .get: break
    case .head: set(CURLOPT_NOBODY, 1)
    case .put: set(CURLOPT_UPLOAD, 1)
    case .post:
      set(CURLOPT_UPLOAD, 1)
      set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
    case .delete: set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
    }
    if let range = request.range {
      set(CURLOPT_RANGE, "\(range.lowerBound)-\(range.upperBound - 1)")
    }
  }

  /// Headers have a limit in libcurl: it refuses an answer with more than 300 KB of them, since 8.3.0 and in Debian 12's
  /// 7.88.1 (CVE-2023-38039).
  private func set(_ limits: HTTPLimits) {
    set(CURLOPT_TIMEOUT_MS, limits.total.milliseconds)
    set(CURLOPT_CONNECTTIMEOUT_MS, limits.connecting.milliseconds)
    set(CURLOPT_LOW_SPEED_LIMIT, 1)
    set(CURLOPT_LOW_SPEED_TIME, max(1, limits.stall.milliseconds / 1000))
    if let file = limits.authorities { set(CURLOPT_CAINFO, file) }
    if limits.closesConnection { set(CURLOPT_FORBID_REUSE, 1) }
  }

  private func set(_ signature: AWSSignature) {
    set(CURLOPT_AWS_SIGV4, "aws:amz:\(signature.region):\(signature.service)")
    // Not CURLOPT_USERPWD: keys may hold colons.
    set(CURLOPT_USERNAME, signature.key)
    set(CURLOPT_PASSWORD, signature.secret)
  }

  private func set(_ sink: BodySink) {
    set(CURLOPT_BUFFERSIZE, 1 << 16)
    leaflog_curl_set_pointer(handle, CURLOPT_WRITEDATA, Unmanaged.passUnretained(sink).toOpaque())
    leaflog_curl_set_transfer(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, sink in
      guard let bytes, let sink else { return 0 }
      return Unmanaged<BodySink>.fromOpaque(sink).takeUnretainedValue()
        .append(UnsafeRawBufferPointer(start: bytes, count: size * count))
    }
  }

  private func set(_ source: BodySource) {
    let pointer = Unmanaged.passUnretained(source).toOpaque()
    set(CURLOPT_UPLOAD_BUFFERSIZE, 1 << 18)
    leaflog_curl_set_offset(handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(source.byteCount))
    leaflog_curl_set_pointer(handle, CURLOPT_READDATA, pointer)
    leaflog_curl_set_transfer(handle, CURLOPT_READFUNCTION) { target, size, count, source in
      guard let target, let source else { return Int(CURL_READFUNC_ABORT) }
      return Unmanaged<BodySource>.fromOpaque(source).takeUnretainedValue()
        .read(into: UnsafeMutableRawBufferPointer(start: target, count: size * count))
        ?? Int(CURL_READFUNC_ABORT)
    }
    // Rewinds the body when a reused connection turns out to be closed after sending began.
    leaflog_curl_set_pointer(handle, CURLOPT_SEEKDATA, pointer)
    leaflog_curl_set_seek(handle) { source, offset, origin in
      guard let source, origin == SEEK_SET else { return CURL_SEEKFUNC_FAIL }
      Unmanaged<BodySource>.fromOpaque(source).takeUnretainedValue().position = Int(offset)
      return CURL_SEEKFUNC_OK
    }
  }

  private func set(_ gate: SocketGate) {
    set(CURLOPT_PROTOCOLS_STR, "https")
    // An empty name also stands for no proxy of the environment.
    set(CURLOPT_PROXY, "")
    leaflog_curl_set_pointer(
      handle, CURLOPT_OPENSOCKETDATA, Unmanaged.passUnretained(gate).toOpaque())
    leaflog_curl_set_socket_opener(handle) { gate, _, address in
      guard let gate, let address else { return CURL_SOCKET_BAD }
      return Unmanaged<SocketGate>.fromOpaque(gate).takeUnretainedValue().open(address)
    }
  }

  private func answeredHeaders() -> [String: String] {
    var headers: [String: String] = [:]
    var last: UnsafeMutablePointer<curl_header>?
    while let header = curl_easy_nextheader(handle, UInt32(CURLH_HEADER), -1, last) {
      headers[String(cString: header.pointee.name).lowercased()] =
        String(cString: header.pointee.value)
      last = header
    }
    return headers
  }

  private func set(_ option: CURLoption, _ value: Int) {
    leaflog_curl_set_long(handle, option, value)
  }

  private func set(_ option: CURLoption, _ text: String) {
    leaflog_curl_set_text(handle, option, text)
  }
}

extension HTTPFailure {
  init(_ code: CURLcode) {
    let kind: Code =
      switch code {
      case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT:
        .unreachable
      case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CONNECT_ERROR,
        CURLE_SSL_CERTPROBLEM:
        .untrusted
      case CURLE_OPERATION_TIMEDOUT: .timedOut
      case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL, CURLE_OUT_OF_MEMORY: .invalid
      default: .broken
      }
    self.init(code: kind, message: String(cString: curl_easy_strerror(code)))
  }
}

extension Duration {
  /// Rounded up, as a limit of 0 would be no limit.
  fileprivate var milliseconds: Int {
    let (seconds, attoseconds) = components
    return Int(seconds) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
