internal import DiaryModel
internal import GRDB

extension RawRepresentable where RawValue == String {
  /// The value whose name is in a column.
  ///
  /// - Throws: `CatalogError` with code `damaged` for a name that this version does not know.
  init(stored text: String) throws {
    guard let value = Self(rawValue: text) else {
      throw CatalogError(.damaged, "The catalog has “\(text)” where that makes no sense.")
    }
    self = value
  }
}

extension LocalDay {
  /// The day in a column, as `2026-11-21`.
  ///
  /// - Throws: `CatalogError` with code `damaged` for anything else.
  init(stored text: String) throws {
    guard let day = LocalDay(text) else {
      throw CatalogError(.damaged, "The catalog has “\(text)” where a day has to be.")
    }
    self = day
  }
}

extension Timestamp {
  /// The moment in a column, in milliseconds since 1970.
  init?(stored milliseconds: Int64?) {
    guard let milliseconds else { return nil }
    self.init(milliseconds: milliseconds)
  }
}
