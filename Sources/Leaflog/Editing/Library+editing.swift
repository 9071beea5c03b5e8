internal import DiaryCatalog

extension Library {
  /// The photos of a selection, oldest first where they are not named one by one.
  public func photos(_ selection: PhotoSelection) throws(LeaflogError) -> [Entry] {
    try translating { try catalog.entries(selection) }
  }

  /// Changes a photo's notes, its time, or both. `undo(.photoEdit)` takes it back.
  ///
  /// - Parameters:
  ///   - notes: nil leaves them, an empty text removes them.
  ///   - time: nil leaves it. What is given counts as said by hand.
  ///   - allowFuture: whether a time that is still to come is meant.
  /// - Throws: `LeaflogError` with code `invalidRequest` for a time in the future.
  public func editPhoto(
    _ id: EntryID, notes: String? = nil, time: RecordedTime? = nil, allowFuture: Bool = false
  ) throws(LeaflogError) -> EditResult {
    var edit = EntryEdit(id)
    edit.notes = notes
    if let time {
      let placed = EntryTime(time, in: timeZone)
      if !allowFuture, isFuture(placed) { throw .invalid(Self.future(time)) }
      edit.time = (placed, .manual)
    }
    return try apply([edit], as: .photoEdit)
  }

  /// Puts photos under another plant. `undo(.photoMove)` takes it back.
  public func move(
    _ selection: PhotoSelection, to plant: PlantID
  ) throws(LeaflogError) -> EditResult {
    try apply(
      photos(selection).map {
        var edit = EntryEdit($0.id)
        edit.plant = plant
        return edit
      }, as: .photoMove)
  }

  /// Takes photos off the timeline. Nothing of them is lost: `restore`, `undo(.photoDelete)` and
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

  /// Takes back the last change of a kind, exactly. Each undoing goes one further back.
  ///
  /// - Returns: the entries it had touched, as they are again.
  /// - Throws: `LeaflogError` with code `notFound` when there is none, and `conflict` when some of it
  ///   was changed again since; nothing is undone then.
  public func undo(_ kind: ChangeKind) throws(LeaflogError) -> [Entry] {
    guard let entries = try translating({ try catalog.undo(kind) }) else {
      throw LeaflogError(.notFound, "There is no `\(kind.rawValue)` to undo.")
    }
    return entries
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
    "\(time.iso8601) is in the future. If it is meant, say so: --allow-future."
  }
}

extension Library {
  /// Whether a time is still to come, a minute's difference of clocks aside.
  func isFuture(_ time: EntryTime) -> Bool {
    time.instant.milliseconds > moment.milliseconds + 60_000
  }
}
