package import SystemPackage

/// A fault and the operation at which it happens.
package struct FaultPlan: Sendable {
  package enum Action: Sendable, Hashable {
    /// This operation fails, but the next one does not.
    case fail(Errno)
    /// This operation and all later ones that need space fail, as on a full disk: all except removals.
    case failFromHere(Errno)
    /// A write accepts only half of its bytes.
    case shortWrite
    /// The process is killed instead of performing the operation, and unsynced changes are lost: to the files, the
    /// catalog, both or neither, as a power cut may or may not keep any of them.
    case stop(losing: Set<Part>)
  }

  /// A part of the library that is written by its own code.
  package enum Part: Sendable { case files, catalog }

  package var action: Action
  /// Counted from 0.
  package var position: Int

  package init(_ action: Action, at position: Int) {
    self.action = action
    self.position = position
  }

  /// The actions by their names on the command line.
  package static let named: [String: Action] = [
    "kill": .stop(losing: []), "power-cut": .stop(losing: [.files, .catalog]),
    "files-lost": .stop(losing: [.files]), "catalog-lost": .stop(losing: [.catalog]),
    "eio": .fail(.ioError), "enospc": .failFromHere(.noSpace), "short": .shortWrite,
  ]

  /// Parses a text such as `kill@12`.
  package init?(_ text: String) {
    let parts = text.split(separator: "@")
    guard parts.count == 2, let action = Self.named[String(parts[0])], let position = Int(parts[1])
    else { return nil }
    self.init(action, at: position)
  }
}
