internal import DiaryCatalog

/// Photos: editing, moving, dating, and their pictures.
public struct LibraryPhotos: LibrarySection {
  let library: Library
}

extension LibraryPhotos {
  /// The photo with this id, even from the trash.
  ///
  /// - Throws: `LeaflogError` with code `notFound` when there is none.
  public func find(_ id: EntryID) throws(LeaflogError) -> Photo {
    try find(matching: id.description)
  }

  /// The photo with this id or an unambiguous prefix of it, even from the trash.
  ///
  /// - Throws: `LeaflogError` with code `notFound` when there is none, and `ambiguous` for a prefix of several ids.
  public func find(matching idOrPrefix: String) throws(LeaflogError) -> Photo {
    try read { try $0.photos.find(idOrPrefix) }
  }

  /// The photo's entry, found in the same way.
  ///
  /// - Throws: `LeaflogError` with code `notFound` when there is none.
  public func entry(_ id: EntryID) throws(LeaflogError) -> Entry {
    try entry(matching: id.description)
  }

  /// The photo's entry, found in the same way.
  ///
  /// - Throws: `LeaflogError` with code `notFound` when there is none, and `ambiguous` for a prefix of several ids.
  public func entry(matching idOrPrefix: String) throws(LeaflogError) -> Entry {
    try read { try $0.entries.find(idOrPrefix, of: .photo) }
  }

  /// The absolute path of a rendition's file, or its address in an object store.
  public func path(of rendition: Rendition) -> String { blobs.place(of: rendition.blob) }

  /// The photos of a selection, oldest first unless they are listed one by one.
  ///
  /// - Throws: `LeaflogError` with code `notFound` when a photo that is named does not exist.
  public func entries(_ selection: PhotoSelection) throws(LeaflogError) -> [Entry] {
    try read { try $0.entries.all(selection) }
  }

  /// Edits a photo's notes, tags and time. It can be undone.
  ///
  /// - Parameters:
  ///   - notes: nil leaves them, an empty text removes them.
  ///   - tags: nil leaves them.
  ///   - time: nil leaves it. A given time counts as set by hand.
  ///   - confirmed: the reasons for doubt that are confirmed.
  /// - Throws: `LeaflogError` with code `unconfirmed` for a time in the future.
  public func edit(
    _ id: EntryID, notes: String? = nil, tags: [String]? = nil, time: RecordedTime? = nil,
    confirmed: Set<Doubt.Confirmation> = []
  ) throws(LeaflogError) -> EditResult {
    try edit(.photos([id]), notes: notes, tags: tags, confirmed: confirmed) { _ in time }
  }

  /// Edits photos in one change. It can be undone.
  ///
  /// - Parameters:
  ///   - notes: nil leaves them, an empty text removes them.
  ///   - tags: nil leaves them.
  ///   - plant: the plant that the photos get.
  ///   - isFavourite: nil leaves it.
  ///   - confirmed: the reasons for doubt that are confirmed.
  ///   - time: returns the new time of a photo; nil leaves it.
  /// - Throws: `LeaflogError` with code `unconfirmed` for a time in the future, `invalidRequest` for an invalid time or
  ///   tag, and `notFound` when the plant, or a photo that is named, does not exist.
  public func edit(
    _ selection: PhotoSelection, notes: String? = nil, tags: [String]? = nil,
    plant: PlantEdit = .keep, isFavourite: Bool? = nil, confirmed: Set<Doubt.Confirmation> = [],
    time: (Entry) throws -> RecordedTime? = { _ in nil }
  ) throws(LeaflogError) -> EditResult {
    var edits: [EntryEdit] = []
    let present = try translating { try library.present }
    try forEach(selection) { photo in
      var edit = EntryEdit(photo.id)
      edit.notes = notes
      edit.replaceTags(tags)
      edit.plant = plant.change
      edit.isFavourite = isFavourite
      let isDecided = try isOffsetDecided(of: photo)
      if let time = try time(isDecided ? photo.withoutOffset : photo) {
        if photo.time.basis != .wall { try library.checkZone(of: time) }
        let (placed, isRepeated) = placed(time, after: photo, isDecided: isDecided)
        try confirmed.check(present.isFuture(placed) ? [.future(time)] : [])
        (edit.time, edit.isHourRepeated) = ((placed, .manual), isRepeated)
      }
      edits.append(edit)
    }
    return try apply(edits, as: .photoEdit)
  }

  /// Reads the photos of a selection in its order: only their ids are all in memory. Those that are pruned meanwhile are left
  /// out.
  func forEach(
    _ selection: PhotoSelection, _ body: (Entry) throws -> Void
  ) throws(LeaflogError) { try forEach(ids(selection), body) }

  /// Reads photos in the order of their ids in the list, in batches.
  func forEach(_ ids: [EntryID], _ body: (Entry) throws -> Void) throws(LeaflogError) {
    let batchCount = 500
    for start in stride(from: 0, to: ids.count, by: batchCount) {
      let batch = ids[start..<min(start + batchCount, ids.count)]
      let entries = try read { try $0.entries.all(Array(batch)) }
      try translating { try entries.forEach(body) }
    }
  }

  /// The ids of a selection's photos, in its order.
  func ids(_ selection: PhotoSelection) throws(LeaflogError) -> [EntryID] {
    try read { try $0.entries.ids(selection) }
  }

  /// Makes the same edit of each photo of a selection, when it is its turn: only their ids are in memory.
  private func edit(
    _ selection: PhotoSelection, as kind: ChangeKind, _ change: @escaping (inout EntryEdit) -> Void
  ) throws(LeaflogError) -> EditResult {
    let edits = try ids(selection).lazy.map { id in
      var edit = EntryEdit(id)
      change(&edit)
      return edit
    }
    return try apply(edits, as: kind)
  }

  /// Marks photos as favourites, or removes the mark. It can be undone.
  ///
  /// - Throws: `LeaflogError` with code `notFound` when a photo that is named does not exist.
  @discardableResult
  public func setFavourite(
    _ isFavourite: Bool, for selection: PhotoSelection
  ) throws(LeaflogError) -> EditResult {
    try edit(selection, as: isFavourite ? .photoFavourite : .photoUnfavourite) {
      $0.isFavourite = isFavourite
    }
  }

  /// Moves photos to another plant, or to none. It can be undone.
  ///
  /// - Throws: `LeaflogError` with code `notFound` when the plant, or a photo that is named, does not exist.
  public func move(
    _ selection: PhotoSelection, to plant: PlantID?
  ) throws(LeaflogError) -> EditResult {
    try edit(selection, as: .photoMove) { $0.plant = .some(plant) }
  }

  /// Puts photos into the trash. Restoring, undoing or importing their files again brings them back.
  ///
  /// - Throws: `LeaflogError` with code `notFound` when a photo that is named does not exist.
  @discardableResult
  public func delete(_ selection: PhotoSelection) throws(LeaflogError) -> EditResult {
    try setDeleted(selection, true, as: .photoDelete)
  }

  /// Puts the photos that came by a token, such as that of a stolen camera, into the trash. It may be revoked by now.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be written.
  @discardableResult
  public func deleteSent(by token: TokenID) throws(LeaflogError) -> EditResult {
    try deleteSent { try $0.photos(ofToken: token.description) }
  }

  /// The same for tokens that were revoked.
  ///
  /// - Parameter nameOrID: their name, regardless of case, or the id of one of them.
  /// - Throws: `LeaflogError` when the catalog cannot be written.
  @discardableResult
  public func deleteSentByFormerToken(matching nameOrID: String) throws(LeaflogError) -> EditResult
  {
    try deleteSent { try $0.photos(ofFormerToken: nameOrID) }
  }

  private func deleteSent(
    _ find: (SentPhotoTable) throws -> [EntryID]
  ) throws(LeaflogError) -> EditResult {
    let ids = try read { try find($0.sentPhotos) }
    guard !ids.isEmpty else { return EditResult(changed: []) }
    let changed = try change(.photoDelete) { tables, now in
      try tables.entries.apply(ids.map { EntryEdit($0, isDeleted: true) }, now: now)
    }
    return EditResult(changed: changed, unchangedCount: ids.count - changed.count)
  }

  /// Whether photos on the timeline came by a token.
  ///
  /// - Throws: `LeaflogError` when the catalog cannot be read.
  public func hasSent(by token: TokenID) throws(LeaflogError) -> Bool {
    try read { try $0.sentPhotos.hasPhotos(ofToken: token.description) }
  }

  /// Takes photos out of the trash. A deleted plant is restored with them; if another plant has its
  /// name by now, that one gets them.
  ///
  /// - Throws: `LeaflogError` with code `notFound` when a photo that is named does not exist.
  @discardableResult
  public func restore(_ selection: PhotoSelection) throws(LeaflogError) -> EditResult {
    try setDeleted(selection, false, as: .photoRestore)
  }

  private func setDeleted(
    _ selection: PhotoSelection, _ isDeleted: Bool, as kind: ChangeKind
  ) throws(LeaflogError) -> EditResult {
    try edit(selection, as: kind) { $0.isDeleted = isDeleted }
  }
}
