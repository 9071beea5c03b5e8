/// Instructions for trusting the authority of the service's own certificate.
package struct TrustPage: Screen {
  package static let template = "trust"

  let page: PageFrame
  /// The authority's SHA-256, in lines.
  let fingerprint: [String]
  /// The steps for each system.
  let systems: [Fact]

  package init(_ reader: PlainReader, fingerprint: [String]) {
    let words = reader.words
    self.fingerprint = fingerprint
    systems = ["android", "ios", "macos", "windows", "linux", "firefox"].map {
      Fact(label: words["trustOn.\($0)"], value: words["trustHow.\($0)"])
    }
    page = PageFrame(plain: words["trustTitle"], reader, hasBar: false)
  }
}

/// The page that the link of `leaflog serve pair` opens.
package struct PairPage: Screen {
  package static let template = "pair"

  /// The state of pairing a device.
  package enum State: Sendable {
    /// The device has the code, and has not been asked yet.
    case asking(code: String)
    /// The device has a session under this name.
    case isIn(name: String)
    /// The code was used already, has expired, or is invalid.
    case refused
    /// Too many wrong codes came from the device's address.
    case tooMany
  }

  let page: PageFrame
  let title: String
  let text: String
  let code: String?
  let isIn: Bool

  package init(_ reader: PlainReader, _ state: State) {
    let words = reader.words
    switch state {
    case .asking(let code):
      (title, text) = (words["pairTitle"], words["pairText"])
      (self.code, isIn) = (code, false)
    case .isIn(let name):
      (title, text) = (words["welcome"], words.text("pairDone", ["name": name]))
      (code, isIn) = (nil, true)
    case .refused:
      (title, text) = (words["pairFailed"], words["pairUsed"])
      (code, isIn) = (nil, false)
    case .tooMany:
      (title, text) = (words["pairFailed"], words["pairTooMany"])
      (code, isIn) = (nil, false)
    }
    page = PageFrame(plain: title, reader, hasBar: false)
  }
}
