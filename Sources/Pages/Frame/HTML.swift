/// HTML that is made without a template, as pages have many parts like it. Literals are HTML, and what is interpolated is
/// escaped:
///
///     HTML(#"<a href="\#(href)">\#(title)</a>"#)
struct HTML: ExpressibleByStringInterpolation, Sendable {
  private(set) var text: String

  init(stringLiteral text: String) { self.text = text }

  init(stringInterpolation parts: Parts) { text = parts.text }

  struct Parts: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + interpolationCount * 32)
    }

    mutating func appendLiteral(_ literal: String) { text += literal }

    mutating func appendInterpolation(_ value: String) { text.append(escaped: value) }

    mutating func appendInterpolation(_ number: Int) { text += String(number) }

    /// Nil is nothing.
    mutating func appendInterpolation(_ html: HTML?) {
      if let html { text += html.text }
    }

    mutating func appendInterpolation(_ list: [HTML]) {
      for html in list { text += html.text }
    }

    /// Parts of a page, each on a line of its own.
    mutating func appendInterpolation(lines parts: [some HTMLPart]) {
      for part in parts {
        text += part.html.text
        text += "\n"
      }
    }

    /// HTML where something is so, and nothing otherwise.
    mutating func appendInterpolation(_ html: @autoclosure () -> HTML, if condition: Bool) {
      if condition { text += html().text }
    }

    /// An attribute, after a blank; nothing for nil.
    mutating func appendInterpolation(attribute name: StaticString, _ value: String?) {
      guard let value else { return }
      text += " \(name)=\""
      text.append(escaped: value)
      text += "\""
    }
  }
}

/// A part of a page that is made without a template. A template inserts it by its name.
protocol HTMLPart {
  var html: HTML { get }
}

extension HTML: HTMLPart {
  var html: HTML { self }

  /// A small picture of the pages.
  static func icon(_ name: String) -> HTML {
    #"<svg class="icon" aria-hidden="true"><use href="\#(PageRenderer.assets)/icons.svg#\#(name)"/></svg>"#
  }
}

extension String {
  /// Appends text as HTML has it in elements and in attributes with quotation marks (HTML Standard, 13.3), byte by byte: a
  /// quotation mark is one even where a combining character follows.
  mutating func append(escaped value: String) {
    var rest = value[...]
    while let index = rest.utf8.firstIndex(where: { Self.escapes($0) != nil }) {
      self += rest[..<index]
      self += Self.escapes(rest.utf8[index]) ?? ""
      rest = rest[rest.utf8.index(after: index)...]
    }
    self += rest
  }

  /// The text as HTML has it.
  var escaped: String {
    var text = ""
    text.append(escaped: self)
    return text
  }

  private static func escapes(_ byte: UInt8) -> String? {
    switch byte {
    case UInt8(ascii: "&"): "&amp;"
    case UInt8(ascii: "<"): "&lt;"
    case UInt8(ascii: ">"): "&gt;"
    case UInt8(ascii: "\""): "&quot;"
    case UInt8(ascii: "'"): "&#39;"
    default: nil
    }
  }
}
