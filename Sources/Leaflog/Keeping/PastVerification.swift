internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import Journal
internal import SystemPackage

/// Checks what a lost or damaged catalog would be rebuilt from: the snapshots and the frames of a library or a backup.
struct PastVerification {
  let layout: LibraryLayout
  let store: LocalBlobStore

  /// The snapshots that are not as they were taken, or cannot be read now.
  func damagedSnapshots() throws -> [Damage] {
    try CatalogSnapshots(layout, store).all().compactMap { snapshot in
      switch try Self.proof(of: snapshot.path) {
      case .proved: nil
      case .damaged:
        Damage(
          .snapshot, "The snapshot of the catalog at \(snapshot.path) is damaged.",
          remedy: .repair)
      case .unreadable(let reason):
        Damage(
          .snapshot, "The snapshot of the catalog at \(snapshot.path) cannot be read: \(reason)")
      }
    }
  }

  /// The finding about the catalog in a file.
  enum Proof {
    /// It is what its newest commit says.
    case proved
    case damaged
    /// The disk or the system does not give it now, which says nothing about what is in it.
    case unreadable(String)
  }

  static func proof(of path: String) throws -> Proof {
    do {
      let catalog = try Catalog(path: path, access: .readOnlyOfAnyVersion)
      defer { try? catalog.close() }
      return try catalog.read { try $0.isProved } ? .proved : .damaged
    } catch let error as CatalogError where error.code == .damaged {
      return .damaged
    } catch let error as CatalogError where [.failed, .readOnly].contains(error.code) {
      return .unreadable(error.message)
    }
  }

  static func isProved(_ path: String) throws -> Bool {
    if case .proved = try proof(of: path) { true } else { false }
  }

  /// The parts of some files of frames that are not as they were written.
  func damagedFrames(in files: FrameFiles) throws -> [Damage] {
    var found: [Damage] = []
    for part in try files.parts() {
      guard let data = try part.presentData else { continue }
      Frame.read(data) { finding in
        guard case .damage(let commit, let label) = finding else { return }
        let number = commit.map { "commit \($0)" } ?? "a commit"
        let words = label.flatMap(FrameLabel.words(in:)).map { " (\($0))" } ?? ""
        found.append(
          Damage(
            .journal, "The frame of \(number)\(words) in \(part.path) is damaged.", remedy: .repair)
        )
      }
    }
    return found
  }

  /// Whether the journal is ahead of the catalog, which then is an older one, or has lost its write-ahead log.
  static func lead(of journal: FrameFolder, over catalog: Catalog) throws -> Damage? {
    // First the journal: a frame is appended after its commit.
    guard let last = try journal.last(), !last.isStart,
      try !catalog.read({ try $0.heads.contains(last.head) })
    else { return nil }
    return Damage(
      .journal,
      "The catalog has commits up to \(try catalog.generation()), but the journal has others, up to \(last.commit): "
        + "the catalog is an older one, or has lost its write-ahead log.", remedy: .repair)
  }
}

extension FrameFiles.Part {
  /// The data; nil when the part was removed after it was listed, as snapshots include its commits then.
  var presentData: Data? {
    get throws {
      do { return try data } catch {
        guard !FileManager.default.fileExists(atPath: path.string) else { throw error }
        return nil
      }
    }
  }
}
