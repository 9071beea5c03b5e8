import Foundation
import Leaflog
import TestSupport
import Testing

/// The timeline by days, seen from near and from far, and its filters.
@Suite struct TimelinePageTests {
  private static let html = ["Accept: text/html", "Accept-Language: en-GB"]

  private func text(_ path: String, of server: RunningServer) async throws -> String {
    let answer = try await server.answer("GET", path, Self.html)
    #expect(answer.status == 200, "\(path)")
    return answer.html
  }

  private static func tiles(_ html: String) -> [String] {
    html.matches(of: /<a class="tile" href="([^"]+)"/).map {
      String($0.1).replacing("&amp;", with: "&").replacing("&#x3D;", with: "=")
    }
  }

  /// Adds symptoms, all on one day.
  private static func addCoughs(_ count: Int, to library: Library) throws {
    let entries = (0..<count).map { number in
      #"{"id": "\#(String(format: "%032x", number))", "kind": "symptom","#
        + #""occurredAt": "2026-03-01T12:00:00Z","#
        + #""symptom": {"name": "cough \#(number)", "severity": 1, "medications": []}}"#
    }
    let file =
      #"{"format": "leaflog-diary", "version": 1, "entries": ["#
      + entries.joined(separator: ",") + "]}"
    _ = try DiaryImporter(library).read(Array(file.utf8), named: "diary.json")
  }

  @Test func `a line has its kind in words, and values keep their order beside Arabic ones`()
    async throws
  {
    try await RunningServer.visit { server in
      let diary = server.library.diary
      let mild = try diary.severityScales().severity("mild")
      _ = try diary.addSymptom(Symptom(name: "cough", severity: mild), notes: "after the rain")
      let plain = try await text("/timeline", of: server)
      #expect(plain.contains(#"<b class="unseen">Symptom: </b><span dir="auto">"#))
      #expect(plain.contains("mild · after the rain") && !plain.contains("\u{2068}"))
      _ = try diary.addSymptom(Symptom(name: "fever", severity: mild), notes: "إيبوبروفين 400")
      let mixed = try await text("/timeline", of: server)
      #expect(mixed.contains("mild · \u{2068}إيبوبروفين 400\u{2069}"))
    }
  }

  @Test func `a photo's name tells it from those beside it`() async throws {
    try await RunningServer.visit(importing: [Fixtures.path("Photos/basil")]) { server in
      let photos = try server.library.timeline.page(TimelineQuery(), limit: 10).elements
      _ = try server.library.photos.edit(
        .photos([photos[0].id]), notes: "the first leaf, and it is green", isFavourite: true)
      let names = try await text("/timeline", of: server).matches(of: /alt="([^"]+)"/)
        .map { String($0.1) }
      #expect(
        names.contains(
          "basil, 31 May 2025, 12:00 +01:00, the first leaf, and it is green, Favourite"))
      #expect(Set(names).count == 4)
      let plant = try #require(photos[0].plant).id
      let own = try await text("/plants/\(plant)", of: server)
      #expect(own.contains(#"alt="day 22, 31 May 2025, 12:00 +01:00, the first leaf"#))
    }
  }

  @Test func `photos and entries of a day are together under its heading`() async throws {
    try await RunningServer.visit(importing: [Fixtures.path("Photos/basil")]) { server in
      let library = server.library
      let photo = try #require(try library.timeline.page(limit: 1).elements.first)
      let day = photo.time.localDay
      _ = try library.diary.addSymptom(
        Symptom(name: "Cough", severity: try Severity(1)), at: .day(day), confirmed: [.late])
      let page = try await text("/timeline", of: server)
      let start = try #require(page.range(of: "id=\"d-\(day)\""))
      let section = try #require(page[start.upperBound...].split(separator: "class=\"day\"").first)
      #expect(section.contains("/photos/\(photo.id)") && section.contains("<strong>Cough</strong>"))
      // The photo's own page leads back to the place.
      let own = try await text("/photos/\(photo.id)", of: server)
      #expect(own.contains("#d-\(day)\">In the timeline"))
    }
  }

  @Test func `a date of which only the month is known names no day`() async throws {
    try await RunningServer.visit(importing: [Fixtures.path("Photos/basil")]) { server in
      let photo = try #require(try server.library.timeline.page(limit: 1).elements.first)
      _ = try server.library.photos.edit(photo.id, time: RecordedTime("1978-05"))
      let page = try await text("/timeline?month=1978-05", of: server)
      #expect(page.contains("<h3>May 1978</h3>"))
    }
  }

  @Test func `filters are in the address`() async throws {
    try await RunningServer.visit(importing: [Fixtures.path("Photos/basil")]) { server in
      let library = server.library
      let photos = try library.timeline.page(TimelineQuery(kinds: [.photo])).elements
      #expect(photos.count >= 3)
      _ = try library.photos.setFavourite(true, for: .photos([photos[0].id]))
      _ = try library.photos.move(.photos([photos[1].id]), to: nil)
      _ = try library.photos.delete(.photos([photos[2].id]))
      for (only, photo) in zip(["favourites", "withoutPlant", "deleted"], photos) {
        let page = try await text("/timeline?only=\(only)", of: server)
        let tiles = Self.tiles(page)
        #expect(tiles.count == 1 && tiles[0].hasPrefix("/photos/\(photo.id)"), "\(only)")
        #expect(page.contains("only"), "the sections are fetched with the filter")
      }
    }
  }

  private struct IDs: Decodable { let ids: [String] }

  @Test func `the photos between two, of a day, of a month and of the list are told by their ids`()
    async throws
  {
    try await RunningServer.visit(importing: [Fixtures.path("Photos")]) { server in
      let photos = try server.library.timeline.page(TimelineQuery(kinds: [.photo])).elements
      func ids(_ query: String) async throws -> [String] {
        let answer = try await server.answer("GET", "/timeline/ids?\(query)")
        #expect(answer.status == 200, "\(query)")
        return try JSONDecoder().decode(IDs.self, from: Data(answer.body)).ids
      }
      let all = photos.map(\.id.description)
      #expect(try await ids("kind=photo&select=true") == all)
      #expect(try await ids("from=\(all[7])&to=\(all[2])") == Array(all[2...7]))
      let basil = photos.filter { $0.plant?.name == "basil" }.map(\.id.description)
      #expect(try await ids("plant=basil&from=\(all.first ?? "")&to=\(all.last ?? "")") == basil)
      let day = photos[4].time.localDay
      let onDay = photos.filter { $0.time.localDay == day }.map(\.id.description)
      #expect(try await ids("on=\(day)") == onDay)
      let month = CalendarMonth(of: day)
      let inMonth = photos.filter { CalendarMonth(of: $0.time.localDay) == month }
      #expect(try await ids("month=\(month)") == inMonth.map(\.id.description))
      #expect(try await server.answer("GET", "/timeline/ids?from=none&to=\(all[0])").status == 404)
    }
  }

  @Test func `deleted photos are left out of a selection, and the page says how many`() async throws
  {
    try await RunningServer.visit(importing: [Fixtures.path("Photos")]) { server in
      let library = server.library
      let ids = try library.timeline.ids(TimelineQuery(kinds: [.photo]))
      _ = try library.photos.delete(.photos([ids[1]]))
      let change = try library.history.page(limit: 1).changes.first?.id ?? 0
      let listed = [ids[0].description, ids[1].description, "none"].map { ("id", $0) }
      for (path, fields) in [
        ("/entries/tags", [("tags", "two"), ("operation", "add")]),
        ("/photos/move", [("newPlant", "Fern")]), ("/photos/redate", [("shiftHours", "1")]),
        ("/entries/delete", []),
      ] {
        let answer = try await server.submit(path, listed + fields)
        #expect(answer.status == 303, "\(path)")
        let place = answer.headers["location"] ?? ""
        #expect(place.contains("gone=2"), "\(place)")
        let page = try await text(place, of: server)
        #expect(page.contains("2 were no longer there"))
      }
      #expect(try library.history.page(limit: 1).changes.first?.id == change + 4)
      // Where nothing is left, nothing is changed.
      let answer = try await server.submit("/entries/delete", listed)
      #expect(answer.status == 303)
      #expect(try library.history.page(limit: 1).changes.first?.id == change + 4)
      #expect(try library.photos.entry(ids[1]).plant?.name != "Fern")
    }
  }

  @Test func `all photos of a list are changed if their number is still the one that was said`()
    async throws
  {
    try await RunningServer.visit(importing: [Fixtures.path("Photos")]) { server in
      let library = server.library
      let ids = try library.timeline.ids(TimelineQuery(kinds: [.photo]))
      #expect(try await text("/timeline/selection", of: server).contains("\(ids.count) photos"))
      _ = try library.photos.delete(.photos([ids[0]]))
      let fields = [("count", "\(ids.count)"), ("tags", "all"), ("operation", "add")]
      let refused = try await server.submit("/entries/tags", fields)
      #expect(refused.status == 422 && refused.html.contains("\(ids.count - 1) photos"))
      #expect(try library.diary.tags().isEmpty)
      #expect(refused.html.contains("name=\"tags\" value=\"all\""), "what was typed is kept")
      let basil = TimelineQuery(
        plant: try library.plants.reference(matching: "basil").id, kinds: [.photo])
      let count = try library.timeline.ids(basil).count
      let answer = try await server.submit(
        "/entries/tags?plant=basil", [("count", "\(count)")] + fields.dropFirst())
      #expect(answer.status == 303)
      #expect(try library.diary.tags().map(\.count) == [count])
      let nothing = try await server.submit("/entries/delete", [("back", "/timeline")])
      #expect(nothing.status == 422 && nothing.html.contains("Select something first."))
      // It offers nothing that would mean all photos.
      #expect(!nothing.html.contains("name=\"count\"") && !nothing.html.contains("/entries/tags"))
    }
  }

  @Test func `a picture stands for each day, or each month, and leads to it`() async throws {
    try await RunningServer.visit(importing: [Fixtures.path("Photos")]) { server in
      let tally = try server.library.timeline.tally().filter(\.isPhoto)
      let days = Set(tally.map(\.day))
      let months = Set(days.map { CalendarMonth(of: $0) })
      let nearer = Self.tiles(try await text("/timeline?zoom=months", of: server))
      #expect(Set(nearer) == Set(days.map { "/timeline?on=\($0)#d-\($0)" }))
      let farther = Self.tiles(try await text("/timeline?zoom=years", of: server))
      #expect(Set(farther) == Set(months.map { "/timeline?zoom=months&month=\($0)#m-\($0)" }))
      let year = months.map(\.year).max() ?? 0
      let section = try await text(
        "/timeline/section?zoom=years&month=\(year)&part=1", of: server)
      #expect(Set(Self.tiles(section)).isSubset(of: farther) && !section.contains("<h3>"))
    }
  }

  @Test func `a stack is in the first part of a large day alone`() async throws {
    let folders = ["Photos", "Orientation"].map { Fixtures.path($0) }
    try await RunningServer.visit(importing: folders) { server in
      let library = server.library
      let photos = try library.timeline.page(TimelineQuery(kinds: [.photo])).elements.map(\.id)
      let plant = try library.plants.add(PlantDetails(name: "Moss"))
      let time = try #require(RecordedTime("2026-03-01T12:00:00"))
      _ = try library.photos.edit(.photos(photos), plant: .set(plant.id)) { _ in time }
      try Self.addCoughs(300, to: library)
      var (names, tiles) = ([String](), 0)
      for part in 1...3 {
        let section = try await text("/timeline/section?month=2026-03&part=\(part)", of: server)
        names += section.matches(of: /<strong>(cough \d+)</).map { String($0.1) }
        tiles += Self.tiles(section).count
      }
      #expect(names.count == 300 && Set(names).count == 300 && tiles == 1)
    }
  }

  @Test func `a diary without photos is empty from afar, and leads back`() async throws {
    try await RunningServer.visit(importing: []) { server in
      _ = try server.library.diary.setMood(.happy, on: server.library.today)
      let page = try await text("/timeline?zoom=months", of: server)
      #expect(page.contains("Nothing matches these filters."))
      #expect(page.contains(/<a class="chip" href="\/timeline">Days</))
    }
  }

  @Test func `a stack shows and opens the photos of the filter`() async throws {
    let folders = ["Photos", "Orientation"].map { Fixtures.path($0) }
    try await RunningServer.visit(importing: folders) { server in
      let library = server.library
      let all = TimelineQuery(kinds: [.photo])
      let photos = try library.timeline.page(all).elements.map(\.id)
      let plant = try library.plants.add(PlantDetails(name: "Moss"))
      let time = try #require(RecordedTime("2026-03-01T12:00:00"))
      _ = try library.photos.edit(.photos(photos), plant: .set(plant.id)) { _ in time }
      // Read again: photos of one time have another order than those of the files' dates.
      let tagged = try library.timeline.page(all).elements.dropFirst().prefix(13).map(\.id)
      try #require(tagged.count == 13)
      _ = try library.diary.addTags(["leaf"], to: tagged)
      let page = try await text("/timeline?tag=leaf", of: server)
      #expect(page.contains("data-photo=\"\(try #require(tagged.first))\""))
      #expect(page.contains("data-stack=\"13\""))
      let opened = Self.tiles(try await text(try #require(Self.tiles(page).first), of: server))
      #expect(opened.count == 13)
    }
  }

  @Test func `a day of more than a thousand entries is shown in parts`() async throws {
    try await RunningServer.visit(importing: []) { server in
      try Self.addCoughs(1100, to: server.library)
      var names: [String] = []
      for part in 1...10 {
        let section = try await text(
          "/timeline/section?month=2026-03&part=\(part)", of: server)
        names += section.matches(of: /<strong>(cough \d+)</).map { String($0.1) }
      }
      #expect(names.count == 1100 && Set(names).count == 1100)
    }
  }

  @Test func `no page shows a dark photo for a day of a camera that has light ones`() async throws {
    let folder = try TemporaryFolder()
    for day in 1...12 {
      for hour in 0..<24 {
        let frame = (7..<19).contains(hour) ? DrawnFrame(lightness: 120) : .night
        let name = String(format: "tray/202603%02d_%02d0000.png", day, hour)
        try folder.write(frame.png(day * 24 + hour), to: name)
      }
    }
    try await RunningServer.visit(importing: [folder.file("tray")]) { server in
      let plant = try server.library.plants.find(matching: "tray").id
      let paths = [
        "/timeline", "/timeline?zoom=days", "/timeline?zoom=months", "/plants/\(plant)",
        "/plants", "/plants/\(plant)/film", "/compare?plant=\(plant)", "/?on=2026-03-04",
        // In earlier years.
        "/?on=2027-03-04",
      ]
      for path in paths {
        let page = try await text(path, of: server)
        let shown = Set(
          page.matches(of: #/src="/api/v1/photos/([0-9a-f]{32})/(?:thumbnail|preview)/#)
            .map { String($0.output.1) })
        #expect(!shown.isEmpty, "\(path)")
        for id in shown {
          let photo = try server.library.photos.find(matching: id)
          #expect(photo.entry.photo?.isDark == false, "\(path) \(photo.entry.time.recorded)")
        }
      }
      // A plant with more than six photos has one of them on Today.
      let today = try await text("/?on=2026-03-04", of: server)
      #expect(today.matches(of: #/data-photo="/#).count == 1)
      #expect(today.contains(#/day=2026-03-04[^"]*kind=photo/#))
    }
  }
}
