package import DiaryModel

/// A request over HTTP/1.1, with the limits that its answer has to keep.
package struct HTTPRequest: Sendable {
  package enum Method: String, Sendable {
    case get = "GET"
    case head = "HEAD"
    case put = "PUT"
    case post = "POST"
    case delete = "DELETE"
  }

  package var method: Method
  /// Sent as it is: whatever must be escaped in it is escaped.
  package var url: String
  package var headers: [(name: String, value: String)]
  /// Of a PUT or a POST.
  package var body: HTTPBody?
  /// The bytes that are wanted; nil is all of them.
  package var range: Range<Int>?
  /// Signs the request.
  package var signature: AWSSignature?
  package var limits: HTTPLimits

  package init(
    _ method: Method, _ url: String, headers: [(name: String, value: String)] = [],
    limits: HTTPLimits = HTTPLimits()
  ) {
    (self.method, self.url, self.headers, self.limits) = (method, url, headers, limits)
  }
}

/// The time and the memory that a request may take.
package struct HTTPLimits: Sendable {
  /// For the whole request.
  package var total = Duration.seconds(600)
  /// Until there is a connection.
  package var connecting = Duration.seconds(10)
  /// How long nothing needs to be transferred: below 1 byte a second for as long, a transfer is given up. In whole
  /// seconds, at least one.
  package var stall = Duration.seconds(20)
  /// The longest body that an answer may have, in bytes.
  package var bodyByteCount = Int.max
  /// Of certificates that may vouch for a server, a file in PEM; nil are the system's.
  package var authorities: String?
  /// Whether the connection is for this request alone.
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
  /// By their names in lower case.
  package let headers: [String: String]
  package let body: ByteBuffer
}

/// A request without a whole answer. Whether the server carried it out is not known, unless the code says so.
package struct HTTPFailure: Error, Sendable, Hashable {
  package enum Code: Sendable {
    /// There was no connection: nothing was carried out.
    case unreachable
    /// The server's certificate is not trusted: nothing was carried out.
    case untrusted
    /// The answer took too long, or nothing came for too long.
    case timedOut
    /// The connection ended, or the answer was no HTTP.
    case broken
    /// The answer's body was longer than the limit.
    case tooLong
    /// The bytes that were to be sent cannot be read.
    case unreadable
    /// The request is none, such as one to an address that is no URL.
    case invalid
  }

  package let code: Code
  /// libcurl's words, or those of what cannot be read, without a full stop.
  package let message: String
}
