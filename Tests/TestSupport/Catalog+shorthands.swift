package import DiaryCatalog
package import DiaryModel

/// Single reads and changes, so that a test can express a step in one line.
extension Catalog {
  package func plants(deleted: Bool = false) throws -> [Plant] {
    try read { try $0.plants.all(deleted: deleted) }
  }

  package func plant(_ nameOrID: String, among scope: PlantScope = .undeleted) throws -> Plant {
    try read { try $0.plants.named(nameOrID, among: scope) }
  }

  package func plants(matching text: SearchText) throws -> [Plant] {
    try read { try $0.plants.matching(text) }
  }

  package func addPlant(_ details: PlantDetails, now: Timestamp) throws -> Plant {
    try change(.plantAdd, now: now) { try $0.plants.add(details, now: $1) }
  }

  package func editPlant(
    _ id: PlantID, now: Timestamp, _ body: (inout PlantDetails) throws -> Void
  ) throws -> Plant {
    try change(.plantEdit, now: now) { tables, _ in try tables.plants.edit(id, body) }
  }

  package func merge(_ source: PlantID, into target: PlantID, now: Timestamp) throws -> Int {
    try change(.plantEdit, now: now) { try $0.plants.merge(source, into: target, now: $1) }
  }

  package func deletePlant(_ id: PlantID, now: Timestamp) throws -> Int {
    try change(.plantDelete, now: now) { try $0.plants.delete(id, now: $1) }
  }

  package func activities() throws -> [Activity] { try read { try $0.activities.all() } }

  package func activity(_ nameOrID: String) throws -> Activity {
    try read { try $0.activities.named(nameOrID) }
  }

  package func addActivity(
    _ details: ActivityDetails, plant: PlantID?, now: Timestamp
  ) throws -> Activity {
    try change(.activityAdd, now: now) { try $0.activities.add(details, plant: plant, now: $1) }
  }

  package func editActivity(
    _ id: ActivityID, plant: PlantID?? = nil, now: Timestamp,
    _ body: (inout ActivityDetails) throws -> Void
  ) throws -> Activity {
    try change(.activityEdit, now: now) { tables, _ in
      try tables.activities.edit(id, plant: plant, body)
    }
  }

  package func deleteActivity(_ id: ActivityID, now: Timestamp) throws -> Int {
    try change(.activityDelete, now: now) { try $0.activities.delete(id, now: $1) }
  }

  package func reorderActivities(
    now: Timestamp, _ body: (inout [ActivityID]) throws -> Void
  ) throws -> [Activity] {
    try change(.activityReorder, now: now) { tables, _ in try tables.activities.reorder(body) }
  }

  package func complete(
    _ id: ActivityID, at times: [EntryTime], source: String, notes: String?,
    isRepetitionConflict: Bool, now: Timestamp
  ) throws -> [Entry] {
    try change(.activityDone, now: now) {
      try $0.completions.add(
        of: id, at: times, source: source, notes: notes,
        isRepetitionConflict: isRepetitionConflict, now: $1)
    }
  }

  package func add(
    _ drafts: [EntryDraft], as kind: ChangeKind, now: Timestamp
  ) throws -> [Entry] {
    try change(kind, now: now) { try $0.entries.add(drafts, now: $1) }
  }

  package func apply(
    _ edits: [EntryEdit], as kind: ChangeKind, now: Timestamp
  ) throws -> [Entry] {
    try change(kind, now: now) { try $0.entries.apply(edits, now: $1) }
  }

  package func entry(_ idOrPrefix: String, of kind: EntryKind?) throws -> Entry {
    try read { try $0.entries.find(idOrPrefix, of: kind) }
  }

  package func photo(_ idOrPrefix: String) throws -> Photo {
    try read { try $0.photos.find(idOrPrefix) }
  }

  package func record(
    _ records: [ImportRecord], as change: OpenChange = OpenChange(.importPhotos), now: Timestamp,
    confirm: (Rendition) throws -> Void = { _ in }
  ) throws -> [RecordOutcome] {
    try self.change(change, now: now) { tables, _ in
      try tables.photos.record(records, now: now, confirm: confirm)
    }
  }

  package func page(
    _ query: TimelineQuery, at position: TimelinePosition, limit: Int
  ) throws -> Page<Entry> {
    try read { try $0.timeline.page(query, at: position, limit: limit) }
  }

  package func search(
    _ text: SearchText, _ query: TimelineQuery = TimelineQuery(), at position: TimelinePosition,
    limit: Int
  ) throws -> Page<Entry> {
    try read { try $0.timeline.search(text, query, at: position, limit: limit) }
  }

  package func buckets(_ query: TimelineQuery, by unit: BucketUnit) throws -> [Bucket] {
    try read { try $0.timeline.buckets(query, by: unit) }
  }

  package func tags() throws -> [Tag] { try read { try $0.tags.all() } }

  package func history(before: Int64? = nil, limit: Int) throws -> History {
    try read { try $0.history.page(before: before, limit: limit) }
  }
}
