import Leaflog
import LeaflogServer
import Testing

/// Addresses and hosts as they are written.
@Suite struct AddressTests {
  @Test(arguments: [
    ("127.0.0.1", "127.0.0.1", true), ("127.8.9.10", "127.8.9.10", true), ("::1", "[::1]", true),
    ("[::1]", "[::1]", true), ("::ffff:127.0.0.1", "127.0.0.1", true),
    ("0.0.0.0", "0.0.0.0", false), ("::", "[::]", false), ("192.168.1.5", "192.168.1.5", false),
    ("FE80:0::1", "[fe80::1]", false), ("128.0.0.1", "128.0.0.1", false),
    ("::2", "[::2]", false), ("::127.0.0.1", "[::127.0.0.1]", false),
  ])
  func `an address is read`(text: String, host: String, isLoopback: Bool) throws {
    let address = try #require(IPAddress(text))
    #expect(address.host == host && address.isLoopback == isLoopback)
    #expect(address.isUnspecified == ["0.0.0.0", "::"].contains(text))
  }

  @Test(arguments: [
    "", "localhost", "127.1", "1.2.3.4.5", "256.1.1.1", "[127.0.0.1]", "::1]", "[::1", "1.2.3.4:80",
    "fe80::1%eth0", " 127.0.0.1", "127.0.0.1\0",
  ])
  func `anything else is none`(text: String) { #expect(IPAddress(text) == nil) }

  @Test(arguments: [
    ("172.16.0.0/12", "172.31.255.255", "172.32.0.0"), ("192.0.2.7", "192.0.2.7", "192.0.2.8"),
    ("192.0.2.7/32", "192.0.2.7", "192.0.2.6"), ("0.0.0.0/0", "8.8.8.8", "2001:db8::1"),
    ("fd00::/8", "fdff::1", "fe00::1"), ("10.0.0.0/8", "::ffff:10.1.2.3", "11.0.0.1"),
  ])
  func `a range has the addresses with its beginning`(text: String, inside: String, outside: String)
    throws
  {
    let range = try #require(AddressRange(text))
    #expect(range.contains(try #require(IPAddress(inside))))
    #expect(!range.contains(try #require(IPAddress(outside))))
  }

  @Test(arguments: [
    "", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.1/8", "::1/129", "10.0.0.0/8/8",
    "proxy/8", "10.0.0.0/+8", "10.0.0.0/8 ",
  ])
  func `anything else is no range`(text: String) { #expect(AddressRange(text) == nil) }

  @Test(arguments: [
    ("localhost", "localhost", nil), ("LocalHost:80", "localhost", 80), ("[::1]", "[::1]", nil),
    ("[::1]:8765", "[::1]", 8765), ("1.2.3.4:65535", "1.2.3.4", 65535),
  ])
  func `a host has a port or none`(text: String, host: String, port: Int?) throws {
    let authority = try #require(Authority(text))
    #expect(authority.host == host && authority.port == port)
  }

  @Test(arguments: ["", ":80", "[::1", "a:", "a:b", "a:+1", "a:65536", "a:1:2", "[::1]x", "a:-1"])
  func `anything else is no host`(text: String) { #expect(Authority(text) == nil) }

  @Test(arguments: [
    "null", "", "localhost", "file://x", "http:/x", "https://", "http://a, http://b",
  ])
  func `anything else is no page's`(origin: String) { #expect(Authority(origin: origin) == nil) }
}
