package import DiaryModel
package import Journal

/// The state of a backup's catalog when it was made. `verify` counts as a commit but not as a change.
package struct BackupState: Sendable, Hashable {
  /// Milliseconds since 1970.
  package let latestChange: Int64
  /// How many commits the library's catalog had seen.
  package let generation: Int
  /// The time of the backup; all commits in it were made by then.
  package let madeAt: Timestamp
  /// The head of the library's newest commit.
  package let head: Head

  init(latestChange: Int64, generation: Int, madeAt: Timestamp, head: Head) {
    (self.latestChange, self.generation, self.madeAt) = (latestChange, generation, madeAt)
    self.head = head
  }

  init?(_ text: String) {
    let parts = text.split(separator: " ")
    guard parts.count == 4, let latest = Int64(parts[0]), let generation = Int(parts[1]),
      let made = Int64(parts[2]), let head = Head(hex: parts[3])
    else { return nil }
    self.init(
      latestChange: latest, generation: generation, madeAt: Timestamp(milliseconds: made),
      head: head)
  }

  var text: String { "\(latestChange) \(generation) \(madeAt.milliseconds) \(head.hex)" }
}
