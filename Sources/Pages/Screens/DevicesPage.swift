package import Leaflog

/// The devices that may use the library over the network.
package struct DevicesPage: Screen {
  package static let template = "devices"

  struct TokenRow {
    let id: String
    let name: String
    let detail: String
    let revokeLabel: String
  }

  struct Form {
    let name: Field
  }

  let page: PageFrame
  let problem: PageProblem?
  /// The secret of the token that was just created; it is shown only once.
  let secret: String?
  let secretTitle: String
  /// Whether the reader has no token, so that none can be created here.
  let notSignedIn: Bool
  let hasTokens: Bool
  let tokens: [TokenRow]
  let canAdd: Bool
  let form: Form

  /// - Parameters:
  ///   - holder: the reader's token; nil without one.
  ///   - made: a token that was just created, and its secret.
  package init(
    _ context: PageContext, _ tokens: [AccessToken], holder: AccessToken?,
    made: (token: AccessToken, secret: String)? = nil, refusal: Refusal? = nil
  ) throws {
    let words = context.words
    page = try context.frame(words["devices"], at: .me)
    problem = context.problem(refusal)
    secret = made?.secret
    secretTitle = words.text("secretTitle", ["name": made?.token.name ?? ""])
    notSignedIn = holder == nil
    canAdd = holder != nil
    self.tokens = holder == nil ? [] : tokens.map { TokenRow($0, holder: holder, in: context) }
    hasTokens = !self.tokens.isEmpty
    form = Form(name: FieldReader(refusal, words).field("name", nil))
  }
}

extension DevicesPage.TokenRow {
  fileprivate init(_ token: AccessToken, holder: AccessToken?, in context: PageContext) {
    let words = context.words
    let used = token.lastUsedAt.map { time in
      let day = EntryTime(.instant(time), in: context.library.timeZone).localDay
      return words.text("tokenUsed", ["when": context.reader.ago(day)])
    }
    self.init(
      id: token.id.description, name: token.name,
      detail: .dotted(
        used ?? words["tokenNever"], token.id == holder?.id ? words["thisDevice"] : nil),
      revokeLabel: words.text("revokeLabel", ["name": token.name]))
  }
}
