package import DiaryModel
package import Journal

/// The state of a backup's catalog when it was made.
package struct BackupState: Sendable, Hashable {
  /// The last change, by its id, and the last undo, by its commit; 0 if there is none.
  struct Work: Hashable {
    let change: Int64
    let undo: Int64
  }

  let work: Work
  /// How many commits the library's catalog had seen.
  package let generation: Int
  /// The time of the backup; all commits in it were made by then.
  package let madeAt: Timestamp
  /// The head of the library's newest commit.
  package let head: Head

  init(work: Work, generation: Int, madeAt: Timestamp, head: Head) {
    (self.work, self.generation, self.madeAt, self.head) = (work, generation, madeAt, head)
  }

  init?(_ text: String) {
    let parts = text.split(separator: " ")
    guard parts.count == 5, let change = Int64(parts[0]), let undo = Int64(parts[1]),
      let generation = Int(parts[2]), let made = Int64(parts[3]), let head = Head(hex: parts[4])
    else { return nil }
    self.init(
      work: Work(change: change, undo: undo), generation: generation,
      madeAt: Timestamp(milliseconds: made), head: head)
  }

  var text: String {
    "\(work.change) \(work.undo) \(generation) \(madeAt.milliseconds) \(head.hex)"
  }
}
