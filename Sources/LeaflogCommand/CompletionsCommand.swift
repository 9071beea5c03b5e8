import ArgumentParser

/// `leaflog completions`
struct CompletionsCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
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

  enum Shell: String, ExpressibleByArgument, CaseIterable { case bash, zsh, fish }

  @Argument(help: "The shell.")
  var shell: Shell

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) {
    switch shell {
    case .bash:
      context.output.print(CompletedRoot.completionScript(for: .bash) + "\n" + Self.wholeWords)
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
    static let configuration = Root.configuration

    @OptionGroup var global: GlobalOptions
  }

  /// Readline also splits words at `:` and `=` (`COMP_WORDBREAKS`, which belongs to the user and stays as it is),
  /// unlike the parser's script and the shell itself. This joins such words again, with an option and its value as two,
  /// and strips from the candidates the part that Readline keeps.
  ///
  /// Of a word without quotes, Readline leaves `$` and backquotes as they are, so that a typed variable stays one; so
  /// candidates that contain one are quoted here, unless the typed word has a variable or a quote.
  private static let wholeWords = #"""

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
}
