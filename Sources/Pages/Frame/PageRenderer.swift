internal import Foundation
internal import Hashing
internal import Mustache

/// A page, or a part of one, that a template shows.
package protocol Screen {
  /// The template's name.
  static var template: String { get }
}

/// The templates, made ready once.
package enum PageRenderer {
  private static let templates: MustacheLibrary = {
    var templates = MustacheLibrary()
    for name in EmbeddedFiles.names where name.hasPrefix("Templates/") {
      guard case .text(let text)? = EmbeddedFiles.file(name) else { continue }
      let short = name.dropFirst("Templates/".count).dropLast(".mustache".count)
      do { try templates.register(text, named: String(short)) } catch {
        preconditionFailure("the template \(name) is wrong: \(error)")
      }
    }
    return templates
  }()

  /// The path of the assets: it changes with their bytes, so that browsers may keep them for ever.
  package static let assets: String = {
    var hash = SHA256()
    for name in Asset.names {
      Asset.named(name)?.bytes.withUnsafeBytes { hash.update($0) }
    }
    return "/assets/" + hash.finalize().prefix(6).map { String(format: "%02x", $0) }.joined()
  }()

  /// The page as HTML.
  package static func html(_ screen: some Screen, _ words: Words) -> String {
    let template = type(of: screen).template
    let root = Root(screen: screen, words: words.texts)
    guard let html = templates.render(root, withTemplate: template) else {
      preconditionFailure("there is no template \(template)")
    }
    return html
  }

  /// The screen's properties, and `words`.
  private struct Root: MustacheParent {
    private let values: [String: Any]

    init(screen: Any, words: [String: String]) {
      var values: [String: Any] = ["words": words]
      for child in Mirror(reflecting: screen).children {
        guard let label = child.label else { continue }
        let value = Mirror(reflecting: child.value)
        values[label] = value.displayStyle == .optional ? value.children.first?.value : child.value
      }
      self.values = values
    }

    func child(named name: String) -> Any? { values[name] }
  }
}
