/// Names with their values beside them. A long value takes several lines.
struct FieldList {
  let terminal: Terminal
  /// In columns.
  let nameWidth: Int
  var nameStyle: Terminal.Style?
  /// Whether a value stays on its line, however long it is, so that it can be copied.
  var isSingleLine = false

  /// None without a value.
  func lines(_ name: String, _ value: String?) -> [String] {
    guard let value else { return [] }
    let texts =
      isSingleLine
      ? [TextLayout.singleLine(value)]
      : TextLayout.wrapped(value, to: max(20, terminal.width - nameWidth))
    return texts.enumerated().map { number, text in
      let head = TextLayout.padded(number == 0 ? name : "", to: nameWidth)
      return (nameStyle.map { terminal.styled(head, $0) } ?? head) + text
    }
  }
}
