package import SystemPackage

/// A fault and the operation at which it happens.
package struct FaultPlan: Sendable {
  package enum Action: Sendable, Hashable {
    /// This operation fails, and the next one does not.
    case fail(Errno)
    /// This one and all after it fail that need room, as on a full disk: all but removals.
    case failFromHere(Errno)
    /// A write that takes half of its bytes.
    case shortWrite
    /// The process is killed instead of doing it, and unsynced changes are lost: of the files, of the
    /// catalog, of both or neither, as after a power cut any of them may be there or not.
    case stop(losing: Set<Part>)
  }

  /// A part of the library that is written by code of its own.
  package enum Part: Sendable { case files, catalog }

  package var action: Action
  /// Counted from 0.
  package var position: Int

  package init(_ action: Action, at position: Int) {
    self.action = action
    self.position = position
  }

  /// The actions by the names that they have on a command line.
  package static let named: [String: Action] = [
    "kill": .stop(losing: []), "power-cut": .stop(losing: [.files, .catalog]),
    "files-lost": .stop(losing: [.files]), "catalog-lost": .stop(losing: [.catalog]),
    "eio": .fail(.ioError), "enospc": .failFromHere(.noSpace), "short": .shortWrite,
  ]

  /// From `kill@12`.
  package init?(_ text: String) {
    let parts = text.split(separator: "@")
    guard parts.count == 2, let action = Self.named[String(parts[0])], let position = Int(parts[1])
    else { return nil }
    self.init(action, at: position)
  }
}
