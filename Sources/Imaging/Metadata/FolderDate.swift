package import DiaryModel

/// The date that folders have as their names, as cameras and programs make them: `2026-11-25`, `20261125`, `2026/11/25`,
/// `2026-11/25`, and hours in them, `2026-11-25/10`; or before the name of the innermost, `2026-11-25 Balcony`.
package struct FolderDate: Sendable, Equatable {
  /// The day; nil if the names say no more than a month or a year.
  package let day: LocalDay?
  /// The number of folders whose names are parts of it, from the innermost on.
  package let depth: Int
  /// The rest of the innermost folder's name after the date; nil if the name is only a date.
  package let name: String?

  /// Nil when the innermost folder's name is no part of a date.
  ///
  /// - Parameter folders: the names, the outermost first.
  package init?(folders: some Collection<String>) {
    let folders = Array(folders)
    let date: Date
    if let (found, depth) = Self.date(folders[...]) {
      (date, self.depth, name) = (found, depth, nil)
    } else if let last = folders.last, let (found, rest) = Self.dated(last) {
      (date, depth, name) = (found, 1, rest)
    } else {
      return nil
    }
    if case .day(let day) = date { self.day = day } else { day = nil }
  }

  /// The day or month before a name, and the name.
  private static func dated(_ folder: String) -> (date: Date, name: String)? {
    // The longest date is the whole one: `2026_11_25` rather than `2026_11`.
    let ends = folder.indices.prefix(11).filter { folder[$0] == " " || folder[$0] == "_" }
    for end in ends.reversed() {
      guard let (date, _) = date([String(folder[..<end])]) else { continue }
      // A year before a name is no date: of a rose from 1984, for example.
      if case .year = date { return nil }
      let name = folder[end...].drop { " _-–,".contains($0) }
      // Numbers after it are a time or another date.
      return name.contains(where: \.isLetter) ? (date, String(name)) : nil
    }
    return nil
  }

  private enum Date {
    case year(Int)
    case month(Int, Int)
    case day(LocalDay)
  }

  private static func date(_ folders: ArraySlice<String>) -> (date: Date, depth: Int)? {
    guard let name = folders.last else { return nil }
    let parts = parts(name)
    let numbers = parts.compactMap { Int($0) }
    guard let first = numbers.first, numbers.count == parts.count else { return nil }
    if numbers.count == 1, parts[0].count < 3 {
      guard let parent = date(folders.dropLast()) else { return nil }
      return date(first, in: parent.date).map { ($0, parent.depth + 1) }
    }
    guard parts[0].count == 4, (1970...2199).contains(first),
      parts.dropFirst().allSatisfy({ $0.count < 3 })
    else { return nil }
    switch numbers.count {
    case 1: return (.year(first), 1)
    case 2: return (1...12).contains(numbers[1]) ? (.month(first, numbers[1]), 1) : nil
    case 3:
      let day = LocalDay(year: first, month: numbers[1], day: numbers[2])
      return day.map { (.day($0), 1) }
    default: return nil
    }
  }

  /// The date of a folder whose name is a number of one or two digits: a month, a day or an hour.
  private static func date(_ number: Int, in parent: Date) -> Date? {
    switch parent {
    case .year(let year): (1...12).contains(number) ? .month(year, number) : nil
    case .month(let year, let month):
      LocalDay(year: year, month: month, day: number).map { .day($0) }
    case .day(let day): number < 24 ? .day(day) : nil
    }
  }

  /// The numbers of a name that has nothing else but the same separator between them; eight digits and six are a day
  /// and a month.
  private static func parts(_ name: String) -> [Substring] {
    guard name.utf8.count <= 10, name.first?.isNumber == true else { return [] }
    let isDigit: (Character) -> Bool = { ("0"..."9").contains($0) }
    if name.allSatisfy(isDigit) {
      let rest = name.dropFirst(4)
      switch name.count {
      case 8: return [name.prefix(4), rest.prefix(2), rest.dropFirst(2)]
      case 6: return [name.prefix(4), rest]
      default: return [name[...]]
      }
    }
    guard let mark = name.first(where: { !isDigit($0) }), "-_.".contains(mark) else { return [] }
    let parts = name.split(separator: mark, omittingEmptySubsequences: false)
    return parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(isDigit) } ? parts : []
  }
}
