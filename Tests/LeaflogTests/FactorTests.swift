import DiaryCatalog
import DiaryModel
import Foundation
import Leaflog
import TestSupport
import Testing

/// Fields that users add to the daily log.
@Suite struct FactorTests {
  static let day = LocalDay("2026-03-01")!
  static let nextDay = LocalDay("2026-03-02")!
  static let coffee = FactorDetails(name: "Coffee", kind: .number, unit: "cups", range: 0...10)
  static let pill = FactorDetails(name: "Migraine pill", kind: .flag)
  static let place = FactorDetails(name: "Place", kind: .choice, choices: ["home", "garden"])

  private let fixture: ExchangeFixture
  private var library: Library { fixture.library }
  private var factors: LibraryFactors { library.factors }

  init() throws {
    fixture = try ExchangeFixture()
    for details in [Self.coffee, Self.pill, Self.place] {
      _ = try fixture.library.factors.add(details)
    }
  }

  @discardableResult
  private func log(_ values: FactorValues, on day: LocalDay = day) throws -> Entry {
    try library.diary.setDailyLog(on: day) { log in
      for item in values.items { log.factors[item.name] = item.value }
    }
  }

  private func values(on day: LocalDay = day) throws -> FactorValues {
    let entry = try #require(try library.diary.dailyLog(on: day))
    guard case .dailyLog(let log) = entry.content else { return [:] }
    return log.factors
  }

  private func damage() throws -> Int {
    var request = VerifyRequest()
    request.readsEverything = true
    return try Verifier(library).run(request) { Issue.record("\($0.message)") }.damageCount
  }

  @Test func `values are kept under the names and in the order of the factors`() throws {
    try log(["place": .choice("Garden"), "COFFEE": .number(2), "migraine pill": .flag(true)])
    let found = try values()
    #expect(found.items.map(\.name) == ["Coffee", "Migraine pill", "Place"])
    #expect(
      found == ["Coffee": .number(2), "Migraine pill": .flag(true), "Place": .choice("garden")])
    #expect(found.items.map(\.words) == ["2 cups", "yes", "garden"])
    #expect(try factors.all().map(\.valueCount) == [1, 1, 1])
    try log(["Coffee": .number(3)])
    #expect(try values()["Place"] == .choice("garden"))
    _ = try library.diary.setDailyLog(on: Self.day) { $0.factors["coffee"] = nil }
    #expect(try values()["Coffee"] == nil)
    #expect(try damage() == 0)
  }

  @Test func `typed texts are read as the kind of the factor`() throws {
    try log(["Coffee": .typed("2,5"), "Migraine pill": .typed("no"), "Place": .typed(" HOME ")])
    #expect(
      try values()
        == ["Coffee": .number(2.5), "Migraine pill": .flag(false), "Place": .choice("home")])
  }

  @Test(arguments: [
    ("Coffee", FactorValue.number(11), "“Coffee” must be 0 to 10 cups, not 11."),
    ("Coffee", .choice("2"), "“Coffee” must be 0 to 10 cups, not “2”."),
    ("Coffee", .typed("many"), "“Coffee” must be 0 to 10 cups, not “many”."),
    ("Migraine pill", .number(1), "“Migraine pill” must be yes or no, not 1."),
    ("Place", .choice("office"), "“Place” must be home or garden, not “office”."),
    (
      "Tea", .number(1),
      "No factor is called “Tea”; they are Coffee, Migraine pill, Place."
    ),
  ])
  func `a value that a factor does not take is refused`(
    name: String, value: FactorValue, message: String
  ) throws {
    let before = try fixture.json()
    let error = #expect(throws: LeaflogError.self) { try log([name: value]) }
    #expect(error?.code == .invalidRequest && error?.message == message, "\(error?.message ?? "")")
    #expect(try fixture.json() == before)
  }

  @Test func `steps count from the lowest value`() throws {
    let walk = try factors.add(
      FactorDetails(name: "Walk", kind: .number, unit: "km", range: 0...2, step: 0.1))
    for number in [0.3, 0.7, 2] { try log(["Walk": .number(number)]) }
    let error = #expect(throws: LeaflogError.self) { try log(["Walk": .number(0.25)]) }
    #expect(error?.message.contains("0 to 2 km in steps of 0.1") == true)
    #expect(walk.details.words == "0 to 2 km in steps of 0.1")
  }

  @Test func `numbers of many steps are taken, and small ones can be typed`() throws {
    _ = try factors.add(
      FactorDetails(name: "Count", kind: .number, range: 0...1_000_000_000, step: 0.001))
    try log(["Count": .number(987_654_321.123)])
    _ = try factors.add(FactorDetails(name: "Dose", kind: .number, range: -1...1))
    for number in [0.00005, -0.0000125] {
      let typed = Scalar.number(number).shown
      #expect(!typed.contains("e"))
      try log(["Dose": .typed(typed)])
      #expect(try values()["Dose"] == .number(number))
    }
  }

  @Test(arguments: [
    (FactorDetails(name: " ", kind: .flag), LeaflogError.Code.invalidRequest),
    (FactorDetails(name: "two\nlines", kind: .flag), .invalidRequest),
    (FactorDetails(name: "coffee", kind: .flag), .nameTaken),
    (FactorDetails(name: "Tea", kind: .number), .invalidRequest),
    (FactorDetails(name: "Tea", kind: .number, range: 3...3), .invalidRequest),
    (FactorDetails(name: "Tea", kind: .number, range: 0...3, step: 4), .invalidRequest),
    (FactorDetails(name: "Tea", kind: .flag, unit: "cups"), .invalidRequest),
    (FactorDetails(name: "Tea", kind: .flag, choices: ["a", "b"]), .invalidRequest),
    (FactorDetails(name: "Tea", kind: .choice, choices: ["green"]), .invalidRequest),
    (FactorDetails(name: "Tea", kind: .choice, choices: ["Green", "green"]), .invalidRequest),
    (
      FactorDetails(name: "Tea", kind: .choice, choices: (1...13).map { "\($0)" }),
      .invalidRequest
    ),
  ])
  func `details that do not suit the kind are refused`(
    details: FactorDetails, code: LeaflogError.Code
  ) throws {
    let error = #expect(throws: LeaflogError.self) { try factors.add(details) }
    #expect(error?.code == code, "\(error?.message ?? "")")
    #expect(try factors.all().count == 3)
  }

  @Test func `it is found by its name, regardless of case, and by its id`() throws {
    let coffee = try factors.find(matching: "coffee")
    #expect(try factors.find(matching: String(coffee.id.description.prefix(8))) == coffee)
    let error = #expect(throws: LeaflogError.self) { try factors.find(matching: "cofee") }
    #expect(error?.code == .notFound && error?.message.contains("“Coffee”") == true)
  }

  @Test func `renaming and hiding keep the values, and an edit may only widen them`() throws {
    try log(["Coffee": .number(4), "Place": .choice("garden")])
    let coffee = try factors.find(matching: "Coffee")
    try factors.edit(coffee.id) { ($0.name, $0.isHidden) = ("Espresso", true) }
    #expect(try values()["Espresso"] == .number(4))
    try factors.edit(coffee.id) { $0.highest = 5 }
    try factors.edit(coffee.id) { $0.isHidden = false }
    for change in [{ $0.highest = 3 }, { $0.lowest = 4.5 }, { $0.step = 3 }, { $0.kind = .flag }]
      as [@Sendable (inout FactorDetails) -> Void]
    {
      let error = #expect(throws: LeaflogError.self) { try factors.edit(coffee.id, change) }
      #expect(error?.code == .invalidRequest, "\(error?.message ?? "")")
    }
    let place = try factors.find(matching: "Place")
    try factors.edit(place.id) { $0.choices = ["garden", "home", "office"] }
    let error = #expect(throws: LeaflogError.self) {
      try factors.edit(place.id) { $0.choices = ["home", "office"] }
    }
    #expect(error?.message.contains("2026-03-01") == true)
    #expect(try values() == ["Espresso": .number(4), "Place": .choice("garden")])
    #expect(try damage() == 0)
  }

  @Test func `they are put in order`() throws {
    let ids = try factors.all().map(\.id)
    #expect(try factors.reorder(ids[2], to: .number(1)).map(\.id) == [ids[2], ids[0], ids[1]])
    #expect(try factors.reorder(ids).map(\.id) == ids)
    for body in [
      { _ = try factors.reorder(ids[0], to: .number(4)) }, { _ = try factors.reorder([ids[0]]) },
    ] {
      let error = #expect(throws: LeaflogError.self) { try body() }
      #expect(error?.code == .invalidRequest)
    }
    _ = try factors.delete(ids[1])
    let absent = #expect(throws: LeaflogError.self) {
      try factors.reorder(ids[0], to: .after(ids[1]))
    }
    #expect(absent?.code == .notFound)
    #expect(try factors.all().map(\.id) == [ids[0], ids[2]])
  }

  @Test func `an id that could be that of several names them in their order`() throws {
    // Of seventeen ids, two begin with the same digit.
    for number in 1...14 { _ = try factors.add(FactorDetails(name: "\(number)th", kind: .flag)) }
    let ids = Dictionary(grouping: try factors.all()) { $0.id.description.prefix(1) }
    let (digit, shared) = try #require(ids.first { $1.count > 1 })
    let error = #expect(throws: LeaflogError.self) { try factors.find(matching: String(digit)) }
    let names = shared.prefix(5).map(\.name).joined(separator: ", ")
    #expect(error?.code == .ambiguous && error?.message.contains("any of: \(names).") == true)
  }

  @Test func `it is deleted with its values, and undone with them`() throws {
    try log(["Coffee": .number(4), "Migraine pill": .flag(true)])
    try log(["Coffee": .number(1)], on: Self.nextDay)
    let (before, coffee) = (try fixture.json(), try factors.find(matching: "Coffee"))
    #expect(try factors.delete(coffee.id) == 2)
    #expect(try values() == ["Migraine pill": .flag(true)])
    #expect(try factors.all().map(\.name) == ["Migraine pill", "Place"])
    _ = try library.history.undo()
    #expect(try fixture.json() == before)
    _ = try library.history.redo()
    #expect(try values()["Coffee"] == nil)
    _ = try library.history.undo()
    #expect(try damage() == 0)
  }

  @Test func `the history says what changed`() throws {
    try log(["Coffee": .number(4), "Migraine pill": .flag(true)])
    try log(["Coffee": .number(5)])
    let coffee = try factors.find(matching: "Coffee")
    try factors.edit(coffee.id) { $0.highest = 20 }
    let changes = try library.history.page(limit: 9).changes
    #expect(changes[0].kind == .factorEdit)
    #expect(changes[0].counts == [ChangeCount(thing: .factor, added: 0, changed: 1, deleted: 0)])
    #expect(changes[0].things.first?.title == "Coffee")
    #expect(changes[0].things.first?.fields.map(\.name) == ["highest"])
    #expect(changes[1].things.first?.fields.map(\.name) == ["factors"])
    #expect(changes[1].things.first?.fields.first?.oldText == "Coffee: 4")
    #expect(changes[1].things.first?.fields.first?.newText == "Coffee: 5")
  }

  @Test func `a factor that later values belong to is not undone`() throws {
    let tea = try factors.add(FactorDetails(name: "Tea", kind: .number, range: 0...3))
    let added = try #require(try library.history.page(limit: 1).changes.first?.id)
    try factors.edit(tea.id) { $0.highest = 9 }
    let widened = try #require(try library.history.page(limit: 1).changes.first?.id)
    try log(["Tea": .number(8)])
    for change in [added, widened] {
      let error = #expect(throws: LeaflogError.self) { try library.history.undo(change) }
      #expect(error?.code == .conflict, "\(error?.message ?? "")")
    }
    #expect(try values()["Tea"] == .number(8))
    _ = try library.history.undo()
    _ = try library.history.undo(widened)
    #expect(try factors.find(matching: "Tea").details.highest == 3)
    #expect(try damage() == 0)
  }

  @Test func `they go with the log, and come back with it`() throws {
    let entry = try log(["Coffee": .number(4)])
    try library.diary.delete([entry.id], of: .dailyLog)
    #expect(try factors.find(matching: "Coffee").valueCount == 1)
    _ = try library.diary.restore([entry.id], of: .dailyLog)
    #expect(try values() == ["Coffee": .number(4)])
  }

  @Test func `JSON and CSV bring them to another library`() throws {
    try log(["Coffee": .number(2.5), "Migraine pill": .flag(true), "Place": .choice("garden")])
    try factors.edit(factors.find(matching: "Place").id) { $0.isHidden = true }
    let text = try fixture.json()
    #expect(text.contains("\"factors\" : {"))
    let other = try ExchangeFixture()
    let report = try other.read(text)
    #expect(report.added == [.entry(.dailyLog): 1, .factor: 3])
    #expect(try other.json() == text)
    #expect(try other.read(text, merge: .skip).present == [.entry(.dailyLog): 1, .factor: 3])

    let table = try fixture.csv(.dailyLog)
    let lines = table.split(separator: "\r\n")
    #expect(
      lines[0].contains(
        "humidifier,\"factors.Coffee\",\"factors.Migraine pill\",\"factors.Place\",tags"))
    #expect(lines[1].contains(",2.5,yes,\"garden\","))
    let third = try ExchangeFixture()
    let missing = try third.refusal(of: table, as: "daily-logs.csv")
    #expect(missing.message.contains("No factor is called “Coffee”; there are none."))
    for details in [Self.coffee, Self.pill, Self.place] {
      _ = try third.library.factors.add(details)
    }
    try third.read(table, as: "daily-logs.csv")
    #expect(try third.csv(.dailyLog) == table)
    let wrong = try third.refusal(
      of: "day,factors.Coffee\n2026-03-05,12\n", as: "daily-logs.csv")
    #expect(wrong.message.contains("“Coffee” must be 0 to 10 cups, not “12”."))
  }

  @Test func `insights count and average them`() throws {
    let today = library.today
    for (days, cups) in [(0, 2.0), (1, 3), (9, 7)] {
      try log(
        ["Coffee": .number(cups), "Migraine pill": .flag(days == 0), "Place": .choice("home")],
        on: today.advanced(by: -days))
    }
    _ = try library.diary.addEpisode(Episode(type: .cold), from: today)
    let insights = try library.insights.compute(days: 7, today: today)
    let own = insights.fields.filter(\.isOwn)
    func factor(_ name: String, _ logs: LogSummary) -> LogFieldSummary? {
      own.first { $0.name == name }.flatMap(logs.summary)
    }
    #expect(own.map(\.name) == ["Coffee", "Migraine pill", "Place"])
    let coffee = try #require(factor("Coffee", insights.logs))
    #expect(coffee.recordedDayCount == 2 && coffee.average == 2.5 && coffee.yesDayCount == nil)
    let pill = try #require(factor("Migraine pill", insights.logs))
    #expect(pill.yesDayCount == 1 && pill.perSevenDays(1) == 3.5)
    let place = try #require(factor("Place", insights.logs))
    #expect(place.choiceDayCounts.map(\.choice) == ["home"])
    #expect(place.choiceDayCounts.map(\.count) == [2])
    #expect(factor("Coffee", insights.baseline)?.average == 5)
    #expect(factor("Coffee", insights.triggerWindows[0].logs)?.average == 3)
  }
}

/// Own factors of two copies of a library that were changed separately.
@Suite struct FactorMergeTests {
  fileprivate func copies() async throws -> DivergedCopies {
    try await DivergedCopies("Photos/basil") { library in
      for details in [FactorTests.coffee, FactorTests.pill, FactorTests.place] {
        _ = try library.factors.add(details)
      }
      _ = try library.diary.setDailyLog(on: FactorTests.day) {
        $0.factors = ["Coffee": .number(2), "Place": .choice("home")]
      }
    }
  }

  fileprivate func log(_ values: FactorValues, in library: Library, on day: LocalDay) throws {
    _ = try library.diary.setDailyLog(on: day) { log in
      for item in values.items { log.factors[item.name] = item.value }
    }
  }

  fileprivate func values(_ library: Library, on day: LocalDay = FactorTests.day) throws
    -> FactorValues
  {
    guard case .dailyLog(let log)? = try library.diary.dailyLog(on: day)?.content else {
      return [:]
    }
    return log.factors
  }

  @Test func `values of both copies come together, each factor for itself`() async throws {
    let copies = try await copies()
    let (here, there) = (copies.here, copies.there)
    try here.factors.edit(here.factors.find(matching: "Coffee").id) { $0.name = "Espresso" }
    try log(["Migraine pill": .flag(true)], in: here, on: FactorTests.day)
    try there.factors.edit(there.factors.find(matching: "Coffee").id) { $0.highest = 30 }
    try log(["Coffee": .number(25)], in: there, on: FactorTests.day)
    try log(["Place": .choice("garden")], in: there, on: FactorTests.nextDay)
    let survey = try copies.bringOver()
    #expect(survey.disagreements == [])
    #expect(survey.count(.factor) == [0, 1, 0] && survey.count(.dailyLog) == [1, 1, 0])
    #expect(
      try values(here)
        == ["Espresso": .number(25), "Migraine pill": .flag(true), "Place": .choice("home")])
    #expect(try values(here, on: FactorTests.nextDay) == ["Place": .choice("garden")])
    #expect(try here.factors.find(matching: "Espresso").details.highest == 30)
  }

  @Test func `a value that both changed is kept in the notes`() async throws {
    let copies = try await copies()
    try log(["Coffee": .number(3)], in: copies.here, on: FactorTests.day)
    try log(["Coffee": .number(4)], in: copies.there, on: FactorTests.day)
    #expect(try copies.bringOver().disagreements == ["bothChanged dailyLog Coffee"])
    #expect(try values(copies.here)["Coffee"] == .number(3))
    #expect(
      try copies.here.diary.dailyLog(on: FactorTests.day)?.notes == "Other copy: Coffee 4")
  }

  @Test func `factors of the same name become one, or get another name`() async throws {
    let copies = try await copies()
    let (here, there) = (copies.here, copies.there)
    _ = try here.factors.add(FactorDetails(name: "tea", kind: .number, range: 0...3, step: 1))
    _ = try there.factors.add(FactorDetails(name: "Tea", kind: .number, range: 0...6, step: 0.5))
    _ = try here.factors.add(FactorDetails(name: "Bus", kind: .flag))
    _ = try there.factors.add(FactorDetails(name: "Bus", kind: .number, range: 0...3))
    try log(["Tea": .number(5.5), "Bus": .number(2)], in: there, on: FactorTests.nextDay)
    #expect(try copies.bringOver().disagreements == ["taken factor "])
    #expect(
      try values(here, on: FactorTests.nextDay)
        == ["tea": .number(5.5), "Bus (other copy)": .number(2)])
    let tea = try here.factors.find(matching: "tea").details
    #expect(tea.highest == 6 && tea.step == 0.5)
  }

  @Test func `a factor that was deleted there goes, unless it was used here`() async throws {
    let copies = try await copies()
    let (here, there) = (copies.here, copies.there)
    for name in ["Coffee", "Place"] {
      try there.factors.delete(there.factors.find(matching: name).id)
    }
    try log(["Place": .choice("garden")], in: here, on: FactorTests.nextDay)
    #expect(try copies.bringOver().disagreements == ["deletedThere factor "])
    #expect(try here.factors.all().map(\.name) == ["Migraine pill", "Place"])
    #expect(try values(here).isEmpty)
    #expect(try values(here, on: FactorTests.nextDay) == ["Place": .choice("garden")])
  }

  @Test func `a factor that was deleted here returns with new values`() async throws {
    let copies = try await copies()
    let (here, there) = (copies.here, copies.there)
    for name in ["Coffee", "Place"] {
      try here.factors.delete(here.factors.find(matching: name).id)
    }
    try log(["Coffee": .number(1)], in: there, on: FactorTests.nextDay)
    #expect(try copies.bringOver().disagreements == ["stillUsed factor "])
    #expect(try here.factors.all().map(\.name) == ["Migraine pill", "Coffee"])
    #expect(try values(here, on: FactorTests.nextDay) == ["Coffee": .number(1)])
    #expect(try values(here).isEmpty)
  }
}

/// Own factors that one of two copies has deleted and added again under their names.
extension FactorMergeTests {
  @Test(arguments: [true, false])
  func `a factor that was deleted there and added again is the same here`(
    _ hasValue: Bool
  ) async throws {
    let copies = try await copies()
    let (here, there) = (copies.here, copies.there)
    try there.factors.delete(there.factors.find(matching: "Coffee").id)
    _ = try there.factors.add(FactorDetails(name: "COFFEE", kind: .number, range: 0...50))
    if hasValue { try log(["Coffee": .number(40)], in: there, on: FactorTests.nextDay) }
    try copies.bringOver()
    #expect(try here.factors.find(matching: "coffee").details.highest == 50)
    #expect(try values(here, on: FactorTests.nextDay)["Coffee"] == (hasValue ? .number(40) : nil))
  }

  @Test func `one that was added again here takes values of its kind alone`() async throws {
    let copies = try await copies()
    let (here, there) = (copies.here, copies.there)
    for name in ["Coffee", "Place"] {
      try here.factors.delete(here.factors.find(matching: name).id)
    }
    _ = try here.factors.add(FactorDetails(name: "Coffee", kind: .number, range: 0...3))
    _ = try here.factors.add(FactorDetails(name: "Place", kind: .flag))
    try log(
      ["Coffee": .number(9), "Place": .choice("garden")], in: there, on: FactorTests.nextDay)
    #expect(try copies.bringOver().disagreements == ["stillUsed factor "])
    #expect(
      try values(here, on: FactorTests.nextDay)
        == ["Coffee": .number(9), "Place (other copy)": .choice("garden")])
  }

  @Test func `more choices than somebody can add can still be edited`() async throws {
    let copies = try await copies()
    for (library, letter) in [(copies.here, "a"), (copies.there, "b")] {
      try library.factors.edit(library.factors.find(matching: "Place").id) {
        $0.choices += (1...9).map { "\(letter)\($0)" }
      }
    }
    try copies.bringOver()
    let place = try copies.here.factors.find(matching: "Place")
    #expect(place.details.choices.count == 20)
    try copies.here.factors.edit(place.id) { $0.name = "Where" }
    #expect(throws: LeaflogError.self) {
      try copies.here.factors.edit(place.id) { $0.choices.append("one more") }
    }
  }
}

/// A library that version 1 of the schema has left, in which there were no factors.
@Suite struct FactorMigrationTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("library") }

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      atPath: Fixtures.path("Library/1"), toPath: folder.file("library"))
  }

  private func rows(_ path: String) throws -> Set<String> {
    try CatalogDump(path: path + "/catalog.sqlite").lines.filter { !$0.contains("'lineage'") }
  }

  /// The change by which version 1 has written its log.
  private func logged(_ library: Library) throws -> Int64 {
    try #require(
      try library.history.page(limit: 50).changes.last { $0.kind == .logSet }?.id)
  }

  @Test func `a catalog that is read as it was left has no factors`() throws {
    let catalog = try Catalog(path: path + "/catalog.sqlite", access: .readOnlyOfAnyVersion)
    defer { try? catalog.close() }
    let (factors, logs) = try catalog.read {
      (try $0.factors.all(), try $0.entries.all(of: .dailyLog))
    }
    #expect(factors.isEmpty && logs.count == 1)
  }

  @Test func `it gets factors, and its changes can still be undone`() throws {
    let library = try Library.open(at: path)
    _ = try library.factors.add(FactorTests.coffee)
    _ = try library.diary.setDailyLog(on: FactorTests.day) { $0.factors["Coffee"] = .number(2) }
    _ = try library.history.undo(logged(library))
    #expect(try library.diary.entries(of: .dailyLog).count == 1)
    _ = try Backup(library).run(BackupRequest(path: folder.file("backup"))) { _ in }
    try library.close()
    let before = try rows(path)
    #expect(before.contains { $0.hasPrefix("factorValue:") })
    let target = folder.file("restored")
    _ = try Restore(OpenBackup(.folder(folder.file("backup"))), to: target).run { _ in }
    let restored = try Library.open(at: target)
    #expect(try restored.factors.find(matching: "Coffee").valueCount == 1)
    try restored.close()
    for name in ["catalog.sqlite", "catalog.sqlite-wal", "catalog.sqlite-shm"] {
      try? FileManager.default.removeItem(atPath: path + "/" + name)
    }
    try Repairer.run(at: path, from: nil) { _ in }
    #expect(try rows(path) == before)
  }

  @Test func `a value that its log has got is not lost by undoing an earlier change`() throws {
    let library = try Library.open(at: path)
    let log = try #require(try library.diary.entries(of: .dailyLog).first)
    _ = try library.factors.add(FactorTests.coffee)
    _ = try library.diary.setDailyLog(on: log.time.localDay) { $0.factors["Coffee"] = .number(2) }
    let error = #expect(throws: LeaflogError.self) { try library.history.undo(logged(library)) }
    #expect(error?.code == .conflict)
    #expect(try library.diary.dailyLog(on: log.time.localDay) != nil)
  }
}
