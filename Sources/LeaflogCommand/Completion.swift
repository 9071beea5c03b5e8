import ArgumentParser
internal import Foundation
internal import Glibc
internal import Leaflog

extension CompletionKind {
  /// The names of the library's plants.
  static var plants: CompletionKind {
    .custom { words, _, _ in
      Completion.candidates(words) { library in
        try library.plants.all().map { plant in
          (plant.name, Quantities.count(plant.photoCount, "photo"))
        }
      }
    }
  }

  /// Names that symptoms were logged under, the likeliest first.
  static var symptomNames: CompletionKind {
    .custom { words, _, _ in
      Completion.candidates(words) { library in
        try library.diary.symptomNames(today: library.today).map {
          ($0.name, Quantities.count($0.count, "time"))
        }
      }
    }
  }

  /// The tags that entries have, the most frequent first.
  static var tags: CompletionKind {
    .custom { words, _, _ in
      Completion.candidates(words) { library in
        try library.diary.tags().map { ($0.name, Quantities.entries($0.count)) }
      }
    }
  }

  /// The names of activities, in the order of one's own.
  static var activities: CompletionKind {
    .custom { words, _, _ in
      Completion.candidates(words) { library in
        try library.activities.all().map { ($0.name, ActivityText.last($0, on: library.today)) }
      }
    }
  }

  /// The categories that activities can have.
  static var activityCategories: CompletionKind {
    .custom { words, _, _ in
      Completion.candidates(words) { library in
        try library.activities.categories().map { ($0, "") }
      }
    }
  }

  /// The names of access tokens.
  static var tokens: CompletionKind {
    .custom { words, _, _ in
      Completion.candidates(words) { library in try library.tokens.all().map { ($0.name, "") } }
    }
  }

  /// The numbers of the latest changes: of those that are undone, or of those that are not.
  static func changes(undone: Bool) -> CompletionKind {
    .custom { words, _, _ in
      Completion.candidates(words) { library in
        try library.history.page(limit: 100).changes.filter { $0.isUndone == undone }
          .map { ("\($0.id)", $0.title) }
      }
    }
  }

  /// The ids of the most recent photos; further back when there is the start of one.
  static var photos: CompletionKind {
    .custom { words, _, prefix in
      Completion.candidates(words) { library in
        let page = try library.timeline.page(
          TimelineQuery(kinds: [.photo]), limit: prefix.isEmpty ? 50 : 1000)
        let counts = Dictionary(page.elements.map { ($0.id.short, 1) }, uniquingKeysWith: +)
        return page.elements.map { entry in
          let id = counts[entry.id.short] == 1 ? entry.id.short : entry.id.description
          let plant = entry.plant.map { " \($0.name)" } ?? ""
          return (id, "\(entry.time.localDay)\(plant)")
        }
      }
    }
  }
}

/// The answer to a shell when somebody presses the tab key: candidates or nothing, never a message
/// into the line being typed.
private enum Completion {
  typealias Candidate = (word: String, description: String)

  static func candidates(
    _ words: [String], _ read: (Library) throws -> [Candidate]
  ) -> [String] {
    // SQLite waits for locks, and people do not wait for candidates.
    signal(SIGALRM) { _ in _exit(0) }
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, SIGALRM)
    // Threads of Swift's pool take no signals by themselves.
    pthread_sigmask(SIG_UNBLOCK, &mask, nil)
    alarm(1)
    defer { alarm(0) }
    let found = try? read(CommandContext(.current, options(in: words)).openLibrary(for: .reading))
    return (found ?? []).compactMap(line)
  }

  /// Of the options that were typed so far the library alone matters: the last one that the command
  /// would see.
  private static func options(in words: [String]) throws -> GlobalOptions {
    let words = GlobalOptions.last(in: words.dropFirst().map { ShellWord.value(of: $0) })
    var arguments: [String] = []
    for (index, word) in words.prefix(while: { $0 != "--" }).enumerated() {
      if word.hasPrefix("--library=") {
        arguments = [word]
      } else if word == "--library", index + 1 < words.count {
        // bash takes the equals sign for a word.
        let isSplit = words[index + 1] == "=" && index + 2 < words.count
        arguments = ["--library=" + words[index + (isSplit ? 2 : 1)]]
      }
    }
    return try GlobalOptions.parse(arguments)
  }

  /// A candidate as the parser's scripts hand it to the shell; they quote nothing (1.8.2).
  private static func line(_ candidate: Candidate) -> String? {
    let word = candidate.word
    // They take lines for candidates.
    guard !word.isEmpty, TextLayout.singleLine(word) == word else { return nil }
    let description = TextLayout.singleLine(candidate.description)
    switch CompletionShell.requesting {
    // `compgen -W` expands each word, commands in it and all.
    case .bash?: return "'" + word.replacing("'", with: #"'\''"#) + "'"
    case .zsh?: return word.replacing(":", with: #"\:"#) + ":" + description
    case .fish?: return word + "\t" + description
    default: return word
    }
  }
}

/// A word as it was typed to a shell.
enum ShellWord {
  /// The word as the shell would expand it: without quotes and backslashes, `~` and variables of the
  /// environment filled in. Nothing is run.
  static func value(of word: String) -> String {
    var result = ""
    var rest = Substring(word)
    var quote: Character?
    for prefix in ["", "--library="] where rest == prefix + "~" || rest.hasPrefix(prefix + "~/") {
      result = prefix + NSHomeDirectory()
      rest = rest.dropFirst(prefix.count + 1)
    }
    while let next = rest.popFirst() {
      switch (next, quote) {
      case ("'", nil), ("\"", nil): quote = next
      case ("'", "'"), ("\"", "\""): quote = nil
      case ("\\", let quote) where quote != "'": rest.popFirst().map { result.append($0) }
      case ("$", let quote) where quote != "'": result += variable(&rest)
      default: result.append(next)
      }
    }
    return result
  }

  private static func variable(_ rest: inout Substring) -> String {
    let isBraced = rest.first == "{"
    let name = rest.dropFirst(isBraced ? 1 : 0).prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    guard !name.isEmpty else { return "$" }
    rest = rest[name.endIndex...]
    if isBraced, rest.first == "}" { rest.removeFirst() }
    return ProcessInfo.processInfo.environment[String(name)] ?? ""
  }
}
