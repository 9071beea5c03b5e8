internal import DiaryModel
internal import Foundation
package import HTTPTransfer
internal import Leaflog

/// The address of a browser at its push service. It comes from outside, and the service connects to it, so that only what a
/// push service can have is one.
package struct PushAddress: Sendable, Hashable {
  package let text: String
  /// `https://push.example`, for whose operator a token is signed (RFC 8292, 2).
  package let origin: String
  /// Whether it is at the push service of one's own, which may be at any address and port.
  package let isOwn: Bool

  private static let maxByteCount = 1000

  /// - Parameter own: the push service of one's own.
  /// - Returns: nil unless it is an `https` address of a host at port 443, or at the service of one's own.
  package init?(_ text: String, own: Authority?) {
    let scheme = "https://"
    guard text.utf8.count <= Self.maxByteCount, text.hasPrefix(scheme),
      text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "\\") }),
      !text.contains("#")
    else { return nil }
    let place = text.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" }
    guard let authority = Authority(String(place)),
      authority.host.wholeMatch(of: /[a-z0-9.-]+|\[[0-9a-f:.]+\]/) != nil
    else { return nil }
    isOwn = authority == own
    guard isOwn || authority.port ?? 443 == 443 else { return nil }
    let port = authority.port.flatMap { $0 == 443 ? nil : ":\($0)" } ?? ""
    (self.text, origin) = (text, scheme + authority.host + port)
  }
}

/// A message to a device.
package struct PushMessageToDevice: Sendable {
  let device: PushDevice
  let text: [UInt8]
  /// A later message with the same topic takes the place of one that has not been delivered (RFC 8030, 5.4).
  let topic: String
  /// When it is of no more use.
  let expiresAt: Timestamp
}

/// Sends messages to push services (RFC 8030).
package struct PushSender: Sendable {
  /// What became of a message.
  package enum Outcome: Sendable, Hashable {
    /// The push service has taken it.
    case taken
    /// The push service does not know the device any more.
    case gone
    /// The push service refused it with a status.
    case refused(Int)
    /// It was not reached, or has no time now. The seconds are those that it asks to wait.
    case failed(String, after: Int = 0)
  }

  /// What came back for a request.
  package enum Answer: Sendable {
    /// A status, and the seconds that the push service asks to wait.
    case status(Int, retryAfter: Int = 0)
    case failure(String)
  }

  package typealias Transport = @Sendable (HTTPRequest, PushAddress) -> Answer

  let own: Authority?
  private let authority: String?
  private let transport: Transport

  init(_ options: ServerOptions) {
    (own, authority) = (options.pushHost, options.pushAuthority)
    let (everywhere, ownService) = (
      HTTPClient(allowing: { address in
        address.port == 443 && IPAddress(octets: address.octets)?.isPublic ?? false
      }),
      HTTPClient(allowing: { [port = options.pushHost?.port ?? 443] in $0.port == port })
    )
    transport = { request, address in
      do throws(HTTPFailure) {
        let answer = try (address.isOwn ? ownService : everywhere).answer(to: request)
        let wait = answer.headers["retry-after"].flatMap { Int($0) } ?? 0
        return .status(answer.status, retryAfter: wait)
      } catch { return .failure(error.message) }
    }
  }

  /// - Parameter transport: sends the requests, for a test.
  package init(own: Authority?, _ transport: @escaping Transport) {
    (self.own, authority, self.transport) = (own, nil, transport)
  }

  /// The size to which every message is padded before it is encrypted, so that its length tells nothing.
  static let paddedByteCount = 2048

  /// Sends a message, and waits for the answer.
  ///
  /// - Parameters:
  ///   - subject: the address of whoever runs the service, `mailto:` or `https:` (RFC 8292, 2.1).
  ///   - now: the time by which the token is signed.
  func send(
    _ message: PushMessageToDevice, _ key: P256Key, subject: String, at now: Timestamp
  ) throws(LeaflogError) -> Outcome {
    guard let address = PushAddress(message.device.address, own: own),
      let receiver = PushReceiver(
        publicKey: message.device.publicKey, secret: message.device.secret)
    else { return .gone }
    let body = try PushMessage.encrypted(
      message.text, for: receiver, paddedTo: Self.paddedByteCount)
    let seconds = now.milliseconds / 1000
    let left = max(0, message.expiresAt.milliseconds / 1000 - seconds)
    var request = HTTPRequest(
      .post, address.text,
      headers: [
        // Push services refuse one that is valid for more than a day (RFC 8292, 2).
        (
          "Authorization",
          try key.authorization(
            audience: address.origin, subject: subject, expiresAt: seconds + 12 * 3600)
        ),
        ("Content-Encoding", "aes128gcm"), ("Content-Type", "application/octet-stream"),
        ("TTL", "\(left)"), ("Urgency", "high"), ("Topic", message.topic),
      ], limits: limits(address))
    request.body = HTTPBody(SharedBytes(copying: body))
    return Self.outcome(transport(request, address))
  }

  private func limits(_ address: PushAddress) -> HTTPLimits {
    var limits = HTTPLimits()
    (limits.total, limits.connecting) = (.seconds(8), .seconds(5))
    // What a push service says is not shown.
    limits.bodyByteCount = 4096
    limits.closesConnection = true
    if address.isOwn { limits.authorities = authority }
    return limits
  }

  private static func outcome(_ answer: Answer) -> Outcome {
    switch answer {
    case .status(200..<300, _): .taken
    case .status(404, _), .status(410, _): .gone
    case .status(let status, let wait) where status == 429 || status >= 500:
      .failed("it answered with status \(status)", after: wait)
    case .status(let status, _): .refused(status)
    case .failure(let reason): .failed(reason)
    }
  }
}
