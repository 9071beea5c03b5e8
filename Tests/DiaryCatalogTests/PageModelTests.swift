import BlobStorage
import DiaryCatalog
import DiaryModel
import Foundation
import SystemPackage
import TestSupport
import Testing

/// Pages amid edits by two writers, compared with a list that is sorted and filtered in memory.
@Suite struct PageModelTests {
  private static let isLong = ProcessInfo.processInfo.environment["LEAFLOG_LONG_TESTS"] != nil

  @Test(arguments: isLong ? [1, 2, 3, 4, 5] : [1])
  func `each page is what a sorted list gives, and its ends are where the list ends`(
    seed: UInt64
  ) throws {
    var model = try PageModel(seed: seed)
    for _ in 0..<(Self.isLong ? 10_000 : 2000) { try model.step() }
    #expect(model.pageCount > 500)
    #expect(model.emptyPageCount > 0 && model.visitedEnds == 4)
  }
}

private struct PageModel {
  private struct Item {
    let id: EntryID
    let key: Key
    let plant: PlantID?
    let isDeleted: Bool
  }

  private struct Key: Comparable {
    let day: LocalDay
    let moment: Timestamp
    let sequence: Int64

    init(_ entry: Entry) {
      (day, moment) = entry.time.place
      sequence = entry.sequence
    }

    init(_ cursor: Cursor) {
      (day, moment, sequence) = (cursor.day, cursor.instant, cursor.sequence)
    }

    static func < (left: Key, right: Key) -> Bool {
      (left.day, left.moment, left.sequence) < (right.day, right.moment, right.sequence)
    }
  }

  /// A reader that follows cursors, one way or back and forth.
  private struct Reader {
    let query: TimelineQuery
    let limit: Int
    var cursor: Cursor?
  }

  private let folder: TemporaryFolder
  private let catalogs: [Catalog]
  private var random: SplitMix64
  private var items: [EntryID: Item] = [:]
  /// The states before each change that may be undone.
  private var past: [[EntryID: Item]] = []
  private var photoCount = 0
  private var readers: [Reader] = []
  private(set) var pageCount = 0
  private(set) var emptyPageCount = 0
  private var ends: Set<[Bool]> = []
  /// Of the four kinds of pages (in the middle, the first, the last, the only one), those that were read.
  var visitedEnds: Int { ends.count }

  init(seed: UInt64) throws {
    folder = try TemporaryFolder()
    random = SplitMix64(state: seed)
    let (catalog, lock) = (folder.file("catalog.sqlite"), FilePath(folder.file("lock")))
    catalogs = try (0..<2).map { _ in
      try Catalog(path: catalog, access: .readWrite(lock: FileLock(lock)))
    }
    for _ in 0..<20 { try add() }
  }

  mutating func step() throws {
    switch random.below(12) {
    case 0, 1: try add()
    case 2: try edit { $0.time = ($1, .manual) }
    case 3: try edit { edit, _ in edit.isDeleted = true }
    case 4: try edit { edit, _ in edit.isDeleted = false }
    case 5: try move()
    case 6: try undo()
    default: try read()
    }
  }

  private mutating func writer() -> Catalog { catalogs[random.below(2)] }

  /// One of few times, so that many photos share one.
  private mutating func time() -> EntryTime {
    let milliseconds = 1_700_000_000_000 + Int64(random.below(30)) * 20_000_000
    let time = EntryTime(.instant(Timestamp(milliseconds: milliseconds)), in: .gmt)
    return random.below(4) == 0 ? EntryTime(.day(time.localDay), in: .gmt) : time
  }

  private mutating func add() throws {
    past.append(items)
    let count = 1 + random.below(3)
    let photos = (0..<count).map { _ in
      photoCount += 1
      return madePhoto(
        photoCount, at: time().instant.milliseconds,
        plant: [nil, "fern", "oak"][random.below(3)])
    }
    for case .added(let id) in try writer().add(photos) { try note(id) }
  }

  private mutating func note(_ id: EntryID) throws {
    let entry = try catalogs[0].entry(id.description, of: nil)
    items[id] = Item(
      id: id, key: Key(entry), plant: entry.plant?.id, isDeleted: entry.deletedAt != nil)
  }

  private mutating func edit(_ change: (inout EntryEdit, EntryTime) -> Void) throws {
    guard
      let id = items.keys.sorted(by: { $0.description < $1.description }).randomElement(
        using: &random)
    else { return }
    var edit = EntryEdit(id)
    change(&edit, time())
    let before = items
    guard try !writer().apply([edit], as: .photoEdit, now: now).isEmpty else { return }
    past.append(before)
    try note(id)
  }

  private mutating func move() throws {
    let plants = Set(items.values.compactMap(\.plant)).sorted { $0.description < $1.description }
    let plant = plants.randomElement(using: &random)
    try edit { edit, _ in edit.plant = .some(plant) }
  }

  private mutating func undo() throws {
    guard past.count > 10 else { return }
    let history = try catalogs[0].history(limit: 1000).changes
    guard let last = history.first(where: { !$0.isUndone }) else { return }
    _ = try writer().undo(last.id) { _ in }
    items = past.removeLast()
  }

  // MARK: Reading

  private mutating func read() throws {
    if readers.count < 6 || random.below(10) == 0 { begin() }
    let index = random.below(readers.count)
    let reader = readers[index]
    let isAround = random.below(6) == 0
    let anchor = items.values.sorted { $0.key < $1.key }.randomElement(using: &random)
    let position: TimelinePosition
    if isAround, let key = anchor?.key {
      position = .around(
        Cursor(day: key.day, instant: key.moment, sequence: key.sequence, heading: .older))
    } else {
      position = reader.cursor.map { .cursor($0) } ?? .start
    }
    let page = try writer().page(reader.query, at: position, limit: reader.limit)
    check(page, of: reader, at: position)
    let cursors = [page.next, page.previous].compactMap { $0 }
    readers[index].cursor = cursors.randomElement(using: &random)
  }

  private mutating func begin() {
    let plants = Set(items.values.compactMap(\.plant)).sorted { $0.description < $1.description }
    var query = TimelineQuery(order: random.below(2) == 0 ? .newestFirst : .oldestFirst)
    if random.below(2) == 0 { query.plant = plants.randomElement(using: &random) }
    if random.below(3) == 0 { query.firstDay = time().localDay }
    if random.below(3) == 0 { query.lastDay = time().localDay }
    if random.below(4) == 0 { query.deleted = true }
    let reader = Reader(query: query, limit: 1 + random.below(9), cursor: nil)
    if readers.count < 6 { readers.append(reader) } else { readers[random.below(6)] = reader }
  }

  private mutating func check(_ page: Page<Entry>, of reader: Reader, at position: TimelinePosition)
  {
    let query = reader.query
    var sorted = items.values.filter { item in
      (query.plant == nil || item.plant == query.plant) && item.isDeleted == query.deleted
        && query.firstDay.map { item.key.day >= $0 } ?? true
        && query.lastDay.map { item.key.day <= $0 } ?? true
    }.sorted { $0.key < $1.key }
    if query.order == .newestFirst { sorted.reverse() }
    /// The number of items before a position in reading direction; with `isAfter`, its own item is one of them.
    func count(before key: Key, isAfter: Bool = false) -> Int {
      sorted.prefix {
        let isOlder = query.order == .oldestFirst ? $0.key < key : $0.key > key
        return isOlder || isAfter && $0.key == key
      }.count
    }
    let range: Range<Int>
    switch position {
    case .start: range = 0..<min(reader.limit, sorted.count)
    case .cursor(let cursor) where cursor.heading == query.order.heading:
      let start = count(before: Key(cursor), isAfter: true)
      range = start..<min(start + reader.limit, sorted.count)
    case .cursor(let cursor):
      let end = count(before: Key(cursor))
      range = max(0, end - reader.limit)..<end
    case .around(let cursor):
      let middle = count(before: Key(cursor))
      let start = max(0, middle - reader.limit / 2)
      range = start..<min(start + reader.limit, sorted.count)
    }
    let comment: Comment = "\(query), \(position), \(reader.limit) a page"
    #expect(page.elements.map(\.id) == sorted[range].map(\.id), comment)
    #expect((page.next != nil) == (range.upperBound < sorted.count), comment)
    #expect((page.previous != nil) == (range.lowerBound > 0), comment)
    pageCount += 1
    if page.elements.isEmpty { emptyPageCount += 1 }
    if !page.elements.isEmpty { ends.insert([page.next == nil, page.previous == nil]) }
  }
}
