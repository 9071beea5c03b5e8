import Foundation
import Leaflog
import TestSupport
import Testing

/// Search, history, trash, and work on the library, as pages.
@Suite struct MePagesTests {
  @Test func `words are found in entries, plants and tags, and shown as text`() async throws {
    try await RunningServer.visit(importing: [Fixtures.path("Photos/basil")]) { server in
      let photo = try #require(
        server.library.timeline.page(TimelineQuery(kinds: [.photo])).elements.first)
      _ = try server.library.photos.edit(photo.id, notes: "first blossom", tags: ["<b>cut"])
      let start = try await server.look(at: "/search")
      #expect(start.contains("&lt;b&gt;cut") && start.contains("autofocus"))
      let found = try await server.look(at: "/search?text=blossom")
      #expect(found.contains("/photos/\(photo.id)") && found.contains("1 result<"))
      #expect(try await server.look(at: "/search?text=basil").contains("href=\"/plants/"))
      let none = try await server.look(at: "/search?text=%3Cimg%20onerror%3E&kind=mood")
      #expect(none.contains("value=\"&lt;img onerror&gt;\"") && none.contains("Nothing found"))
      // With the accent it is one character for people, and still a quotation mark for browsers.
      let mark = try await server.look(at: "/search?text=%22%CC%81%20onfocus%3Dx")
      #expect(mark.contains("value=\"&quot;\u{301} onfocus=x\""))
    }
  }

  @Test func `a search in the reader's language is found, and the nearest word is suggested`()
    async throws
  {
    try await RunningServer.visit { server in
      let diary = server.library.diary
      _ = try diary.setMood(.happy, on: server.library.today)
      _ = try diary.addEpisode(
        Episode(type: .cold, symptoms: [.cough]), from: server.library.today, as: .episodeStart)
      _ = try server.library.plants.add(PlantDetails(name: "Monstera", notes: "von Müller"))
      for text in ["Gl%C3%BCcklich", "glucklich", "erkaltung", "Husten", "hus", "%22Husten%22"] {
        #expect(
          try await server.look(at: "/search?text=\(text)", "de").contains("1 Treffer"), "\(text)")
        let found = try await server.answer("/api/v1/search?q=\(text)").json["items"]
        #expect((found as? [Any])?.count == 1, "\(text)")
      }
      for text in ["mons", "muller", "M%C3%9CLLER"] {
        #expect(
          try await server.look(at: "/search?text=\(text)", "de").contains("/plants/"), "\(text)")
      }
      // A German name is no word of an English reader.
      #expect(try await server.look(at: "/search?text=husten").contains("Nothing found"))
      let misspelt = try await server.look(at: "/search?text=monstra&kind=photo")
      #expect(
        misspelt.contains("Did you mean “Monstera”?")
          && misspelt.contains("?text=Monstera&amp;kind=photo"))
      #expect(
        try await server.look(at: "/search?text=erk%C3%A4ltunk", "de").contains(
          "Meintest du „Erkältung“?"))
      #expect(try await !server.look(at: "/search?text=xyzxyzxyz").contains("Did you mean"))
      let meant = try await server.answer("/api/v1/search?q=monstra").json["didYouMean"]
      #expect(meant as? String == "Monstera")
    }
  }

  @Test func `a change is undone and made again from the history`() async throws {
    try await RunningServer.visit(importing: [Fixtures.path("Photos/basil")]) { server in
      let plant = try server.library.plants.add(PlantDetails(name: "mint"))
      let change = try #require(server.library.history.page(limit: 1).changes.first)
      let page = try await server.look(at: "/me/history")
      #expect(page.contains("Plant added") && page.contains("Added 4 photos"))
      let undone = try await server.submit(
        "/undo", ["change": "\(change.id)", "back": "/me/history"])
      #expect(undone.headers["location"] == "/me/history?changed=\(change.id)")
      #expect(try !server.library.plants.all().contains { $0.id == plant.id })
      #expect(try await server.look(at: "/me/history").contains("action=\"/redo\""))
      _ = try await server.submit("/redo", ["change": "\(change.id)", "back": "/me/history"])
      #expect(try server.library.plants.all().contains { $0.id == plant.id })
      let german = try await server.look(at: "/me/history", "de")
      #expect(german.contains("Pflanze hinzugefügt"))
    }
  }

  @Test func `the history shows what was changed, and why something cannot be undone`()
    async throws
  {
    try await RunningServer.visit(importing: [Fixtures.path("Photos/basil")]) { server in
      let library = server.library
      let photo = try #require(
        library.timeline.page(TimelineQuery(kinds: [.photo])).elements.first)
      _ = try library.photos.edit(photo.id, notes: "<b>bud")
      _ = try library.photos.edit(photo.id, notes: "flower")
      let page = try await server.look(at: "/me/history")
      #expect(page.contains("/photos/\(photo.id)/thumbnail?digest="))
      #expect(page.contains("“&lt;b&gt;bud”") && page.contains("“flower”"))
      #expect(page.contains("change 3 came later") && page.contains("and 2 more"))
      // The change that cannot be undone has no button, and neither has the import below it.
      #expect(page.components(separatedBy: "action=\"/undo\"").count == 2)
      try library.settings.set(.dayEnd, to: "2")
      let german = try await server.look(at: "/me/history", "de")
      #expect(german.contains("„flower“") && german.contains("Änderung 3 kam später"))
      let listed = try await server.answer("GET", "/api/v1/changes").json["items"]
      let changes = try #require(listed as? [[String: Any]])
      let things = try #require(changes.dropFirst().first?["things"] as? [[String: Any]])
      let fields = try #require(things.first?["fields"] as? [[String: Any]])
      #expect(fields.map { $0["name"] as? String } == ["notes"])
      #expect(
        fields.first?["old"] as? String == "<b>bud" && fields.first?["new"] as? String == "flower")
      #expect(changes.map { $0["obstacle"] == nil } == [true, true, false, false])
    }
  }

  @Test func `entries of several kinds come back from the trash in one change`() async throws {
    try await RunningServer.visit(importing: [Fixtures.path("Photos/basil")]) { server in
      let library = server.library
      let photo = try #require(
        library.timeline.page(TimelineQuery(kinds: [.photo])).elements.first)
      let symptom = try library.diary.addSymptom(
        Symptom(name: "<i>cough", severity: Severity(2)), at: .day(library.today),
        confirmed: [.late])
      try library.diary.delete([photo.id], of: .photo)
      try library.diary.delete([symptom.id], of: .symptom)
      let page = try await server.look(at: "/me/trash")
      #expect(page.contains("&lt;i&gt;cough") && page.contains("/photos/\(photo.id)/thumbnail"))
      let back = try await server.submit(
        "/me/trash/restore",
        ["id": photo.id.description, "id": symptom.id.description, "back": "/me/trash"])
      let change = try #require(back.headers["location"]?.split(separator: "=").last)
      #expect(try library.diary.entry(photo.id).deletedAt == nil)
      #expect(try library.diary.entry(symptom.id).deletedAt == nil)
      _ = try library.history.undo(Int64(change))
      #expect(try library.diary.entry(photo.id).deletedAt != nil)
      #expect(try library.diary.entry(symptom.id).deletedAt != nil)
    }
  }

  @Test func `the contents of the trash are deleted for good once that is confirmed`() async throws
  {
    try await RunningServer.visit(importing: [Fixtures.path("Photos/basil")]) { server in
      let library = server.library
      func symptom(_ name: String) throws -> Entry {
        try library.diary.addSymptom(Symptom(name: name, severity: Severity(2)))
      }
      let (kept, gone) = (try symptom("cough"), try symptom("<i>hiccups"))
      try library.diary.delete([gone.id], of: .symptom)
      let basil = try #require(try library.plants.references().first)
      _ = try library.activities.add(
        ActivityDetails(name: "Water", startFrom: library.today), plant: basil.id)
      try library.plants.delete(basil.id)
      // What is not in the trash stays, whoever asks.
      let fields = ["id": gone.id.description, "id": kept.id.description] as KeyValuePairs
      let asked = try await server.submit("/me/trash/delete", fields)
      #expect(asked.status == 422 && asked.html.contains("Delete “&lt;i&gt;hiccups” for good?"))
      #expect(try library.diary.entry(gone.id).deletedAt != nil)
      let form = try #require(FormFields(of: asked.html, to: "/me/trash/delete"))
      #expect(try await server.submit("/me/trash/delete", form.fields).status == 303)
      #expect(throws: LeaflogError.self) { try library.diary.entry(gone.id) }
      _ = try await server.submit(
        "/me/trash/delete", ["id": kept.id.description, "confirm": "true"])
      #expect(try library.diary.entry(kept.id).deletedAt == nil)
      #expect(try library.history.page(limit: 1).changes.isEmpty)
      _ = try await server.submit(
        "/me/trash/delete", ["only": basil.id.description, "confirm": "true"])
      #expect(try library.plants.all(deleted: true).isEmpty)
      #expect(try library.timeline.page(TimelineQuery(deleted: true), limit: 9).elements.isEmpty)
      #expect(try await server.look(at: "/me/trash").contains("The trash is empty."))
    }
  }

  @Test func `work on the library is tried out before it is done`() async throws {
    try await RunningServer.visit(importing: [Fixtures.path("Photos/basil")]) { server in
      #expect(try await server.look(at: "/me/store").contains("4 photos"))
      // Nothing but an explicit no makes it real.
      for kind in ["prune", "recompress"] {
        let begun = try await server.submit("/me/store", ["kind": kind])
        #expect(begun.headers["location"] == "/me/store?changed=0&started=\(kind).dry#jobs")
      }
      let store = try await server.look(at: "/me/store")
      #expect(store.contains(#"id="jobs""#))
      // No folder is allowed for backups.
      #expect(store.contains(#"<button class="button" disabled aria-describedby="backup-note">"#))
      #expect(store.contains("leaflog settings set service.folders"))
      let listed = try await server.answer("GET", "/api/v1/jobs").json["items"] as? [[String: Any]]
      let requests = try #require(listed).compactMap { $0["request"] as? [String: Any] }
      #expect(requests.count == 2 && requests.allSatisfy { $0["dryRun"] as? Bool == true })
      let refused = try await server.submit("/me/store", ["kind": "backup", "to": "/etc/<b>"])
      #expect(refused.status == 422 && !refused.html.contains("<b>"))
      #expect(refused.html.contains("id=\"problem\""))
      let id = try #require(listed?.first?["id"] as? String)
      #expect(try await server.look(at: "/me/store").contains("/jobs/\(id)/delete"))
      let film = try await server.submit(
        "/plants/basil/film", ["format": "gif", "fps": "99", "size": "64", "dateStamp": "true"])
      #expect(film.status == 422 && film.html.contains("value=\"99\""))
      let hours = try await server.submit(
        "/plants/basil/film",
        [
          "format": "gif", "fps": "99", "hoursFrom": "11:30", "hoursTo": "12:30", "at": "12:00",
          "light": "true",
        ])
      for field in ["hoursFrom", "hoursTo", "at"] {
        #expect(hours.html.contains(#"name="\#(field)" type="time" value="1"#), "\(field)")
      }
      let begun = try await server.submit(
        "/plants/basil/film",
        ["format": "gif", "fps": "9", "size": "64", "hoursFrom": "11:30", "light": "true"])
      let basil = try #require(try server.library.plants.references().first).id
      #expect(begun.headers["location"] == "/plants/\(basil)/film?changed=0&started=timelapse#jobs")
      let posted = try await server.answer("GET", "/api/v1/jobs").json["items"] as? [[String: Any]]
      let request = posted?.first?["request"] as? [String: Any]
      #expect(request?["between"] as? String == "11:30-24:00" && request?["light"] as? Bool == true)
      #expect(try await server.look(at: "/plants/basil/film").contains(#"id="jobs""#))
      _ = try server.library.plants.add(PlantDetails(name: "Mint"))
      let without = try await server.look(at: "/plants/Mint/film")
      #expect(without.contains("A film needs photos.") && without.contains(" disabled "))
      let report = try await server.submit(
        "/me/export", ["kind": "report", "days": "90", "back": "/insights?days=90#jobs"])
      #expect(report.headers["location"] == "/insights?days=90&changed=0&started=report#jobs")
      #expect(try await server.look(at: "/insights?days=90").contains(#"id="jobs""#))
    }
  }

  @Test func `everything is deleted for good only once the library's name was typed`() async throws
  {
    try await RunningServer.visit(importing: [Fixtures.path("Photos/basil")]) { server in
      let library = server.library
      _ = try library.diary.setMood(.happy, on: library.today)
      #expect(try await server.look(at: "/me/store").contains("href=\"/me/reset\""))
      let diary = try await server.look(at: "/me/reset")
      #expect(diary.contains("<dt>Moods</dt>") && !diary.contains("<dt>Photos</dt>"))
      #expect(try await server.look(at: "/me/reset?scope=everything").contains("<dt>Photos</dt>"))
      let refused = try await server.submit("/me/reset", ["scope": "diary", "name": "yes"])
      #expect(refused.status == 422 && refused.html.contains("Nothing was deleted"))
      #expect(try library.timeline.page().elements.count == 5)
      let done = try await server.submit(
        "/me/reset", ["scope": "diary", "name": "\(library.name)"])
      #expect(done.status == 303)
      #expect(
        try library.timeline.page().elements.map(\.kind) == Array(repeating: .photo, count: 4))
      #expect(try library.history.page(limit: 9).changes.isEmpty)
      _ = try await server.submit(
        "/me/reset", ["scope": "everything", "name": "\(library.name)"])
      #expect(try library.timeline.page().elements.isEmpty && library.plants.all().isEmpty)
      #expect(try await server.look(at: "/me/store").contains("0 photos"))
    }
  }

  @Test func `the page of everything else leads to all of it`() async throws {
    try await RunningServer.visit(importing: [Fixtures.path("Photos/basil")]) { server in
      try server.library.settings.set(.reportName, to: "<b>Mara")
      let page = try await server.look(at: "/me")
      #expect(page.contains("&lt;b&gt;Mara") && page.contains("4 photos"))
      for path in ["store", "history", "trash", "export", "reminders", "settings", "devices"] {
        #expect(page.contains("href=\"/me/\(path)\""))
      }
      #expect(!page.contains("/sign-out"))
    }
  }
}
