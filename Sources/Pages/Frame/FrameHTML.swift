internal import Language

/// The HTML that all pages have.
extension PageFrame: NamedValues {
  var values: [String: Any] {
    [
      "top": top, "bottom": bottom, "path": path, "back": back as Any, "returning": returning,
      "assets": PageRenderer.assets, "day": day, "key": key,
    ]
  }

  /// The beginning of the document, with the bar.
  private var top: HTML {
    """
    <!doctype html>
    <html lang="\(words.language)" data-theme="\(look.theme)" data-accent="\(look.accent)">
    <head>
    <meta charset="utf-8">
    <title>\(title) · Leaflog</title>
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
    <meta name="color-scheme" content="\(look.scheme)">
    \(look.html)
    <meta name="referrer" content="same-origin">
    <link rel="stylesheet" href="\(PageRenderer.assets)/style.css">
    <link rel="manifest" href="/manifest.webmanifest">
    <link rel="icon" href="\(PageRenderer.assets)/icon.svg" type="image/svg+xml">
    <link rel="apple-touch-icon" href="\(PageRenderer.assets)/apple-touch-icon.png">
    <script type="module" src="\(PageRenderer.assets)/leaflog.js"></script>
    </head>
    <body data-root="/" data-assets="\(PageRenderer.assets)" data-day="\(day)" data-day-ends="\(dayEnds)">
    <a class="skip" href="#main">\(words["skipToContent"])</a>
    <div class="offline" id="offline" role="status" hidden>\(words["offlineNow"])</div>\(notice)\(bar, if: hasBar)
    """
  }

  private var notice: HTML? {
    readingNotice.map { "\n<div class=\"offline\">\($0)</div>" }
  }

  private var bar: HTML {
    """

    <nav class="bar" aria-label="\(words["navigation"])">
    <a class="brand" href="/">Leaflog</a>
    <ul>
    \(place("/", "today", "today", isHere: isToday), if: hasToday)
    \(place("/timeline", "timeline", "timeline", isHere: isTimeline))
    \(adding, if: hasAdd)
    \(place("/plants", "plants", "plants", isHere: isPlants))
    \(place("/me", "me", "me", isHere: isMe))
    </ul>
    <ul class="further">
    \(lines: further)</ul>
    </nav>
    <dialog class="sheet" id="add-what" aria-labelledby="add-what-title">
    <header class="title"><h2 id="add-what-title">\(words["addWhat"])</h2><form method="dialog"><button class="round" aria-label="\(words["close"])">\(HTML.icon("close"))</button></form></header>
    \(addChoices)
    </dialog>
    """
  }

  private func place(_ href: String, _ icon: String, _ word: String, isHere: Bool) -> HTML {
    #"<li><a href="\#(href)"\#(.here, if: isHere)>\#(HTML.icon(icon))<span>\#(words[word])</span></a></li>"#
  }

  private var adding: HTML {
    #"<li><a class="plus" href="/add/what?\#(returning)"\#(.here, if: isAdd)>\#(HTML.icon("plus"))<span>\#(words["add"])</span></a></li>"#
  }

  /// The list of things to add.
  var addChoices: HTML {
    func choice(_ path: String, _ icon: String, _ word: String) -> HTML {
      #"<li><a href="\#(path)?\#(returning)">\#(HTML.icon(icon))<span>\#(words[word])</span></a></li>"#
    }
    return """
      <ul class="add-choices">
      <li class="first"><a href="/add" autofocus>\(HTML.icon("camera"))<span>\(words["addPhotos"])</span></a></li>
      \(choice("/symptoms/new", "symptom", "symptom"))
      \(choice("/log", "log", "addLog"))
      \(choice("/moods", "mood", "mood"))
      \(choice("/activities", "check", "addDone"))
      \(choice("/episodes/new", "episode", "episode"))
      \(choice("/plants/new", "plants", "plant"))
      </ul>
      """
  }

  /// The end of the document: the toast, and the words of scripts.
  private var bottom: HTML {
    """
    <div id="toast" role="status" aria-live="polite">
    \(toast?.html(at: path, words))</div>
    \(WordsHTML.of(words).ofScripts)
    </body>
    </html>
    """
  }
}

extension PageLook {
  /// The colours of the browser's own bars.
  fileprivate var html: HTML {
    if let ground { return #"<meta name="theme-color" content="\#(ground)">"# }
    return """

      <meta name="theme-color" content="#faf8f3" media="(prefers-color-scheme: light)">
      <meta name="theme-color" content="#131512" media="(prefers-color-scheme: dark)">
      """
  }
}

extension Further: HTMLPart {
  var html: HTML {
    #"<li><a href="\#(href)"\#(.here, if: isHere)>\#(HTML.icon(icon))\#(label)</a></li>"#
  }
}

extension Toast {
  fileprivate func html(at path: String, _ words: Words) -> HTML {
    """
    <form class="toast" method="post" action="\(isUndone ? "/redo" : "/undo")">
    <span class="text">\(text)</span>
    \(change.map { button(undoing: $0, at: path, words) })\(noteHref.map { note(at: $0, words) })
    </form>

    """
  }

  private func button(undoing change: String, at path: String, _ words: Words) -> HTML {
    """
    <input type="hidden" name="change" value="\(change)">
    <input type="hidden" name="back" value="\(path)">
    <button>\(words[isUndone ? "redo" : "undo"])</button>

    """
  }

  private func note(at href: String, _ words: Words) -> HTML {
    #"<a href="\#(href)">\#(words["addNote"])</a>"#
  }
}

extension HTML {
  /// Says that a link leads to the page that it is on.
  static let here: HTML = #" aria-current="page""#
  /// Says that one of several links is active.
  static let chosen: HTML = #" aria-current="true""#
}

/// A catalog of words as pages have it, made once.
struct WordsHTML {
  /// The texts as HTML has them.
  let escaped: [String: String]
  /// The element that has the words of scripts.
  let ofScripts: HTML

  private static let all = Dictionary(
    uniqueKeysWithValues: Words.all.map { ($0.name, WordsHTML($0)) })

  static func of(_ words: Words) -> WordsHTML { all[words.name] ?? WordsHTML(words) }

  private init(_ words: Words) {
    (escaped, ofScripts) = (words.texts.mapValues(\.escaped), Words.ofScripts(words.texts))
  }
}

extension Words {
  /// The words of scripts, by the attributes in which they find them.
  private static let scripts: [(StaticString, String)] = [
    ("data-saved", "saved"), ("data-removed", "removed"), ("data-undo", "undo"),
    ("data-add-note", "addNote"), ("data-close", "close"), ("data-not-saved", "notSaved"),
    ("data-no-network", "noNetwork"), ("data-offline", "offlineTitle"),
    ("data-offline-of", "offlineOf"),
    ("data-try-again", "tryAgain"), ("data-waiting", "waiting"), ("data-queued", "queued"),
    ("data-sending", "sending"), ("data-added", "photoAdded"), ("data-duplicate", "photoThere"),
    ("data-restored", "photoRestored"), ("data-skipped", "photoSkipped"),
    ("data-failed", "photoFailed"), ("data-play", "play"), ("data-pause", "pause"),
    ("data-remove", "remove"), ("data-hide", "hide"), ("data-on-the-way", "onTheWay"),
    ("data-show-plant", "showPlant"), ("data-copied", "copied"), ("data-not-copied", "notCopied"),
    ("data-discard", "discard"), ("data-date", "dateTaken"), ("data-from-camera", "fromCamera"),
    ("data-from-name", "fromName"), ("data-from-file", "fromFile"),
    ("data-from-file-unless", "fromFileUnless"), ("data-draft", "draftRestored"),
    ("data-moved", "movedTo"), ("data-selected-one", "selectedOne"),
    ("data-selected-other", "selectedOther"),
  ]

  /// The element that has the words of scripts.
  fileprivate static func ofScripts(_ texts: [String: String]) -> HTML {
    let words = scripts.map { "\(attribute: $0, texts[$1] ?? $1)" as HTML }
    return #"<div id="words" hidden\#(words)></div>"#
  }
}
