internal import DiaryCatalog

extension Library {
  /// The photos of a selection, oldest first where they are not named one by one.
  public func photos(_ selection: PhotoSelection) throws(LeaflogError) -> [Entry] {
    try translating { try catalog.entries(selection) }
  }

  /// Changes a photo's notes, its tags, its time, or all of them. `undo` takes it back.
  ///
  /// - Parameters:
  ///   - notes: nil leaves them, an empty text removes them.
  ///   - tags: nil leaves them.
  ///   - time: nil leaves it. What is given counts as said by hand.
  ///   - allowFuture: whether a time that is still to come is meant.
  /// - Throws: `LeaflogError` with code `invalidRequest` for a time in the future.
  public func editPhoto(
    _ id: EntryID, notes: String? = nil, tags: [String]? = nil, time: RecordedTime? = nil,
    allowFuture: Bool = false
  ) throws(LeaflogError) -> EditResult {
    try edit(.photos([id]), notes: notes, tags: tags, allowFuture: allowFuture) { _ in time }
  }

  /// Changes photos in one change, as `editPhoto` does one.
  ///
  /// - Parameter time: gets each photo; nil leaves its time.
  public func edit(
    _ selection: PhotoSelection, notes: String? = nil, tags: [String]? = nil,
    allowFuture: Bool = false, time: (Entry) throws -> RecordedTime? = { _ in nil }
  ) throws(LeaflogError) -> EditResult {
    var edits: [EntryEdit] = []
    for photo in try photos(selection) {
      var edit = EntryEdit(photo.id)
      edit.notes = notes
      edit.replaceTags(tags)
      if let time = try translating({ try time(photo) }) {
        let placed = EntryTime(time, in: timeZone)
        if !allowFuture, isFuture(placed) { throw .invalid(Self.future(time)) }
        edit.time = (placed, .manual)
      }
      edits.append(edit)
    }
    return try apply(edits, as: .photoEdit)
  }

  /// Marks photos as favourites, or takes the mark off. `undo` takes it back.
  @discardableResult
  public func setFavourite(
    _ isFavourite: Bool, _ selection: PhotoSelection
  ) throws(LeaflogError) -> EditResult {
    try apply(
      photos(selection).map {
        var edit = EntryEdit($0.id)
        edit.isFavourite = isFavourite
        return edit
      }, as: isFavourite ? .photoFavourite : .photoUnfavourite)
  }

  /// Puts photos under another plant, or under none. `undo` takes it back.
  public func move(
    _ selection: PhotoSelection, to plant: PlantID?
  ) throws(LeaflogError) -> EditResult {
    try apply(
      photos(selection).map {
        var edit = EntryEdit($0.id)
        edit.plant = .some(plant)
        return edit
      }, as: .photoMove)
  }

  /// Takes photos off the timeline. Nothing of them is lost: `restore`, `undo` and
  /// importing their files again bring them back.
  @discardableResult
  public func delete(_ selection: PhotoSelection) throws(LeaflogError) -> EditResult {
    try setDeleted(selection, true, as: .photoDelete)
  }

  /// Takes photos out of the trash. A plant that was deleted comes back with them, or else the one
  /// that has its name by now gets them.
  @discardableResult
  public func restore(_ selection: PhotoSelection) throws(LeaflogError) -> EditResult {
    try setDeleted(selection, false, as: .photoRestore)
  }

  private func setDeleted(
    _ selection: PhotoSelection, _ isDeleted: Bool, as kind: ChangeKind
  ) throws(LeaflogError) -> EditResult {
    try apply(
      photos(selection).map {
        var edit = EntryEdit($0.id)
        edit.isDeleted = isDeleted
        return edit
      }, as: kind)
  }

  func apply(
    _ edits: [EntryEdit], as kind: ChangeKind, failures: [EditResult.Failure] = [],
    allowOverlap: Bool = false
  ) throws(LeaflogError) -> EditResult {
    let restored = edits.filter { $0.isDeleted == false }.map(\.id)
    let changed = try translating {
      try catalog.apply(edits, as: kind, now: moment) { reader in
        guard !allowOverlap, !restored.isEmpty else { return }
        try Self.overlap(ofRestored: restored, reader).refuse()
      }
    }
    return EditResult(
      changed: changed, unchangedCount: edits.count - changed.count, failures: failures)
  }

  static func future(_ time: RecordedTime) -> String {
    "\(time.iso8601) is in the future. --allow-future accepts it."
  }
}

extension Library {
  /// Whether a time is still to come, a minute's difference of clocks aside.
  func isFuture(_ time: EntryTime) -> Bool {
    time.instant.milliseconds > moment.milliseconds + 60_000
  }
}
