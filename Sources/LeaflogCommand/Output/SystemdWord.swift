/// Words in the syntax of a systemd unit (systemd.syntax(7), systemd.service(5)).
enum SystemdWord {
  /// A word of a command line, with `%` and `$` escaped.
  static func ofCommand(_ word: String) -> String {
    quoted(word).replacing("$", with: "$$")
  }

  /// A path in a list of paths, with `%` escaped.
  static func quoted(_ word: String) -> String {
    var quoted = "\""
    for scalar in word.unicodeScalars {
      switch scalar {
      case "\"": quoted += #"\""#
      case "\\": quoted += #"\\"#
      case "%": quoted += "%%"
      case "\n": quoted += #"\n"#
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
