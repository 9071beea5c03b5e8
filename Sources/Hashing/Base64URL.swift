internal import Foundation

/// Bytes in characters that headers, cookies and URLs allow: base64url without padding (RFC 4648, section 5).
package enum Base64URL {
  /// Encodes bytes.
  package static func text(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString(options: [.base64URLAlphabet, .omitPaddingCharacter])
  }

  /// Decodes a text, with padding or without; nil for one that is not base64url.
  package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
    let digits = String(text.prefix { $0 != "=" })
    let padding = text.dropFirst(digits.count)
    guard padding.count <= 2, padding.allSatisfy({ $0 == "=" }),
      digits.utf8.allSatisfy(isDigit), digits.utf8.count % 4 != 1
    else { return nil }
    let rest = String(repeating: "=", count: (4 - digits.utf8.count % 4) % 4)
    return Data(
      base64Encoded: digits.replacing("-", with: "+").replacing("_", with: "/") + rest
    ).map { Array($0) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
