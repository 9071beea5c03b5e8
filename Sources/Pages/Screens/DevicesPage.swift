package import Leaflog

/// The devices that may use the library over the network.
package struct DevicesPage: Screen {
  package static let template = "devices"

  struct TokenRow {
    let id: String
    let name: String
    let detail: String
    let revokeLabel: String
    /// The label of the button by which the device signs in again; nil for a calendar.
    let pairLabel: String?
    /// Asks whether the photos that it sent go to the trash; nil if there are none.
    let undoLabel: String?
  }

  struct Form {
    let name: FormValue
    /// The uses of a token: what it may do, or one of the calendars.
    let uses: [Option]
    let until: FormValue
  }

  /// A token or link that the form has just made. It is shown only once.
  package enum Made: Sendable {
    case token(name: String, secret: String)
    case calendar(name: String, address: String)
    /// A link that works once, and its QR code: the data of an SVG path, and the width of its picture.
    case pairing(name: String, link: String, path: String, width: Int)
  }

  struct Code {
    let path: String
    let width: Int
  }

  let page: PageFrame
  let problem: PageProblem?
  /// The secret or link that was just created.
  let secret: String?
  let secretTitle: String
  let secretHelp: String
  /// The link as a QR code.
  let code: Code?
  /// Whether only this machine can open the link.
  let isLocal: Bool
  /// Whether the reader has no token, so that none can be created here.
  let notSignedIn: Bool
  let hasTokens: Bool
  let tokens: [TokenRow]
  let canAdd: Bool
  let form: Form
  let useError: String?

  /// - Parameters:
  ///   - holder: the reader's token; nil without one.
  ///   - made: the token or link that the form has just made.
  package init(
    _ context: PageContext, _ tokens: [AccessToken], holder: AccessToken?, made: Made? = nil,
    refusal: Refusal? = nil
  ) throws {
    let words = context.words
    page = try context.frame(words["devices"], at: .me)
    problem = context.problem(refusal)
    (secretTitle, secret, secretHelp, code) =
      switch made {
      case .token(let name, let secret):
        (words.text("secretTitle", ["name": name]), secret, words["secretOnce"], nil)
      case .calendar(let name, let address):
        (words.text("secretTitle", ["name": name]), address, words["calendarOnce"], nil)
      case .pairing(let name, let link, let path, let width):
        (
          words.text("pairScan", ["name": name]), link, words["pairText"],
          Code(path: path, width: width)
        )
      case nil: ("", nil, "", nil)
      }
    isLocal =
      code != nil
      && secret?.contains(#/^https?:\/\/(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?\//#) == true
    notSignedIn = holder == nil
    canAdd = holder != nil
    let plants = try Dictionary(
      uniqueKeysWithValues: context.library.plants.references().map { ($0.id, $0.name) })
    self.tokens =
      holder == nil ? [] : try tokens.map { try TokenRow($0, holder: holder, plants, in: context) }
    hasTokens = !self.tokens.isEmpty
    let reader = FieldReader(refusal, words)
    useError = reader.error("use")
    form = Form(
      name: reader.field("name", nil),
      uses: reader.options(
        "use", "everything",
        (AccessScope.Extent.allCases.map(\.rawValue) + CalendarContents.allCases.map(\.rawValue))
          .map { ($0, words["tokenUse.\($0)"]) }), until: reader.field("until", nil))
  }
}

extension DevicesPage.TokenRow {
  fileprivate init(
    _ token: AccessToken, holder: AccessToken?, _ plants: [PlantID: String],
    in context: PageContext
  ) throws {
    let words = context.words
    let used = token.lastUsedAt.map { time in
      let day = EntryTime(.instant(time), in: context.library.timeZone).localDay
      return words.text("tokenUsed", ["when": context.reader.ago(day)])
    }
    self.init(
      id: token.id.description, name: token.name,
      detail: .dotted(
        words["tokenUse.\(token.calendar?.rawValue ?? token.scope.extent.rawValue)"],
        token.scope.plant.map { plants[$0] ?? "–" },
        token.grant.lastDay.map { words.text("tokenUntil", ["day": context.reader.longDay($0)]) },
        used ?? words["tokenNever"],
        token.id == holder?.id ? words["thisDevice"] : nil),
      revokeLabel: words.text("revokeLabel", ["name": token.name]),
      pairLabel: token.calendar == nil
        ? words.text("pairAgainLabel", ["name": token.name]) : nil,
      undoLabel: try context.library.photos.hasSent(by: token.id) ? words["revokeUndo"] : nil)
  }
}

/// Instructions for trusting the authority of the service's own certificate.
package struct TrustPage: Screen {
  package static let template = "trust"

  let page: PageFrame
  /// The authority's SHA-256, in lines.
  let fingerprint: [String]
  /// Whether the authority may vouch for e-mail addresses, too.
  let isOutdated: Bool
  /// The steps for each system.
  let systems: [Fact]

  package init(_ reader: PlainReader, fingerprint: [String], isOutdated: Bool) {
    let words = reader.words
    (self.fingerprint, self.isOutdated) = (fingerprint, isOutdated)
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
