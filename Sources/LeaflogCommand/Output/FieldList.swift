/// Names with their values beside them. Long values take several lines.
struct FieldList {
  let terminal: Terminal
  /// The width of the names, in columns.
  let nameWidth: Int
  var nameStyle: Terminal.Style?
  /// Whether a value stays on one line, however long, so that it can be copied.
  var isSingleLine = false

  /// The lines of a field; none without a value.
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
