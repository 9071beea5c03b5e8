internal import DiaryCatalog

/// The last time that data was forgotten for good: no copy from before is kept.
struct ForgettingMark {
  let commit: Int
  let madeAt: Timestamp

  init(commit: Int, madeAt: Timestamp) { (self.commit, self.madeAt) = (commit, madeAt) }

  /// The mark in a catalog; nil when nothing has been forgotten yet.
  init?(of catalog: Catalog) throws {
    guard
      let parts = try catalog.read({ try $0.settings[.forgottenUpTo] })?
        .split(separator: " "), parts.count == 2,
      let commit = Int(parts[0]), let time = Int64(parts[1])
    else { return nil }
    self.init(commit: commit, madeAt: Timestamp(milliseconds: time))
  }

  /// Sets the mark after all commits that the catalog has seen.
  static func set(in catalog: Catalog) throws {
    let mark = try "\(catalog.generation()) \(catalog.clock().milliseconds)"
    try catalog.write { try $0.settings.set(.forgottenUpTo, mark) }
  }
}
