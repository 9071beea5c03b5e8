package import Language

/// The page for users who are not signed in.
package struct SignInPage: Screen {
  package static let template = "sign-in"

  let page: PageFrame
  let back: String
  let tokenError: String?

  /// - Parameter isWrong: whether an invalid token was given.
  package init(_ reader: PlainReader, back: String, isWrong: Bool = false) {
    self.back = back
    tokenError = isWrong ? reader.words["error.token"] : nil
    page = PageFrame(plain: reader.words["signIn"], reader, hasBar: false)
  }
}

/// The page shown offline in place of one that is not cached.
package struct OfflinePage: Screen {
  package static let template = "offline"

  let page: PageFrame

  package init(_ reader: PlainReader) {
    page = PageFrame(plain: reader.words["offlineTitle"], reader)
  }
}

/// The page shown in place of one that failed.
package struct ErrorPage: Screen {
  package static let template = "error"

  let page: PageFrame
  let title: String
  let detail: String
  let href: String
  let label: String
  /// The request's id in the server's log.
  let reference: String?

  /// - Parameter status: the HTTP status of the answer.
  package init(_ reader: PlainReader, status: Int, detail: String?, reference: String?) {
    let words = reader.words
    title = words[status == 404 ? "error.notFound" : "error.title"]
    self.detail = status == 404 ? words["error.notFoundText"] : detail ?? ""
    (href, label) = ("/", words["today"])
    self.reference = status >= 500 ? reference : nil
    page = PageFrame(plain: title, reader)
  }

  /// The page shown for a moment to a browser that sends no valid session, and for longer to one that follows no `Refresh`.
  ///
  /// - Parameter address: that of the page to sign in.
  package init(signingInAt address: String, _ reader: PlainReader) {
    let words = reader.words
    (title, detail, reference) = (words["signIn"], words["signInNeeded"], nil)
    (href, label) = (address, words["signIn"])
    page = PageFrame(plain: title, reader, hasBar: false)
  }
}

/// The reader of a page that shows nothing from a library.
package struct PlainReader: Sendable {
  package let words: Words
  let path: String
  let appearance: Appearance

  /// - Parameter languages: language tags, most preferred first.
  package init(languages: [String], path: String, appearance: Appearance = Appearance()) {
    words = Words.best(of: languages)?.words ?? .standard
    (self.path, self.appearance) = (path, appearance)
  }
}

extension PageFrame {
  /// The frame of a page that shows nothing from a library.
  init(plain title: String, _ reader: PlainReader, hasBar: Bool = true) {
    self.init(
      words: reader.words, look: PageLook(reader.appearance),
      title: title,
      path: reader.path, back: nil, returning: "",
      day: "", dayEnds: "", hasBar: hasBar, readingNotice: nil,
      isToday: false, isTimeline: false, isAdd: false, isPlants: false, isMe: false,
      further: Further.all(reader.words, at: reader.path), toast: nil)
  }
}

/// The manifest by which a browser installs the pages as an application (W3C, Web Application Manifest).
package struct Manifest: Screen {
  package static let template = "manifest"

  let lang: String
  let assets: String
  let name: String
  let description: String
  let addPhotos: String
  let logToday: String
  let activities: String

  package init(_ reader: PlainReader) {
    let words = reader.words
    (lang, assets, name) = (words.language, PageRenderer.assets, "Leaflog")
    description = words["appDescription"]
    (addPhotos, logToday, activities) = (
      words["addPhotos"], words["logToday"], words["activities"]
    )
  }
}
