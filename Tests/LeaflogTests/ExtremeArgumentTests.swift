import DiaryModel
import Fields
import Foundation
import Imaging
import Leaflog
import TestSupport
import Testing

/// Every public function that takes numbers, days, times, durations or sizes is called with the ends of these types. It may
/// refuse them, but must neither end the process nor go on for ever, and must write nothing that cannot be read again.
@Suite struct ExtremeArgumentTests {
  typealias Call = @Sendable (Given) async throws -> Void

  /// A small library, and one of each thing that functions ask for beside their numbers.
  struct Given: Sendable {
    let fixture: LibraryFixture
    let activity: Activity
    let symptom: Entry
    let episode: Entry
    let photo: EntryID
    var library: Library { fixture.library }
    var diary: LibraryDiary { library.diary }
    var activities: LibraryActivities { library.activities }

    init() async throws {
      fixture = try LibraryFixture(policy: .exact)
      let library = fixture.library
      _ = try await fixture.run([Fixtures.path("Photos/basil")])
      let today = library.today
      activity = try library.activities.add(
        ActivityDetails(name: "Water", startFrom: today), doneOn: [today])
      symptom = try library.diary.addSymptom(Symptom(name: "itch", severity: Severity(2)))
      episode = try library.diary.addEpisode(Episode(type: .cold), from: today)
      _ = try library.diary.setMood(.calm, on: today)
      _ = try library.diary.setDailyLog(on: today) { $0.stress = 2 }
      photo = try #require(try fixture.entries(TimelineQuery(kinds: [.photo])).first).id
    }
  }

  @Test func `the table has every function that is public, and no other`() throws {
    let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path
    let run = try Command(library: nil).start(
      [program], program: Fixtures.path("../.ci/public-numbers")
    ).wait()
    #expect(run.status == 0, "\(run.error)")
    let names = Set(run.output.split(separator: "\n").map(String.init))
    #expect(names.subtracting(Self.calls.keys).sorted() == [])
    #expect(Set(Self.calls.keys).subtracting(names).sorted() == [])
  }

  @Test(.timeLimit(.minutes(10)))
  func
    `the ends of numbers, days and times are refused or taken, and nothing unreadable is written`()
    async throws
  {
    let given = try await Given()
    for (name, call) in Self.calls.sorted(by: { $0.key < $1.key }) {
      do { try await call(given) } catch { Issue.record("\(name): \(error)") }
    }
    let library = given.library
    for kind in EntryKind.allCases { _ = try library.diary.entries(of: kind) }
    #expect(try library.timeline.page(limit: 1000).elements.count > 4)
  }

  @Test(arguments: [Int.min, -1, 0, 1001, .max])
  func `a page has 1 to 1000 items, whichever list it is of`(limit: Int) throws {
    let library = try LibraryFixture().library
    let start = CommitPosition(number: 0)
    let pages: [(String, () throws -> Void)] = [
      ("timeline", { _ = try library.timeline.page(limit: limit) }),
      ("search", { _ = try library.timeline.search("a", limit: limit) }),
      ("symptoms", { _ = try library.diary.symptoms(limit: limit) }),
      ("quotes", { _ = try library.quotes.page(limit: limit) }),
      ("favourites", { _ = try library.quotes.favourites(limit: limit) }),
      ("history", { _ = try library.history.page(limit: limit) }),
      ("commits", { _ = try library.history.commits(after: start, limit: limit) }),
    ]
    for (name, page) in pages {
      let error = #expect(throws: LeaflogError.self, "\(name)") { try page() }
      #expect(error?.code == .invalidRequest, "\(name)")
    }
  }
}

extension ExtremeArgumentTests {
  /// The calls by the names that functions have in the symbol graph.
  static let calls: [String: Call] = [values, times, activities, diary, lists, others]
    .reduce(into: [:]) { $0.merge($1) { $1 } }

  private static let activities: [String: Call] = [
    "ActivityRecord.days(in:)": { given in
      let record = try given.activities.record(of: given.activity, today: given.library.today)
      try each(Ends.months) { _ = record.days(in: $0) }
    },
    "ActivityRecord.isDone(on:)": { given in
      let record = try given.activities.record(of: given.activity, today: given.library.today)
      try each(Ends.days) { _ = record.isDone(on: $0) }
    },
    "ActivityRecord.svg(by:width:)": { given in
      let record = try given.activities.record(of: given.activity, today: given.library.today)
      try each(Ends.doubles + [99, 100, 10_001]) { _ = try record.svg(by: .week, width: $0) }
    },
    "LibraryActivities.add(_:plant:doneOn:)": { given in
      try each(Ends.days) { day in
        _ = try given.activities.add(
          ActivityDetails(name: "done \(day)", startFrom: given.library.today), doneOn: [day])
      }
    },
    "LibraryActivities.complete(_:on:notes:tags:source:skipsDone:)": { given in
      try each(Ends.days) { _ = try given.activities.complete(given.activity.id, on: [$0]) }
    },
    "LibraryActivities.completion(of:on:)": { given in
      try each(Ends.days) { _ = try given.activities.completion(of: given.activity, on: $0) }
    },
    "LibraryActivities.completionDays(of:from:to:)": { given in
      try each(Ends.days) { first in
        for last in Ends.days {
          _ = try given.activities.completionDays(of: given.activity.id, from: first, to: last)
        }
      }
    },
    "LibraryActivities.completionDays(of:in:)": { given in
      try each(Ends.months) {
        _ = try given.activities.completionDays(of: given.activity.id, in: $0)
      }
    },
    "LibraryActivities.completions(of:in:)": { given in
      try each(Ends.months) { _ = try given.activities.completions(of: given.activity.id, in: $0) }
    },
    "LibraryActivities.done(on:)": { given in
      try each(Ends.days) { _ = try given.activities.done(on: $0) }
    },
    "LibraryActivities.record(of:today:firstWeekday:)": { given in
      for first in Ends.ints {
        try each(Ends.days) {
          _ = try given.activities.record(of: given.activity, today: $0, firstWeekday: first)
        }
      }
    },
    "LibraryActivities.setDays(_:in:of:)": { given in
      try each(Ends.days) {
        _ = try given.activities.setDays([$0], in: CalendarMonth(of: $0), of: given.activity.id)
      }
    },
    "LibraryActivities.uncomplete(_:on:)": { given in
      try each(Ends.days) { _ = try given.activities.uncomplete(given.activity, on: $0) }
    },
  ]

  private static let diary: [String: Call] = [
    "LibraryDiary.addEpisode(_:from:notes:tags:confirmed:as:)": { given in
      try each(Ends.days) { _ = try given.diary.addEpisode(Episode(type: .cold), from: $0) }
    },
    "LibraryDiary.addSymptom(_:at:notes:tags:confirmed:)": { given in
      let symptom = Symptom(name: "itch", severity: try Severity(2))
      try each(Ends.times) { _ = try given.diary.addSymptom(symptom, at: $0, confirmed: [.late]) }
    },
    "LibraryDiary.dailyLog(on:)": { given in
      try each(Ends.days) { _ = try given.diary.dailyLog(on: $0) }
    },
    "LibraryDiary.editEpisode(_:from:notes:tags:confirmed:_:)": { given in
      try each(Ends.days) { _ = try given.diary.editEpisode(given.episode, from: $0) }
    },
    "LibraryDiary.editSymptom(_:at:notes:tags:_:)": { given in
      try each(Ends.times) { _ = try given.diary.editSymptom(given.symptom, at: $0) }
    },
    "LibraryDiary.endEpisode(_:on:)": { given in
      try each(Ends.days) { _ = try given.diary.endEpisode(given.episode, on: $0) }
    },
    "LibraryDiary.entries(of:from:to:)": { given in
      for first in Ends.days {
        try each(Ends.days) { _ = try given.diary.entries(of: .symptom, from: first, to: $0) }
      }
    },
    "LibraryDiary.loggingStreak(today:)": { given in
      try each(Ends.days) { _ = try given.diary.loggingStreak(today: $0) }
    },
    "LibraryDiary.mood(on:)": { given in try each(Ends.days) { _ = try given.diary.mood(on: $0) } },
    "LibraryDiary.moodCounts(from:to:)": { given in
      for first in Ends.days {
        try each(Ends.days) { _ = try given.diary.moodCounts(from: first, to: $0) }
      }
    },
    "LibraryDiary.setDailyLog(on:notes:tags:_:)": { given in
      for day in Ends.days + [given.library.today] {
        try each(Ends.ints) { count in
          _ = try given.diary.setDailyLog(on: day) { $0.exerciseMinutes = count }
        }
        try each(Ends.doubles) { hours in
          _ = try given.diary.setDailyLog(on: day) { $0.sleepHours = hours }
        }
      }
    },
    "LibraryDiary.setMood(_:on:notes:tags:)": { given in
      try each(Ends.days) { _ = try given.diary.setMood(.calm, on: $0) }
    },
    "LibraryDiary.symptomBuckets(by:name:from:to:)": { given in
      for unit in BucketUnit.allCases {
        try each(Ends.days) { _ = try given.diary.symptomBuckets(by: unit, from: $0, to: $0) }
      }
    },
    "LibraryDiary.symptomNames(startingWith:today:)": { given in
      try each(Ends.days) { _ = try given.diary.symptomNames(today: $0) }
    },
    "LibraryDiary.symptoms(named:from:to:at:limit:)": { given in
      try each(Ends.days) { _ = try given.diary.symptoms(from: $0, to: $0) }
      try each(Ends.ints) { _ = try given.diary.symptoms(limit: $0) }
      try each(Ends.ints) { _ = try given.diary.symptoms(named: "ache", limit: $0) }
    },
    "LibraryDiary.today(_:isBrief:)": { given in
      for isBrief in [true, false] {
        try each(Ends.days) { _ = try given.diary.today($0, isBrief: isBrief) }
      }
    },
  ]

  private static let lists: [String: Call] = [
    "AccessToken.isValid(on:)": { given in
      for day in Ends.days {
        try each([AccessGrant(AccessScope(.send), until: day)]) { grant in
          let token = try given.library.tokens.add("t\(day)", grant: grant).token
          try each(Ends.days) { _ = token.isValid(on: $0) }
        }
      }
    },
    "LibraryHistory.commits(after:)": { given in
      try each(Ends.ints) { _ = try given.library.history.commits(after: $0) }
    },
    "LibraryHistory.commits(after:limit:)": { given in
      try each(Ends.ints) {
        _ = try given.library.history.commits(after: CommitPosition(number: 0), limit: $0)
      }
    },
    "LibraryHistory.page(before:limit:findsBlockers:)": { given in
      for before in Ends.longs {
        try each(Ends.ints) { _ = try given.library.history.page(before: before, limit: $0) }
        try each([100]) {
          _ = try given.library.history.page(before: before, limit: $0, findsBlockers: true)
        }
      }
    },
    "LibraryHistory.redo(_:)": { given in
      try each(Ends.longs) { _ = try given.library.history.redo($0) }
    },
    "LibraryHistory.undo(_:)": { given in
      try each(Ends.longs) { _ = try given.library.history.undo($0) }
    },
    "LibraryHistory.uneditedPhotos(of:)": { given in
      try each(Ends.longs) { _ = try given.library.history.uneditedPhotos(of: $0) }
    },
    "LibraryQuotes.favourites(from:to:at:limit:)": { given in
      try each(Ends.days) { _ = try given.library.quotes.favourites(from: $0, to: $0) }
      try each(Ends.ints) { _ = try given.library.quotes.favourites(limit: $0) }
    },
    "LibraryQuotes.page(matching:at:limit:)": { given in
      try each(Ends.ints) { _ = try given.library.quotes.page(limit: $0) }
    },
    "Timeline.entries(_:stacking:limit:)": { given in
      try each(Ends.ints) {
        _ = try given.library.timeline.entries(TimelineQuery(), stacking: [], limit: $0)
      }
    },
    "Timeline.page(_:at:limit:)": { given in
      try each(Ends.ints) { _ = try given.library.timeline.page(limit: $0) }
    },
    "Timeline.sample(_:count:)": { given in
      try each(Ends.ints) { _ = try given.library.timeline.sample(TimelineQuery(), count: $0) }
    },
    "Timeline.search(_:in:at:limit:)": { given in
      try each(Ends.ints) { _ = try given.library.timeline.search("basil", limit: $0) }
    },
    "TimelineBound.init(_:)": { _ in try each(Ends.days) { _ = TimelineBound($0) } },
    "TimelineQuery.init(plant:isWithoutPlant:kinds:tags:isFavourite:firstDay:lastDay:order:deleted:)":
      { given in
        for first in Ends.days {
          try each(Ends.days) {
            let query = TimelineQuery(firstDay: first, lastDay: $0)
            _ = try given.library.timeline.page(query)
            for unit in BucketUnit.allCases {
              _ = try given.library.timeline.buckets(query, by: unit)
            }
          }
        }
      },
  ]

  private static let others: [String: Call] = [
    "Date.init(_:)": { _ in
      for moment in Ends.moments { #expect(Date(moment).timeIntervalSince1970.isFinite) }
    },
    "DiaryExporter.writeCSV(_:of:from:to:into:)": { given in
      try each(Ends.days) {
        _ = try DiaryExporter(given.library).writeCSV(
          .symptom, from: $0, to: $0, into: .stream { _ in })
      }
    },
    "DiaryExporter.writeCSV(from:to:intoFolder:)": { given in
      try each(Ends.days) {
        _ = try DiaryExporter(given.library).writeCSV(
          from: $0, to: $0, intoFolder: given.fixture.folder.file("csv\($0)"))
      }
    },
    "ImportProcess.limitMemory(to:)": { _ in
      // What it sets, and not itself: it would limit the whole process, and so the tests beside this one.
      try each(Ends.ints) { _ = ProcessMemory.forPhotos(of: $0) }
    },
    "Importer.run(_:named:modifiedAt:_:)": { given in
      let photo = try Fixtures.data("Score/scored.png")
      for moment in Ends.moments {
        _ = try await Importer(given.library).run(photo, named: "a.png", modifiedAt: moment)
      }
    },
    "Importer.watch(_:every:report:)": { given in
      for pause in Ends.durations {
        let (library, path) = (given.library, given.fixture.folder.path)
        let task = Task {
          _ = try await Importer(library).watch(ImportRequest(paths: [path]), every: pause) { _ in }
        }
        task.cancel()
        let error = await #expect(throws: LeaflogError.self) { try await task.value }
        #expect(error?.code == .invalidRequest)
      }
    },
    "Insights.svg(_:width:)": { given in
      let insights = try given.library.insights.compute(today: given.library.today)
      for picture in InsightsPicture.allCases {
        try each(Ends.doubles + [99, 100, 10_001]) { _ = try insights.svg(picture, width: $0) }
      }
    },
    "LibraryInsights.calendar(_:today:)": { given in
      for contents in CalendarContents.allCases {
        try each(Ends.days) { _ = try given.library.insights.calendar(contents, today: $0) }
      }
    },
    "LibraryInsights.calendar(today:hasCompletions:)": { given in
      try each(Ends.days) {
        _ = try given.library.insights.calendar(today: $0, hasCompletions: true)
      }
    },
    "LibraryInsights.compute(days:today:)": { given in
      for days in Ends.ints + [3660] {
        try each(Ends.days) { _ = try given.library.insights.compute(days: days, today: $0) }
      }
    },
    "LibraryInsights.doctorReport(_:made:language:)": { given in
      let insights = try given.library.insights.compute(today: given.library.today)
      try each(Ends.moments.map { .instant($0) } + Ends.days.map { .day($0) }) {
        _ = try given.library.insights.doctorReport(insights, made: $0)
      }
      try each(Ends.days) {
        let insights = try given.library.insights.compute(today: $0)
        _ = try given.library.insights.doctorReport(insights)
        for picture in InsightsPicture.allCases { _ = try insights.svg(picture) }
      }
    },
    "LibraryPhotos.edit(_:notes:tags:time:confirmed:)": { given in
      try each(Ends.times) { _ = try given.library.photos.edit(given.photo, time: $0) }
    },
    "LibraryQuotes.fetch(of:from:)": { given in
      let service = QuoteService(address: "http://127.0.0.1:1/", timeout: .seconds(60))
      for day in Ends.days {
        // The service, where nobody listens, is asked only for the quote of today; other days have a bundled one, and
        // days in the future are refused.
        let fetched = try? await given.library.quotes.fetch(of: day, from: service)
        #expect(fetched.map { $0.day == day } ?? (day > given.library.today))
      }
    },
    "LibraryQuotes.known(of:)": { given in
      try each(Ends.days) { _ = try given.library.quotes.known(of: $0) }
    },
    "LibraryQuotes.ofDay(_:)": { given in
      try each(Ends.days) { _ = try given.library.quotes.ofDay($0) }
    },
    "LibraryReplica.follow(every:report:)": { _ in
      let fixture = try ObjectLibraryFixture(.memory)
      let replica = try LibraryReplica.create(
        fixture.settings, at: fixture.folder.file("replica"), keys: fixture.keys
      ).replica
      for pause in Ends.durations {
        let error = await #expect(throws: LeaflogError.self) {
          try await replica.follow(every: pause) { _ in }
        }
        #expect(error?.code == .invalidRequest)
      }
    },
    "PictureParts.subscript(_:)": { _ in
      let fixture = try ObjectLibraryFixture(.memory)
      _ = try await fixture.importPhotos()
      let library = fixture.library
      let entry = try #require(
        try library.timeline.page(TimelineQuery(kinds: [.photo]), limit: 1).elements.first)
      let file = try library.photos.file(
        .original, of: library.photos.find(matching: "\(entry.id)"))
      guard case .parts(let parts) = file.content else {
        throw LeaflogError(.failed, "The picture is not read in parts.")
      }
      #expect(try parts[0..<file.byteCount].count == file.byteCount)
      for range in [Int.min..<0, -1..<1, 0..<file.byteCount + 1, 0..<Int.max, Int.min..<Int.max] {
        let error = #expect(throws: LeaflogError.self) { try parts[range] }
        #expect(error?.code == .invalidRequest)
      }
    },
    "QuoteCard.write(_:on:to:)": { given in
      let quote = try given.library.quotes.ofDay(given.library.today)
      try each(Ends.days) {
        _ = try QuoteCard(given.library).write(
          quote, on: $0, to: given.fixture.folder.file("card.png"))
      }
    },
    "Restore.init(_:to:at:commit:keys:)": { given in
      let (backup, place) = (
        given.fixture.folder.file("backup"), given.fixture.folder.file("restored")
      )
      _ = try Backup(given.library).run(BackupRequest(path: backup)) { _ in }
      let kept = try Library.open(at: backup, for: .reading)
      try each(Ends.times) { _ = try Restore(kept, to: place, at: $0) }
      try each(Ends.ints) { _ = try Restore(kept, to: place, commit: $0) }
    },
  ]
}
