internal import DiaryCatalog

extension Library {
  /// The tags of the entries on the timeline, the most frequent first. Case does not tell tags apart.
  public func tags() throws(LeaflogError) -> [Tag] { try translating { try catalog.tags() } }

  /// Gives entries of any kind tags besides those they have. `undo` takes it back.
  ///
  /// - Throws: `LeaflogError` with code `invalidRequest` for a tag of several lines.
  public func addTags(_ tags: [String], to ids: [EntryID]) throws(LeaflogError) -> EditResult {
    try apply(ids.map { EntryEdit($0) { $0 + tags } }, as: .tagAdd)
  }

  /// Takes tags off entries, whatever their case. `undo` takes it back.
  public func removeTags(_ tags: [String], from ids: [EntryID]) throws(LeaflogError) -> EditResult {
    let removed = Set(tags.map { foldedName($0.tidied ?? "") })
    return try apply(
      ids.map { EntryEdit($0) { $0.filter { !removed.contains(foldedName($0)) } } }, as: .tagRemove)
  }

  /// Writes a tag otherwise wherever it is, in the trash too; where an entry has both, one is left.
  /// `undo` takes it back.
  ///
  /// - Returns: how many entries have been changed.
  /// - Throws: `LeaflogError` with code `notFound` when no entry has the tag.
  @discardableResult
  public func renameTag(_ tag: String, to name: String) throws(LeaflogError) -> Int {
    guard let name = name.tidied else { throw .invalid("A tag is a text that is not empty.") }
    let former = tag.tidied ?? ""
    guard
      let count = try translating({ try catalog.renameTag(former, to: name, now: moment) })
    else { throw LeaflogError(.notFound, "No entry has the tag “\(shortened(former))”.") }
    return count
  }
}

extension EntryEdit {
  fileprivate init(_ id: EntryID, tags: @escaping ([String]) -> [String]) {
    self.init(id)
    self.tags = tags
  }

  /// The tags in the place of those there are; nil leaves them.
  mutating func replaceTags(_ tags: [String]?) { self.tags = tags.map { tags in { _ in tags } } }
}
