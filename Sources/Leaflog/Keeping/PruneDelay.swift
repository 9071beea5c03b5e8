internal import BlobStorage
internal import DiaryCatalog
internal import Foundation
internal import Journal

/// The delay of a prune in a library without commits for a month, in case the clock is ahead: then every grace period
/// seems to be over. The first run leaves a note of the time, which is not a commit, and the run that finds the note at
/// least one grace period old removes something. A clock that was ahead for a moment removes nothing.
struct PruneDelay {
  /// The contents of `prune.json`.
  private struct Note: Codable {
    /// When the first run noticed it, in milliseconds since 1970.
    let noticedAt: Int64
  }

  private let library: Library
  private let now: Timestamp

  init(_ library: Library, now: Timestamp) { (self.library, self.now) = (library, now) }

  /// The age of the newest commit from which a prune is delayed.
  private static let quietSpan = Duration.seconds(30 * 86_400)

  /// When something may be removed; nil if now.
  ///
  /// - Parameter grace: how long the note has to be there.
  func end(grace: Duration) throws -> Timestamp? {
    guard try isQuiet else { return nil }
    let start = noticedAt ?? now
    let end = start.advanced(byMilliseconds: grace.saturatedMilliseconds)
    return noticedAt == nil || end > now ? end : nil
  }

  /// Whether the newest commit was made long ago, or at an unknown time.
  private var isQuiet: Bool {
    get throws {
      guard let newest = try FrameFolder(library.layout, library.disk).last() else { return true }
      return newest.madeAt < now - Self.quietSpan
    }
  }

  /// The time in the note; nil if there is none that can be right.
  private var noticedAt: Timestamp? {
    guard let data = FileManager.default.contents(atPath: library.layout.pruneNote.string),
      let note = SealedJSON.decode(Note.self, from: data)
    else { return nil }
    let time = Timestamp(milliseconds: note.noticedAt)
    return time <= now ? time : nil
  }

  /// Leaves the note, unless it is there.
  func begin() throws {
    guard noticedAt == nil else { return }
    let note = Note(noticedAt: now.milliseconds)
    try library.disk.write(SealedJSON.encode(note), to: library.layout.pruneNote)
  }

  /// Removes the note.
  func finish() throws {
    guard FileManager.default.fileExists(atPath: library.layout.pruneNote.string) else { return }
    try library.disk.remove(library.layout.pruneNote)
  }
}
