import ArgumentParser
internal import Foundation
internal import Glibc
internal import Leaflog

/// `leaflog completions`
struct CompletionsCommand<Service: ServiceCommands>: LeaflogSubcommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "completions", abstract: "Print a shell completion script.",
      discussion: """
        It completes commands, options, plant names and the ids of recent photos, read from the \
        library that the command would use. To install it:

          bash   in ~/.bashrc: source <(leaflog completions bash)
          zsh    leaflog completions zsh > ~/.zfunc/_leaflog
                 and in ~/.zshrc, before compinit: fpath=(~/.zfunc $fpath)
          fish   leaflog completions fish > ~/.config/fish/completions/leaflog.fish

        Create the folder if it is missing, and run this again after updating leaflog.
        """)
  }

  enum Shell: String, ExpressibleByArgument, CaseIterable { case bash, zsh, fish }

  @Argument(help: "The shell.")
  var shell: Shell

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) {
    switch shell {
    case .bash:
      context.output.print(CompletedRoot.completionScript(for: .bash) + "\n" + wholeWords)
    case .zsh:
      // `_arguments` accepts no value after an equals sign unless told to.
      context.output.print(
        CompletedRoot.completionScript(for: .zsh)
          .replacing(#/'(\*?--[a-z-]+)(\[[^\n]*\]:)/#) { "'\($0.1)=\($0.2)" })
    case .fish: context.output.print(CompletedRoot.completionScript(for: .fish))
    }
  }

  /// The root command as typed: the options of every command may precede it.
  private struct CompletedRoot: ParsableCommand {
    static var configuration: CommandConfiguration { Root<Service>.configuration }

    @OptionGroup var global: GlobalOptions
  }
}

/// Readline also splits words at `:` and `=` (`COMP_WORDBREAKS`, which belongs to the user and stays as it is),
/// unlike the parser's script and the shell itself. This joins such words again, with an option and its value as two,
/// and strips from the candidates the part that Readline keeps.
///
/// Of a word without quotes, Readline leaves `$` and backquotes as they are, so that a typed variable stays one; so
/// candidates that contain one are quoted here, unless the typed word has a variable or a quote.
private let wholeWords = #"""

  __leaflog_whole_words() {
      local -a whole=()
      local -i i cword=0
      local rest="${COMP_LINE}" word gap joined kept='' is_joined
      for ((i = 0; i < ${#COMP_WORDS[@]}; i++)); do
          word="${COMP_WORDS[i]}"
          gap="${rest%%[![:space:]]*}"
          rest="${rest#"${gap}"}"
          is_joined=false
          if ((i > 0)) && [[ -z "${gap}" ]]; then
              [[ "${word}" = [:=]* || "${COMP_WORDS[i - 1]}" = *[:=] ]] && is_joined=true
          fi
          if "${is_joined}"; then
              ((i == COMP_CWORD)) && kept="${joined}"
              joined+="${word}"
              ((i == COMP_CWORD)) && [[ "${word}" = [:=]* ]] && kept="${joined}"
              whole[${#whole[@]} - 1]="${joined}"
          else
              joined="${word}"
              whole+=("${word}")
          fi
          if [[ "${joined}" = --+([a-z-])=* ]]; then
              whole[${#whole[@]} - 1]="${joined%%=*}"
              joined="${joined#*=}"
              whole+=("${joined}")
              kept="${kept#--*=}"
          fi
          ((i == COMP_CWORD)) && cword=${#whole[@]}-1
          rest="${rest#"${word}"}"
      done
      local -a COMP_WORDS=("${whole[@]}")
      local -i COMP_CWORD=cword
      _leaflog "${1}" "${kept}${2}" "${COMP_WORDS[COMP_CWORD - 1]}"
      COMPREPLY=("${COMPREPLY[@]#"${kept}"}")
      word="${kept}${2}"
      [[ "${COMP_WORDS[COMP_CWORD]}" = [\"\']* ]] && word="${COMP_WORDS[COMP_CWORD]}"
      if [[ "${word//\\?/}" != *[\"\'\$\`]* && "${COMPREPLY[*]}" = *[\$\`]* ]]\
          && compopt -o noquote 2>/dev/null
      then
          for i in "${!COMPREPLY[@]}"; do
              printf -v joined %q "${COMPREPLY[i]}"
              [[ "${word}" = '~'* ]] && joined="${joined#\\}"
              COMPREPLY[i]="${joined}"
          done
      fi
  }
  complete -o filenames -F __leaflog_whole_words leaflog
  """#

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

  /// The names of logged symptoms, most likely first.
  static var symptomNames: CompletionKind {
    .custom { words, _, _ in
      Completion.candidates(words) { library in
        try library.diary.symptomNames(today: library.today).map {
          ($0.name, Quantities.count($0.count, "time"))
        }
      }
    }
  }

  /// The tags of entries, most frequent first.
  static var tags: CompletionKind {
    .custom { words, _, _ in
      Completion.candidates(words) { library in
        try library.diary.tags().map { ($0.name, Quantities.entries($0.count)) }
      }
    }
  }

  /// The names of activities, in user-defined order.
  static var activities: CompletionKind {
    .custom { words, _, _ in
      Completion.candidates(words) { library in
        try library.activities.all(isCounting: false).map {
          ($0.name, ActivityText.last($0, on: library.today))
        }
      }
    }
  }

  /// The names of factors, in user-defined order.
  static var factors: CompletionKind {
    .custom { words, _, _ in
      Completion.candidates(words) { library in
        try library.factors.all().map { ($0.name, $0.details.words) }
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

  /// The numbers of the latest changes, either undone ones or the others.
  static func changes(undone: Bool) -> CompletionKind {
    .custom { words, _, _ in
      Completion.candidates(words) { library in
        try library.history.page(limit: 100).changes.filter { $0.isUndone == undone }
          .map { ("\($0.id)", $0.title) }
      }
    }
  }

  /// The ids of the most recent photos; older ones too once a prefix is typed.
  static var photos: CompletionKind {
    .custom { words, _, prefix in
      Completion.candidates(words) { library in
        let page = try library.timeline.page(
          TimelineQuery(kinds: [.photo]), limit: prefix.isEmpty ? 50 : 1000)
        let counts = Dictionary(page.elements.map { ($0.id.short, 1) }, uniquingKeysWith: +)
        return page.elements.map { entry in
          let id = counts[entry.id.short] == 1 ? entry.id.short : entry.id.description
          let plant = entry.plant.map { " \($0.name)" } ?? ""
          return (id, "\(entry.time.date)\(plant)")
        }
      }
    }
  }
}

/// Answers a shell when the user presses the tab key: candidates or nothing, never a message into the line being typed.
private enum Completion {
  typealias Candidate = (word: String, description: String)

  static func candidates(
    _ words: [String], _ read: (Library) throws -> [Candidate]
  ) -> [String] {
    // SQLite waits for locks; users should not have to wait for candidates.
    signal(SIGALRM) { _ in _exit(0) }
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, SIGALRM)
    // Threads of Swift's pool block signals by default.
    pthread_sigmask(SIG_UNBLOCK, &mask, nil)
    alarm(1)
    defer { alarm(0) }
    let found = try? read(CommandContext(.current, options(in: words)).openLibrary(for: .reading))
    return (found ?? []).compactMap(line)
  }

  /// Reads the library, the only option that matters here, from the words typed so far; the last one counts, as it does
  /// for the command.
  private static func options(in words: [String]) throws -> GlobalOptions {
    let words = GlobalOptions.last(in: words.dropFirst().map { ShellWord.value(of: $0) })
    var arguments: [String] = []
    for (index, word) in words.prefix(while: { $0 != "--" }).enumerated() {
      if word.hasPrefix("--library=") {
        arguments = [word]
      } else if word == "--library", index + 1 < words.count {
        // bash treats the equals sign as a word.
        let isSplit = words[index + 1] == "=" && index + 2 < words.count
        arguments = ["--library=" + words[index + (isSplit ? 2 : 1)]]
      }
    }
    return try GlobalOptions.parse(arguments)
  }

  /// A candidate in the form that the parser's scripts hand to the shell; they quote nothing (1.8.2).
  private static func line(_ candidate: Candidate) -> String? {
    let word = candidate.word
    // The scripts treat each line as a candidate.
    guard !word.isEmpty, TextLayout.singleLine(word) == word else { return nil }
    let description = TextLayout.singleLine(candidate.description)
    switch CompletionShell.requesting {
    // `compgen -W` expands each word, including commands in it.
    case .bash?: return "'" + word.replacing("'", with: #"'\''"#) + "'"
    case .zsh?: return word.replacing(":", with: #"\:"#) + ":" + description
    case .fish?: return word + "\t" + description
    default: return word
    }
  }
}

/// A word as typed in a shell.
private enum ShellWord {
  /// The word as the shell would expand it: quotes and backslashes removed, `~` and environment variables replaced.
  /// Nothing is executed.
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
