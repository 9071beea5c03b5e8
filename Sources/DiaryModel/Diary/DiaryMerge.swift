/// What an import does with what a diary has already: days of what there is one a day of (logs, moods, an
/// activity's completions), and entries that say the same under another id.
public enum DiaryMerge: String, Sendable, CaseIterable {
  /// The library's stay.
  case skip
  /// The file's take their place, and the place of those with the same id.
  case replace
}
