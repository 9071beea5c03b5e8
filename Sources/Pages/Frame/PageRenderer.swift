package import Foundation
internal import Hashing
package import Language
internal import Mustache

/// A page, or a part of one, that is rendered by a template.
package protocol Screen {
  /// The template's name.
  static var template: String { get }
}

/// A structure that gives templates other values than its properties, or fewer.
protocol NamedValues {
  var values: [String: Any] { get }
}

/// The templates, compiled once.
package enum PageRenderer {
  private static let templates: MustacheLibrary = {
    var templates = MustacheLibrary()
    func register(_ text: String, named name: String) {
      // Values come escaped: Mustache takes a quotation mark for none where a combining character follows.
      let text = text.replacing(/{{([\w.-]+)}}/) { "{{{\($0.1)}}}" }
      do { try templates.register(text, named: name) } catch {
        preconditionFailure("the template \(name) is wrong: \(error)")
      }
    }
    for name in EmbeddedFiles.names where name.hasPrefix("Templates/") {
      guard case .text(let text)? = EmbeddedFiles.file(name) else { continue }
      let short = String(name.dropFirst("Templates/".count).dropLast(".mustache".count))
      register(text, named: short)
    }
    // A partial takes no arguments, so that each icon has its own: `{{>icon-plus}}`.
    for icon in icons { register(HTML.icon(icon).text, named: "icon-\(icon)") }
    return templates
  }()

  /// The names of the icons.
  package static let icons: [String] = {
    guard case .text(let text)? = EmbeddedFiles.file("Assets/icons.svg") else { return [] }
    return text.matches(of: #/<symbol id="([^"]+)"/#).map { String($0.1) }
  }()

  /// The path of the assets: it changes with their bytes, so that browsers may cache them forever.
  package static let assets: String = {
    var hash = SHA256()
    for name in Asset.names {
      Asset.named(name)?.bytes.withUnsafeBytes { hash.update($0) }
    }
    return "/assets/" + hash.digest.prefix(6).map { String(format: "%02x", $0) }.joined()
  }()

  /// The page as HTML.
  package static func html(_ screen: some Screen, _ words: Words) -> String {
    if let part = screen as? any HTMLPart { return part.html.text }
    let template = type(of: screen).template
    guard var root = Node.value(of: screen) as? Node else {
      preconditionFailure("\(type(of: screen)) is no structure")
    }
    root.values["words"] = WordsHTML.of(words).escaped
    guard let html = templates.render(root, withTemplate: template) else {
      preconditionFailure("there is no template \(template)")
    }
    return html
  }

  /// A structure's properties by name, their texts as HTML. Mustache looks up each name in all surrounding structures, and
  /// would use reflection on each of them anew.
  private struct Node: MustacheParent {
    var values: [String: Any] = [:]

    func child(named name: String) -> Any? { values[name] }

    /// Nil for an optional without a value.
    static func value(of value: Any) -> Any? {
      if let text = value as? String { return text.escaped }
      if value is Bool || value is Int { return value }
      if let part = value as? any HTMLPart { return part.html.text }
      if let list = value as? [HTML] { return list.map(\.text) }
      if let named = value as? any NamedValues {
        return Node(values: named.values.compactMapValues { self.value(of: $0) })
      }
      let mirror = Mirror(reflecting: value)
      switch mirror.displayStyle {
      case .optional: return mirror.children.first.flatMap { self.value(of: $0.value) }
      case .collection: return mirror.children.compactMap { self.value(of: $0.value) }
      case .struct:
        var node = Node()
        for child in mirror.children {
          if let label = child.label { node.values[label] = self.value(of: child.value) }
        }
        return node
      default: return String(describing: value).escaped
      }
    }
  }
}

/// A stylesheet, script or picture of the pages.
package struct Asset: Sendable {
  package let bytes: Data
  package let mediaType: String

  /// An asset by its name: `style.css`.
  package static func named(_ name: String) -> Asset? {
    guard let file = EmbeddedFiles.file("Assets/" + name),
      let type = mediaTypes[String(name.split(separator: ".").last ?? "")]
    else { return nil }
    return Asset(bytes: file.bytes, mediaType: type)
  }

  package static let names = EmbeddedFiles.names.filter { $0.hasPrefix("Assets/") }
    .map { String($0.dropFirst("Assets/".count)) }

  private static let mediaTypes = [
    "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml", "png": "image/png", "json": "application/speculationrules+json",
  ]
}

extension EmbeddedFiles.File {
  fileprivate var bytes: Data {
    switch self {
    case .text(let text): Data(text.utf8)
    case .base64(let text): Data(base64Encoded: text) ?? Data()
    }
  }
}
