/// How an import treats conflicts with the existing diary: once-a-day entries (logs, moods, an
/// activity's completions) of the same day, and equal entries under another id.
public enum DiaryMerge: String, Sendable, CaseIterable {
  /// Keeps the library's entries.
  case skip
  /// Replaces them by the file's entries, and also entries with the same id.
  case replace
}
