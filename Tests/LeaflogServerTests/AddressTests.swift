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

  private static let publicAddresses: [String] = [
    "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0",
    "126.255.255.255", "128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255",
    "172.32.0.0", "191.255.255.255", "192.0.1.0", "192.0.3.0", "192.88.98.255", "192.88.100.0",
    "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "198.51.99.255",
    "198.51.101.0", "203.0.112.255", "203.0.114.0", "223.255.255.255",
    "2000::", "2001:200::", "2001:db7:ffff::1", "2001:db9::1", "2001:4860:4860::8888",
    "2003::1", "2606:4700:4700::1111", "2a00:1450:4001::1", "3ffe:ffff::1", "3fff:1000::1",
    // By the IPv4 address in them.
    "::ffff:8.8.8.8", "2002:808:808::1",
  ]

  @Test(arguments: publicAddresses)
  func `an address of the internet is public`(text: String) throws {
    let address = try #require(IPAddress(text))
    #expect(address.isPublic)
  }

  private static let otherAddresses: [(kind: String, addresses: [String])] = [
    ("unspecified", ["0.0.0.0", "::"]),
    ("this network", ["0.0.0.1", "0.255.255.255"]),
    ("loopback", ["127.0.0.1", "127.0.0.0", "127.255.255.255", "::1", "::ffff:127.0.0.1"]),
    ("private", ["10.0.0.0", "10.255.255.255", "172.16.0.0", "172.31.255.255", "192.168.0.1"]),
    ("private, IPv6", ["fc00::1", "fd12:3456::1", "fdff:ffff::1", "::ffff:192.168.1.1"]),
    ("a provider's", ["100.64.0.0", "100.127.255.255"]),
    ("link-local", ["169.254.0.1", "169.254.169.254", "fe80::1", "febf::1"]),
    ("site-local", ["fec0::1", "feff::1"]),
    ("protocol assignments", ["192.0.0.0", "192.0.0.8", "192.0.0.255", "2001:1::1"]),
    ("documentation", ["192.0.2.1", "198.51.100.1", "203.0.113.255"]),
    ("documentation, IPv6", ["2001:db8::1", "2001:db8:ffff::1", "3fff::1", "3fff:fff:ffff::1"]),
    ("benchmarks", ["198.18.0.0", "198.19.255.255", "2001:2::1"]),
    ("relays of 6to4", ["192.88.99.0", "192.88.99.1", "192.88.99.255"]),
    ("multicast", ["224.0.0.1", "239.255.255.250", "ff02::1", "ff0e::1"]),
    ("reserved", ["240.0.0.0", "255.255.255.254", "255.255.255.255", "4000::1", "1000::1"]),
    ("Teredo and ORCHID", ["2001::1", "2001:0:808:808::1", "2001:10::1", "2001:20::1"]),
    ("6to4 of others", ["2002:7f00:1::1", "2002:a00:1::1", "2002:c0a8:101::1", "2002::1"]),
    ("IPv4-compatible", ["::8.8.8.8", "::127.0.0.1"]),
    ("NAT64", ["64:ff9b::808:808", "64:ff9b::7f00:1", "64:ff9b:1::808:808"]),
    ("other special purposes", ["100::1", "100:0:0:1::1", "5f00::1", "::ffff:0:8.8.8.8"]),
  ]

  @Test(arguments: otherAddresses)
  func `any other address is not public`(kind: String, addresses: [String]) throws {
    for text in addresses {
      let address = try #require(IPAddress(text))
      #expect(!address.isPublic, "\(kind): \(text)")
    }
  }

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
