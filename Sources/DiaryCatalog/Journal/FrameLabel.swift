package import Foundation
internal import Journal

/// The parts of a commit that are not in its changeset: the label of its frame.
package struct FrameLabel: Sendable, Hashable, Codable {
  /// The row of the change that the commit makes, undoes or redoes, as it is afterwards.
  var change: ChangeRow?
  /// Whether the changeset is a step of the change; otherwise it undoes or redoes the change.
  var isStep: Bool?
  /// Whether the history was dropped.
  var dropsHistory: Bool?
  /// The highest ids that tables have ever had, where the commit has changed them.
  var counters: [String: Int64]?
  /// The heads of other lines that this commit replaces or continues, as a merge does.
  var replaced: [HeadTable.Ancestor]?
  /// The requests that those lines have carried out.
  var requests: [RequestKey]?
  /// The request that the commit carries out.
  var request: RequestKey?
  /// The version of the schema before the commit, which brings it to that of the frame and does nothing else.
  var formerSchema: Int?

  /// The change in words, for when the frame itself is lost: what was typed, or the kind of change.
  package var words: String? { change.map { $0.origin ?? $0.kind } }
}

extension FrameLabel {
  /// - Throws: `CatalogError` with code `damaged` for a label that this version does not understand.
  init(of frame: Frame) throws {
    do { self = try JSONDecoder().decode(FrameLabel.self, from: frame.label) } catch {
      throw CatalogError(.damaged, "The label of the journal's commit \(frame.commit) is damaged.")
    }
  }

  func encoded() throws -> Data { try JSONEncoder.stable.encode(self) }

  /// The words in a frame's label; nil where there are none, or where they cannot be read.
  package static func words(in label: Data) -> String? {
    (try? JSONDecoder().decode(FrameLabel.self, from: label))?.words
  }
}

/// Keeps a whole catalog durably, for commits that no frame in the journal covers.
package protocol CatalogKeeper: Sendable {
  /// Takes a snapshot of a catalog, and stores it everywhere it has to be. Called under the library's lock.
  ///
  /// - Throws: `UnsettledFrame` when the snapshot was taken, but is not yet stored where else it has to be.
  func keep(_ catalog: Catalog) throws
}
