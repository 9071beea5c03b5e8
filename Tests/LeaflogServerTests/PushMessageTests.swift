import Foundation
import Hashing
import Leaflog
import LeaflogServer
import Testing

/// Messages to browsers (RFC 8291), and how push services know their sender (RFC 8292).
@Suite struct PushMessageTests {
  /// The keys of RFC 8291, section 5.
  private static let receiver = PushReceiver(
    publicKey:
      "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    secret: "BTBZMqHH6r4Tts7J_aSIgg")

  @Test func `the example of RFC 8291 is encrypted byte for byte`() throws {
    let bytes = try #require(Base64URL.bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
    let sender = try #require(P256Key(privateKey: bytes))
    let text = Array("When I grow up, I want to be a watermelon".utf8)
    let body = try PushMessage.encrypted(
      text, for: #require(Self.receiver), paddedTo: text.count, from: sender,
      salt: #require(Base64URL.bytes("DGv6ra1nlYgDCS1FRnbzlw")), recordSize: 4096)
    #expect(
      Base64URL.text(body)
        == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
  }

  @Test func `all messages have one size, and no two are the same`() throws {
    let receiver = try #require(Self.receiver)
    let bodies = try [0, 1, 1000, 2048, 2048].map { count in
      try PushMessage.encrypted(
        [UInt8](repeating: 7, count: count), for: receiver, paddedTo: 2048)
    }
    #expect(Set(bodies.map(\.count)) == [86 + 2048 + 17] && Set(bodies).count == 5)
    #expect(throws: LeaflogError.self) {
      try PushMessage.encrypted(
        [UInt8](repeating: 7, count: 2049), for: receiver, paddedTo: 2048)
    }
  }

  @Test func `only points on the curve and keys of the right length are taken`() throws {
    let receiver = try #require(Self.receiver)
    let secret = Base64URL.text(receiver.secret)
    var elsewhere = receiver.publicKey
    elsewhere[64] ^= 1
    var compressed = Array(receiver.publicKey.prefix(33))
    compressed[0] = 2
    var other = receiver.publicKey
    other[0] = 6
    let zeros = [4] + [UInt8](repeating: 0, count: 64)
    for point in [elsewhere, compressed, other, zeros, [0], [], receiver.publicKey + [0]] {
      #expect(PushReceiver(publicKey: Base64URL.text(point), secret: secret) == nil)
    }
    let publicKey = Base64URL.text(receiver.publicKey)
    for wrong in ["", "AAAA", secret + "AA", "BTBZMqHH6r4Tts7J+aSIgg", "BTBZMqHH6r4Tts7J_aSIg\0"] {
      #expect(PushReceiver(publicKey: publicKey, secret: wrong) == nil, "\(wrong)")
    }
    #expect(PushReceiver(publicKey: publicKey + "=", secret: secret + "==") == receiver)
    for scalar in [[UInt8](repeating: 0, count: 32), [UInt8](repeating: 255, count: 32), [1]] {
      #expect(P256Key(privateKey: scalar) == nil)
    }
  }

  @Test func `a push service is told who sends, for whom, and until when`() throws {
    let key = try P256Key()
    #expect(P256Key(privateKey: key.privateKey) == key && key.publicKey.count == 65)
    let line = try key.authorization(
      audience: "https://push.example", subject: "mailto:me@plants.example", expiresAt: 1_800_000)
    let parts = try #require(line.wholeMatch(of: /vapid t=(.+)\.(.+)\.(.+),k=(.+)/)?.output)
    let head = String(decoding: try #require(Base64URL.bytes(parts.1)), as: UTF8.self)
    let claims = String(decoding: try #require(Base64URL.bytes(parts.2)), as: UTF8.self)
    #expect(head == #"{"alg":"ES256","typ":"JWT"}"#)
    #expect(
      claims
        == #"{"aud":"https://push.example","exp":1800000,"sub":"mailto:me@plants.example"}"#)
    #expect(Base64URL.bytes(parts.3)?.count == 64 && String(parts.4) == key.publicText)
  }

  private static let addresses: [(text: String, origin: String?)] = [
    ("https://push.example/a?b", "https://push.example"),
    ("https://PUSH.example:443/a", "https://push.example"),
    ("https://[2001:4860::1]/a", "https://[2001:4860::1]"),
    ("https://own.example:8443/a", "https://own.example:8443"),
    ("https://push.example:8443/a", nil), ("http://push.example/a", nil),
    ("https://me@push.example/a", nil), ("https://push.example\\@own.example/a", nil),
    ("https://own.example:8443@push.example/a", nil), ("https:///a", nil), ("https://", nil),
    ("https://push.example/a#b", nil), ("https://push.example/a b", nil),
    ("https://pu%73h.example/a", nil), ("https://püsh.example/a", nil),
  ]

  @Test(arguments: addresses)
  func `an address is one of https at the usual port, or at one's own service`(
    text: String, origin: String?
  ) throws {
    let own = try #require(Authority("own.example:8443"))
    let address = PushAddress(text, own: own)
    #expect(address?.origin == origin)
    #expect(address?.isOwn ?? false == text.contains("own.example:8443/"))
  }
}
