package import DiaryModel
internal import Foundation

/// An HTTP/1.1 request, with the limits for its answer.
package struct HTTPRequest: Sendable {
  package enum Method: String, Sendable {
    case get = "GET"
    case head = "HEAD"
    case put = "PUT"
    case post = "POST"
    case delete = "DELETE"
  }

  /// The use of an answer's body. A hash is computed while the rest of the body is on its way.
  package enum AnswerBody: Sendable {
    case kept
    case keptAndHashed
    /// The answer has no body, but its hash.
    case hashed
  }

  package var method: Method
  /// Sent as it is, so it must be escaped already.
  package var url: String
  package var headers: [(name: String, value: String)]
  /// The body of a PUT or a POST.
  package var body: HTTPBody?
  /// The requested bytes; nil means all of them.
  package var range: Range<Int>?
  package var answerBody = AnswerBody.kept
  /// The parameters to sign the request with; nil sends it unsigned.
  package var signature: AWSSignature?
  package var limits: HTTPLimits

  package init(
    _ method: Method, _ url: String, headers: [(name: String, value: String)] = [],
    limits: HTTPLimits = HTTPLimits()
  ) {
    (self.method, self.url, self.headers, self.limits) = (method, url, headers, limits)
  }
}

/// Limits for the time and the memory that a request takes.
package struct HTTPLimits: Sendable {
  /// The time limit for the whole request.
  package var total = Duration.seconds(600)
  /// The time limit for connecting.
  package var connecting = Duration.seconds(10)
  /// The longest stall: a transfer below 1 byte per second for this long is aborted. In whole seconds, at least one.
  package var stall = Duration.seconds(20)
  /// The longest body that an answer may have, in bytes.
  package var bodyByteCount = Int.max
  /// A PEM file of the certificate authorities to trust; nil means the system's.
  package var authorities: String?
  /// Whether to close the connection after this request.
  package var closesConnection = false

  package init() {}
}

/// The parameters of an AWS Signature Version 4, which libcurl computes. The headers have to contain
/// `x-amz-content-sha256`.
package struct AWSSignature: Sendable {
  package var key: String
  package var secret: String
  package var region: String
  package var service = "s3"

  package init(key: String, secret: String, region: String) {
    (self.key, self.secret, self.region) = (key, secret, region)
  }
}

/// An answer, whatever its status.
package struct HTTPAnswer: Sendable {
  package let status: Int
  /// The headers by their names in lower case.
  package let headers: [String: String]
  /// The SHA-256 of the body; nil unless the request asked for it.
  package let digest: [UInt8]?
  package let body: SharedBytes
}

extension HTTPAnswer {
  /// The server's time, from the `Date` header (RFC 9110, 6.6.1); nil if it does not say that.
  package var date: Timestamp? {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = .gmt
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
    return headers["date"].flatMap { format.date(from: $0) }
      .map { Timestamp(milliseconds: Int64($0.timeIntervalSince1970) * 1000) }
  }
}

/// A failure to get a complete answer. Whether the server carried out the request is unknown unless the code says so.
package struct HTTPFailure: Error, Sendable, Hashable {
  package enum Code: Sendable {
    /// There was no connection: nothing was carried out.
    case unreachable
    /// The client may not connect to any of the server's addresses: nothing was carried out.
    case notAllowed
    /// The server's certificate is not trusted: nothing was carried out.
    case untrusted
    /// The answer took too long, or nothing came for too long.
    case timedOut
    /// The connection ended, or the answer was not HTTP.
    case broken
    /// The answer's body was longer than the limit.
    case tooLong
    /// The body of the request cannot be read.
    case unreadable
    /// The request is invalid, such as one to a malformed URL.
    case invalid
  }

  package let code: Code
  /// The message of libcurl or of the error in reading the body, without a full stop.
  package let message: String
}
