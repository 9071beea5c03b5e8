/// How to trust the authority of the service's own certificate.
package struct TrustPage: Screen {
  package static let template = "trust"

  let page: PageFrame
  /// The authority's SHA-256, in lines.
  let fingerprint: [String]
  /// Steps by system.
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

/// The page behind the link of `leaflog serve pair`.
package struct PairPage: Screen {
  package static let template = "pair"

  /// How far a device is.
  package enum State: Sendable {
    /// It has the code, and was not asked yet.
    case asking(code: String)
    /// It has a session under this name.
    case isIn(name: String)
    /// The code was used, is too old, or is none.
    case refused
    /// Too many wrong ones came from its address.
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
