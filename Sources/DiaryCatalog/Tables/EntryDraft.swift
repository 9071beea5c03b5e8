package import DiaryModel

/// An entry to add, of any kind except photo.
package struct EntryDraft: Sendable {
  package let id: EntryID
  package var time: EntryTime
  package var notes: String?
  package var tags: [String]
  package var plant: PlantID?
  package var content: EntryContent
  /// When it was deleted, for one from an export's trash.
  package var deletedAt: Timestamp?

  package init(
    id: EntryID = .random(), time: EntryTime, notes: String? = nil, tags: [String] = [],
    plant: PlantID? = nil, content: EntryContent, deletedAt: Timestamp? = nil
  ) {
    self.id = id
    self.time = time
    self.notes = notes
    self.tags = tags
    self.plant = plant
    self.content = content
    self.deletedAt = deletedAt
  }
}
