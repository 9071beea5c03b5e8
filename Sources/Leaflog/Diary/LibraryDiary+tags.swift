internal import DiaryCatalog

extension LibraryDiary {
  /// The tags of the entries on the timeline, the most frequent first. Tags that differ in case only
  /// are the same.
  public func tags() throws(LeaflogError) -> [Tag] { try read { try $0.tags.all() } }

  /// Adds tags to entries of any kind. It can be undone.
  ///
  /// - Throws: `LeaflogError` with code `invalidRequest` for a tag of several lines.
  public func addTags(_ tags: [String], to ids: [EntryID]) throws(LeaflogError) -> EditResult {
    try apply(ids.map { EntryEdit($0) { $0 + tags } }, as: .tagAdd)
  }

  /// Removes tags from entries, regardless of case. It can be undone.
  public func removeTags(_ tags: [String], from ids: [EntryID]) throws(LeaflogError) -> EditResult {
    let removed = Set(tags.map { foldedName($0.tidied ?? "") })
    return try apply(
      ids.map { EntryEdit($0) { $0.filter { !removed.contains(foldedName($0)) } } }, as: .tagRemove)
  }

  /// Renames a tag everywhere, including the trash; an entry that has both tags keeps one. It can be
  /// undone.
  ///
  /// - Returns: how many entries have been changed.
  /// - Throws: `LeaflogError` with code `notFound` when no entry has the tag.
  @discardableResult
  public func renameTag(_ tag: String, to name: String) throws(LeaflogError) -> Int {
    guard let name = name.tidied else { throw .invalid("A tag is a text that is not empty.") }
    let former = tag.tidied ?? ""
    let count = try change(.tagRename) { try $0.tags.rename(former, to: name, now: $1) }
    guard let count else {
      throw LeaflogError(.notFound, "No entry has the tag “\(shortened(former))”.")
    }
    return count
  }
}

extension EntryEdit {
  fileprivate init(_ id: EntryID, tags: @escaping ([String]) -> [String]) {
    self.init(id)
    self.tags = tags
  }

  /// Replaces the tags of the entry; nil leaves them.
  mutating func replaceTags(_ tags: [String]?) { self.tags = tags.map { tags in { _ in tags } } }
}
