internal import DiaryModel
internal import Fields
internal import GRDB

/// The columns of a thing: one for each field that is neither a list nor an object, nor has values for free names.
extension Fields {
  /// The values by the names of their columns.
  func columns(of thing: Thing) -> [(name: String, value: DatabaseValue)] {
    all.compactMap { field in
      switch field.rule {
      case .list, .members, .object: nil
      default: (field.name, field.get(thing).databaseValue)
      }
    }
  }

  /// The thing in a row; lists and objects, which have no column, stay as they are in `blank`.
  ///
  /// A column that is missing is NULL: a later version of the schema adds it, and a catalog that is read as it was left
  /// may still be at an earlier one.
  ///
  /// - Throws: `CatalogError` with code `damaged` for a value that the field does not have.
  func thing(in row: Row, from blank: Thing) throws -> Thing {
    var thing = blank
    for field in all {
      switch field.rule {
      case .list, .members, .object: continue
      default: break
      }
      let value = row[field.name] as DatabaseValue? ?? .null
      guard let scalar = Scalar(value, field.rule), field.restore(scalar, in: &thing) else {
        throw CatalogError(
          .damaged, "The catalog has “\(value.description)” where that makes no sense.")
      }
    }
    return thing
  }
}

extension Scalar {
  /// The value in a column; nil for a blob.
  init?(_ value: DatabaseValue, _ rule: Rule) {
    switch (value.storage, rule) {
    case (.null, _): self = .null
    case (.int64(let number), .flag): self = .flag(number != 0)
    case (.int64(let number), _): self = .whole(Int(number))
    case (.double(let number), _): self = .number(number)
    case (.string(let text), _): self = .text(text)
    case (.blob, _): return nil
    }
  }

  fileprivate var databaseValue: DatabaseValue {
    switch self {
    case .null, .list, .members: .null
    case .flag(let flag): flag.databaseValue
    case .whole(let number): number.databaseValue
    case .number(let number): number.databaseValue
    case .text(let text): text.databaseValue
    }
  }
}
