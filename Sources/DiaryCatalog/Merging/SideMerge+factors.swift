internal import DiaryModel
internal import Fields
internal import GRDB

/// Factors: by their ids, and those that only one copy has by their names.
///
/// A range is only ever widened and choices are only added, so that the values of both copies fit.
extension SideMerge {
  mutating func mergeFactors() throws {
    let former = try common?.factors.all().byID(\.id)
    let present = try tables.factors.all().byID(\.id)
    var known = otherFactors.filter { present[$0.id] != nil }
    while let theirs = try tables.factors.next(of: &known, { ($0.id, $0.name) }) {
      guard let own = present[theirs.id] else { continue }
      ids.factors[foldedName(theirs.name)] = try merge(
        theirs, over: own, since: former?[theirs.id], isCommonKnown: former != nil)
    }
    for theirs in otherFactors where present[theirs.id] == nil {
      if let before = former?[theirs.id] {
        try merge(deletedHere: theirs, since: before)
      } else {
        try merge(new: theirs)
      }
    }
    let names = try tables.factors.all().byID(\.id).mapValues(\.name)
    for before in former?.values.map(\.self) ?? [] {
      let theirs = otherFactors.first { $0.id == before.id }
      formerFactors[foldedName(before.name)] =
        names[before.id] ?? theirs.flatMap { ids.factors[foldedName($0.name)] } ?? before.name
    }
  }

  private func holder(_ name: String) throws -> Factor? {
    try tables.factors.row(named: name).map { try tables.factors.factor($0) }
  }

  /// A factor that this copy has deleted. It comes back if it was edited since, unless this copy has another one of the name
  /// by now, which takes its values if it is of the same kind.
  private mutating func merge(deletedHere theirs: Factor, since former: Factor) throws {
    guard let holder = try holder(theirs.name) else {
      ids.factors[foldedName(theirs.name)] = theirs.name
      guard theirs.details != former.details else { return }
      try add(theirs)
      return conflict(.deletedHere, theirs)
    }
    guard holder.details.kind == theirs.details.kind else {
      ids.factors[foldedName(theirs.name)] = try otherName(of: theirs)
      return
    }
    ids.factors[foldedName(theirs.name)] = holder.name
  }

  /// Adds a factor, unless this copy has one of the same name and kind.
  private mutating func merge(new theirs: Factor) throws {
    guard let holder = try holder(theirs.name) else { return try add(theirs) }
    if holder.details.kind == theirs.details.kind {
      ids.factors[foldedName(theirs.name)] = holder.name
      return try set(holder.details.widened(by: theirs.details), of: holder)
    }
    var renamed = theirs
    renamed.details.name = try otherName(of: theirs)
    ids.factors[foldedName(theirs.name)] = renamed.name
    try add(renamed)
    conflict(.taken, renamed)
  }

  /// A name for a factor of the other copy whose own is taken here.
  private func otherName(of theirs: Factor) throws -> String {
    try freeName(like: theirs.name.prefix(60) + " (other copy)")
  }

  /// The name, with a number if another factor has it.
  private func freeName(like name: String) throws -> String {
    var (free, number) = (name, 2)
    while try holder(free) != nil { (free, number) = ("\(name) \(number)", number + 1) }
    return free
  }

  private mutating func add(_ theirs: Factor) throws {
    try tables.factors.insert(theirs.details, id: theirs.id, now: now)
    count(.factor, .added)
  }

  private mutating func set(_ details: FactorDetails, of own: Factor) throws {
    guard details != own.details else { return }
    try tables.factors.update(details, tables.factors.row(of: own.id))
    count(.factor, .changed)
  }

  /// - Returns: the factor's name in this copy.
  private mutating func merge(
    _ theirs: Factor, over own: Factor, since former: Factor?, isCommonKnown: Bool
  ) throws -> String {
    let fields = FactorDetails.fields.all.filter {
      ["name", "unit", "isHidden"].contains($0.name)
    }.map { MergeField($0) }
    guard isCommonKnown else {
      for found in MergeField.differences(fields, of: theirs.details, over: own.details) {
        conflict(.differs, own, found)
      }
      try set(own.details.widened(by: theirs.details), of: own)
      return own.name
    }
    var merged = MergedFields(
      fields, of: theirs.details, over: own.details, since: former?.details)
    if let holder = try holder(merged.whole.name), holder.id != own.id {
      merged.conflicts.append(
        .init(field: "name", theirs: merged.whole.name, present: own.name))
      merged.whole.name = own.name
    }
    for found in merged.conflicts { conflict(.bothChanged, own, found) }
    try set(merged.whole.widened(by: theirs.details), of: own)
    return merged.whole.name
  }

  /// Makes sure that this copy has the factors of the values that the other copy has added or changed.
  ///
  /// - Parameter version: with the names of this copy.
  mutating func ensureFactors(of version: EntryVersion, since former: EntryVersion?) throws {
    guard case .dailyLog(let log) = version.content else { return }
    let before = former.flatMap { DailyLog($0.content) }
    for name in log.factors.names(changedSince: before?.factors) {
      let theirs = otherFactors.first {
        foldedName(ids.factors[foldedName($0.name)] ?? $0.name) == foldedName(name)
      }
      guard var theirs else { continue }
      if let own = try holder(name) {
        guard let value = log.factors[name], (try? own.details.checked(value)) == nil else {
          continue
        }
        try set(own.details.widened(by: theirs.details), of: own)
        continue
      }
      theirs.details.name = name
      try add(theirs)
      conflict(.stillUsed, theirs)
    }
  }

  /// Deletes the factors that were deleted there, unless they were changed or have values here since, or one that was
  /// added there under the name is the same here.
  mutating func deleteFactors() throws {
    let successors = Set(otherFactors.compactMap { ids.factors[foldedName($0.name)] })
    let present = try tables.factors.all().byID(\.id)
    for former in try common?.factors.all() ?? []
    where !otherFactors.contains(where: { $0.id == former.id }) {
      guard let own = present[former.id], !successors.contains(own.name) else { continue }
      guard own.details == former.details, own.valueCount == 0 else {
        conflict(.deletedThere, own)
        continue
      }
      _ = try tables.factors.delete(own.id)
      count(.factor, .deleted)
    }
  }

  private mutating func conflict(
    _ reason: SideConflict.Reason, _ factor: Factor,
    _ field: MergedFields<FactorDetails>.Conflict? = nil
  ) {
    outcome.conflicts.append(
      SideConflict(
        reason, .factor, id: factor.id.description, name: "factor \(factor.name)",
        field: field?.field, theirs: field?.theirs, present: field?.present))
  }
}

extension FactorDetails {
  /// The details with which a factor takes the values of another one of its kind as well.
  fileprivate func widened(by other: FactorDetails) -> FactorDetails {
    var wide = self
    let names = Set(choices.map(foldedName))
    wide.choices += other.choices.filter { !names.contains(foldedName($0)) }
    guard let lowest, let highest, let least = other.lowest, let most = other.highest else {
      return wide
    }
    let bottom = min(lowest, least)
    (wide.lowest, wide.highest) = (bottom, max(highest, most))
    guard let step, let second = other.step else {
      wide.step = nil
      return wide
    }
    let fine = min(step, second)
    let isFit = [step, second, lowest - bottom, least - bottom].allSatisfy {
      FactorDetails.isWhole($0, times: fine)
    }
    wide.step = isFit ? fine : nil
    return wide
  }
}
