import Foundation
import Leaflog
import TestSupport
import Testing

/// Writing over HTTP: every verb, conditions, repetitions, refusals.
@Suite struct WritingTests {
  // MARK: Verbs

  @Test func `a symptom is logged, edited, deleted, restored, and its change undone`() async throws
  {
    try await RunningServer.run { server in
      let made = try await server.write(
        "POST", "symptoms",
        #"{"symptom":{"name":"headache","severity":"moderate"},"notes":"n","tags":["work"]}"#)
      #expect(made.status == 201 && made.headers["leaflog-change"] != nil)
      let id = try #require(made.json["id"] as? String)
      let edited = try await server.write(
        "PATCH", "entries/\(id)", #"{"symptom":{"severity":2},"notes":null}"#)
      let symptom = try #require(edited.json["symptom"] as? [String: Any])
      #expect(symptom["severity"] as? Int == 2 && symptom["severityLabel"] == nil)
      #expect(symptom["name"] as? String == "headache")
      #expect(try edited.json["notes"] == nil && edited.json["tags"] as? [String] == ["work"])
      #expect(try await server.write("DELETE", "entries/\(id)").status == 200)
      #expect(try server.library.diary.entry(matching: id).deletedAt != nil)
      let back = try await server.write("POST", "entries/restore", #"{"ids":["\#(id)"]}"#)
      #expect(back.status == 200)
      let change = try #require(edited.headers["leaflog-change"])
      #expect(try await server.write("POST", "changes/\(change)/undo").status == 200)
      let entry = try server.library.diary.entry(matching: id)
      #expect(entry.notes == "n" && entry.deletedAt == nil)
      let origin = try server.library.history.page(limit: 10).changes.map(\.origin)
      #expect(origin.contains("POST /api/v1/symptoms"))
    }
  }

  @Test
  func `whoever has the present version is not sent it again, and an excluded one is not edited`()
    async throws
  {
    try await RunningServer.run { server in
      let path = "plants/\(try server.library.plants.add(PlantDetails(name: "fern")).id)"
      let read = try await server.answer("/api/v1/" + path)
      let tag = try #require(read.headers["etag"])
      let again = try await server.answer("/api/v1/" + path, ["If-None-Match: \(tag)"])
      #expect(again.status == 304 && again.body.isEmpty && again.headers["etag"] == tag)
      let other = try await server.answer("/api/v1/" + path, [#"If-Match: "other""#])
      #expect(other.status == 412)
      for (list, status) in [("*", 412), (tag, 412), (#""other""#, 200)] {
        let edited = try await server.write(
          "PATCH", path, #"{"notes":"n"}"#, ["If-None-Match: \(list)"])
        #expect(edited.status == status)
      }
    }
  }

  @Test(arguments: [
    ("plants", #"{"name":"fern"}"#), ("symptoms", #"{"symptom":{"name":"x","severity":"mild"}}"#),
    ("episodes", #"{"occurredAt":"2025-03-01","episode":{"type":"cold"}}"#),
    ("activities", #"{"name":"water","startFrom":"2025-01-01"}"#), ("quotes", #"{"text":"q"}"#),
  ])
  func `the answer to what was created says where it is`(path: String, body: String) async throws {
    try await RunningServer.run { server in
      let made = try await server.write("POST", path, body)
      #expect(made.status == 201)
      let location = try #require(made.headers["location"])
      let read = try await server.answer(location)
      #expect(read.status == 200)
      let id = try #require(made.json["id"] as? String)
      #expect(try read.json["id"] as? String == id)
    }
  }

  @Test func `a compressed body is refused with the encodings that are accepted`() async throws {
    try await RunningServer.run { server in
      let refused = try await server.write(
        "POST", "plants", #"{"name":"fern"}"#, ["Content-Encoding: gzip"])
      #expect(refused.status == 415 && refused.headers["accept-encoding"] == "identity")
    }
  }

  @Test func `a day's log and mood are set, and fields that are not named stay`() async throws {
    try await RunningServer.run { server in
      let day = server.library.today.advanced(by: -1)
      _ = try await server.write(
        "PATCH", "days/\(day)/log", #"{"dailyLog":{"sleepHours":7.5,"stress":2},"notes":"calm"}"#)
      let second = try await server.write(
        "PATCH", "days/\(day)/log", #"{"dailyLog":{"stress":null,"officeDay":true}}"#)
      let log = try #require(second.json["dailyLog"] as? [String: Any])
      #expect(log["sleepHours"] as? Double == 7.5 && log["stress"] == nil)
      #expect(log["officeDay"] as? Bool == true)
      #expect(try second.json["notes"] as? String == "calm")
      let mood = try await server.write("PUT", "days/\(day)/mood", #"{"mood":"happy"}"#)
      #expect(try mood.json["mood"] as? String == "happy")
    }
  }

  @Test func `an episode that shares days with another is made when it is meant`() async throws {
    try await RunningServer.run { server in
      let first = try await server.write(
        "POST", "episodes", #"{"occurredAt":"2026-03-01","episode":{"type":"cold"}}"#)
      #expect(first.status == 201)
      let body = #"{"occurredAt":"2026-03-02","episode":{"type":"cough"}"#
      let refused = try await server.write("POST", "episodes", body + "}")
      #expect(refused.status == 409)
      #expect((try refused.json["remedy"] as? String)?.contains("allowOverlap") == true)
      let meant = try await server.write("POST", "episodes", body + #","allowOverlap":true}"#)
      #expect(meant.status == 201)
      let id = try #require(first.json["id"] as? String)
      let ended = try await server.write(
        "PATCH", "entries/\(id)", #"{"episode":{"endDay":"2026-03-01"}}"#)
      #expect(try ended.json["durationDays"] as? Int == 1)
    }
  }

  @Test func `photos are edited, moved, tagged and dated, in one change each`() async throws {
    try await RunningServer.run { server in
      _ = try server.library.plants.add(PlantDetails(name: "Fern"))
      let photos = try server.library.timeline.page(limit: 2).elements
      let before = try server.library.history.page(limit: 1).changes[0].id
      let edited = try await server.write(
        "PATCH", "entries/\(photos[0].id)",
        #"{"plant":"fern","notes":"new","favourite":true,"tags":["a"],"occurredAt":"2025-05-12T09:30"}"#
      )
      #expect(edited.headers["leaflog-change"] == "\(before + 1)")
      let entry = try server.library.diary.entry(matching: "\(photos[0].id)")
      #expect(entry.plant?.name == "Fern" && entry.notes == "new" && entry.tags == ["a"])
      #expect(entry.photo?.isFavourite == true)
      // The offset that was recorded stays.
      #expect(entry.time.recorded.iso8601 == "2025-05-12T09:30:00+01:00")
      let day = try await server.write(
        "PATCH", "entries/\(photos[0].id)", #"{"occurredAt":"2025-05-13"}"#)
      #expect(try day.json["occurredAt"] as? String == "2025-05-13T09:30:00+01:00")
      let ids = photos.map { "\"\($0.id)\"" }.joined(separator: ",")
      let tagged = try await server.write("POST", "entries/tags", #"{"ids":[\#(ids)],"add":["b"]}"#)
      #expect((try tagged.json["items"] as? [Any])?.count == 2)
      let redated = try await server.write(
        "POST", "photos/redate", #"{"ids":[\#(ids)],"shiftSeconds":3600}"#)
      #expect((try redated.json["items"] as? [Any])?.count == 2)
      let none = try await server.write("PATCH", "entries/\(photos[0].id)", #"{"plant":null}"#)
      #expect(try none.json["plant"] == nil)
    }
  }

  @Test func `a plant is added, edited, merged, deleted and restored`() async throws {
    try await RunningServer.run { server in
      let fern = try await server.write("POST", "plants", #"{"name":"Fern","location":"bath"}"#)
      #expect(fern.status == 201)
      #expect(try await server.write("POST", "plants", #"{"name":"fern"}"#).status == 409)
      let edited = try await server.write("PATCH", "plants/fern", #"{"location":null,"notes":"x"}"#)
      #expect(try edited.json["location"] == nil && edited.json["notes"] as? String == "x")
      #expect(
        try await server.write("POST", "plants/basil/merge", #"{"into":"Fern"}"#).status == 200)
      #expect(try server.library.plants.find(matching: "Fern").photoCount == 4)
      let id = try #require(fern.json["id"] as? String)
      #expect(try await server.write("DELETE", "plants/\(id)").status == 200)
      #expect(try await server.answer("/api/v1/plants/fern").status == 404)
      #expect(try await server.write("POST", "plants/\(id)/restore").status == 200)
      #expect(try server.library.plants.find(matching: "Fern").photoCount == 4)
    }
  }

  @Test func `an activity is added, done, undone, edited and put into order`() async throws {
    try await RunningServer.run { server in
      let made = try await server.write(
        "POST", "activities", #"{"name":"Water basil","plant":"basil","everyDays":3}"#)
      #expect(made.status == 201)
      #expect((try made.json["emoji"] as? String)?.isEmpty == false)
      let today = server.library.today
      let days = #"{"days":["\#(today.advanced(by: -2))","\#(today.advanced(by: -1))"]}"#
      let path = "activities/water%20basil/completions"
      #expect(try await server.write("POST", path, days).status == 200)
      #expect(try await server.write("POST", path, days).status == 409)
      let skipped = try await server.write(
        "POST", path, days.dropLast() + #","skipDone":true}"#)
      #expect(try skipped.json["unchanged"] as? Int == 2)
      #expect(try await server.write("POST", path).status == 200)
      #expect(try await server.write("DELETE", path + "/today").status == 200)
      let done = try server.library.diary.entries(of: .completion)[0]
      let noted = try await server.write(
        "PATCH", "entries/\(done.id)", #"{"notes":"by hand","tags":["care"]}"#)
      #expect(try noted.json["notes"] as? String == "by hand")
      #expect(try noted.json["tags"] as? [String] == ["care"])
      #expect(
        try await server.write("PATCH", "entries/\(done.id)", #"{"mood":"sad"}"#).status == 409)
      let edited = try await server.write(
        "PATCH", "activities/water%20basil", #"{"everyDays":null,"weeklyGoal":2,"plant":null}"#)
      #expect(try edited.json["everyDays"] == nil && edited.json["weeklyGoal"] as? Int == 2)
      #expect(try edited.json["plant"] == nil && edited.json["completionCount"] as? Int == 2)
      _ = try await server.write("POST", "activities", #"{"name":"Prune"}"#)
      let order = try await server.write(
        "PUT", "activities/order", #"{"ids":["Prune","Water basil"]}"#)
      let names = (try order.json["items"] as? [[String: Any]])?.map { $0["name"] as? String }
      #expect(names == ["Prune", "Water basil"])
      #expect(try await server.write("DELETE", "activities/prune").status == 200)
    }
  }

  @Test func `a field is added to the log, filled in, edited, hidden, moved and deleted`()
    async throws
  {
    try await RunningServer.run { server in
      let made = try await server.write(
        "POST", "factors", #"{"name":"Coffee","kind":"number","highest":10,"unit":"cups"}"#)
      #expect(made.status == 201)
      #expect(try made.json["lowest"] as? Int == 0 && made.json["place"] as? Int == 1)
      #expect(
        try await server.write("POST", "factors", #"{"name":"coffee","kind":"flag"}"#).status == 409
      )
      let place = #"{"name":"Place","kind":"choice","choices":["home","garden"]}"#
      _ = try await server.write("POST", "factors", place)
      let path = "days/2026-03-01/log"
      let log = try await server.write(
        "PATCH", path, #"{"dailyLog":{"factors":{"coffee":2.5,"Place":"Garden"}}}"#)
      #expect(log.status == 200)
      func values(_ answer: Answer) throws -> [String: Any]? {
        (try answer.json["dailyLog"] as? [String: Any])?["factors"] as? [String: Any]
      }
      #expect(try values(log)?["Coffee"] as? Double == 2.5)
      #expect(try values(log)?["Place"] as? String == "garden")
      let next = try await server.write("PATCH", path, #"{"dailyLog":{"factors":{"PLACE":null}}}"#)
      #expect(try values(next)?.keys.sorted() == ["Coffee"])
      for wrong in [
        #"{"Coffee":11}"#, #"{"Coffee":"2"}"#, #"{"Tea":1}"#, #"{"Coffee":[1]}"#, "[]",
      ] {
        let refused = try await server.write("PATCH", path, #"{"dailyLog":{"factors":\#(wrong)}}"#)
        #expect(refused.status == 400, "\(wrong)")
      }
      let edited = try await server.write(
        "PATCH", "factors/coffee", #"{"name":"Espresso","isHidden":true,"highest":5}"#)
      #expect(
        try edited.json["isHidden"] as? Bool == true && edited.json["valueCount"] as? Int == 1)
      #expect(try await server.write("PATCH", "factors/espresso", #"{"highest":2}"#).status == 400)
      let order = try await server.write(
        "PUT", "factors/order", #"{"ids":["Place","Espresso"]}"#)
      let names = (try order.json["items"] as? [[String: Any]])?.map { $0["name"] as? String }
      #expect(names == ["Place", "Espresso"])
      #expect(try await server.write("DELETE", "factors/espresso").status == 200)
      #expect(try await server.write("DELETE", "factors/espresso").status == 404)
    }
  }

  @Test func `quotes, tags and settings`() async throws {
    try await RunningServer.run { server in
      #expect(try await server.write("PUT", "quotes/b12/favourite").status == 200)
      let own = try await server.write("POST", "quotes", #"{"text":"Grow.","author":"Me"}"#)
      #expect(own.status == 201)
      let twice = try await server.write("POST", "quotes", #"{"text":"Grow.","author":"Me"}"#)
      #expect(twice.status == 200)
      let found = try await server.answer("/api/v1/quotes?q=grow&limit=1").json
      #expect((found["items"] as? [[String: Any]])?.first?["text"] as? String == "Grow.")
      #expect(try await server.write("DELETE", "quotes/b12/favourite").status == 200)
      let set = try await server.write("PUT", "settings/timeZone", #"{"value":"Asia/Tokyo"}"#)
      #expect(try set.json["timeZone"] as? String == "Asia/Tokyo")
      // What is written next goes by the new zone, without a new start.
      let made = try await server.write(
        "POST", "symptoms", #"{"symptom":{"name":"x","severity":1}}"#)
      #expect((try made.json["occurredAt"] as? String)?.hasSuffix("+09:00") == true)
      for name in ["colour", "service.folders"] {
        #expect(try await server.write("PUT", "settings/\(name)", #"{"value":"/"}"#).status == 404)
        #expect(try await server.answer("/api/v1/settings").json[name] == nil)
      }
    }
  }

  // MARK: Conditions

  @Test func `of two who edit one entry, the second is told`() async throws {
    try await RunningServer.run { server in
      let photo = try server.library.timeline.page(limit: 1).elements[0]
      let path = "entries/\(photo.id)"
      let tag = try #require(try await server.answer("/api/v1/\(path)").headers["etag"])
      let first = try await server.write("PATCH", path, #"{"notes":"one"}"#, ["If-Match: \(tag)"])
      #expect(first.status == 200 && first.headers["etag"] != tag)
      let second = try await server.write("PATCH", path, #"{"notes":"two"}"#, ["If-Match: \(tag)"])
      #expect(try second.status == 412 && second.json["code"] as? String == "changed")
      #expect(try server.library.diary.entry(matching: "\(photo.id)").notes == "one")
      let newer = try #require(first.headers["etag"])
      // What the command line edits counts, too.
      _ = try server.library.photos.edit(photo.id, notes: "three")
      let third = try await server.write("DELETE", path, "", ["If-Match: \(newer)"])
      #expect(third.status == 412)
      #expect(try server.library.diary.entry(matching: "\(photo.id)").deletedAt == nil)
    }
  }

  @Test(arguments: [
    ("days/2025-03-01/log", "PATCH", #"{"dailyLog":{"sleepHours":7}}"#),
    ("days/2025-03-01/mood", "PUT", #"{"mood":"happy"}"#),
    ("factors/tea", "PATCH", #"{"isHidden":true}"#),
  ])
  func `a day's log, its mood and a factor are read with the version that an edit names`(
    path: String, method: String, body: String
  ) async throws {
    try await RunningServer.run(importing: []) { server in
      #expect(try await server.answer("/api/v1/" + path).status == 404)
      if path.hasPrefix("factors") {
        let added = try await server.write("POST", "factors", #"{"name":"tea","kind":"flag"}"#)
        #expect(added.status == 201 && added.headers["etag"] != nil)
      } else {
        #expect(try await server.write(method, path, body).status == 200)
      }
      let read = try await server.answer("/api/v1/" + path)
      let tag = try #require(read.headers["etag"])
      #expect(
        try await server.answer("/api/v1/" + path, ["If-None-Match: \(tag)"]).status == 304)
      let changed = body.replacing(":7", with: ":8").replacing("happy", with: "calm")
      let edited = try await server.write(method, path, changed, ["If-Match: \(tag)"])
      #expect(edited.status == 200 && edited.headers["etag"] != tag)
      let again = try await server.write(method, path, body, ["If-Match: \(tag)"])
      #expect(try again.status == 412 && again.json["code"] as? String == "changed")
      #expect(
        try await server.answer("/api/v1/" + path).headers["etag"] == edited.headers["etag"])
    }
  }

  @Test func `of twenty edits of one version at once, one takes effect`() async throws {
    try await RunningServer.run { server in
      _ = try server.library.plants.add(PlantDetails(name: "Fern"))
      let tag = try #require(try await server.answer("/api/v1/plants/fern").headers["etag"])
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<20 {
          group.addTask {
            try await server.write(
              "PATCH", "plants/fern", #"{"notes":"\#(number)"}"#, ["If-Match: \(tag)"]
            ).status
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses.count { $0 == 200 } == 1 && statuses.count { $0 == 412 } == 19)
    }
  }

  // MARK: Repetitions

  @Test func `a request that is sent again is carried out once`() async throws {
    try await RunningServer.run { server in
      let body = #"{"symptom":{"name":"cough","severity":2}}"#
      let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
        for _ in 0..<8 {
          group.addTask {
            try await server.write("POST", "symptoms", body, ["Idempotency-Key: k1"])
          }
        }
        return try await group.reduce(into: [Answer]()) { $0.append($1) }
      }
      #expect(Set(answers.map(\.status)) == [201])
      #expect(Set(answers.map { String(decoding: $0.body, as: UTF8.self) }).count == 1)
      #expect(try server.library.diary.entries(of: .symptom).count == 1)
      // Undone, it stays undone when its request arrives once more.
      _ = try server.library.history.undo()
      _ = try await server.write("POST", "symptoms", body, ["Idempotency-Key: k1"])
      #expect(try server.library.diary.entries(of: .symptom).isEmpty)
      let other = try await server.write(
        "POST", "symptoms", body.replacingOccurrences(of: "2", with: "3"), ["Idempotency-Key: k1"])
      #expect(other.status == 409)
    }
  }

  @Test func `a refused request is none that was carried out`() async throws {
    try await RunningServer.run { server in
      let body = #"{"into":"Fern"}"#
      let first = try await server.write("POST", "plants/basil/merge", body, ["Idempotency-Key: m"])
      #expect(first.status == 404)
      _ = try server.library.plants.add(PlantDetails(name: "Fern"))
      let second = try await server.write(
        "POST", "plants/basil/merge", body, ["Idempotency-Key: m"])
      #expect(second.status == 200)
    }
  }

  // MARK: Refusals

  @Test(arguments: [
    ("POST", "symptoms", "{"), ("POST", "symptoms", "[]"), ("POST", "symptoms", "{}"),
    ("POST", "symptoms", #"{"symptom":{"name":"x","severity":9}}"#),
    ("POST", "symptoms", #"{"symptom":{"name":"x","severity":"huge"}}"#),
    ("POST", "symptoms", #"{"symptom":{"name":"","severity":1}}"#),
    ("POST", "symptoms", #"{"symptom":{"name":"x","severity":1,"colour":"red"}}"#),
    ("POST", "symptoms", #"{"symptom":{"name":"x","severity":1},"note":"x"}"#),
    ("POST", "symptoms", #"{"symptom":{"name":"x","severity":1},"tags":"x"}"#),
    ("POST", "symptoms", #"{"symptom":{"name":"x","severity":1},"occurredAt":"yesterday"}"#),
    ("POST", "symptoms", #"{"symptom":{"name":"x","severity":1},"occurredAt":"9999-01-01"}"#),
    ("PATCH", "days/2026-02-10/log", #"{"notes":"a\u0000b"}"#),
    ("PATCH", "days/2026-02-30/log", "{}"), ("PATCH", "days/9999-01-01/log", "{}"),
    ("PATCH", "days/2026-03-01/log", #"{"dailyLog":{"sleepHours":7.1}}"#),
    ("PATCH", "days/2026-03-01/log", #"{"dailyLog":{"stress":1.5}}"#),
    ("PUT", "days/2026-03-01/mood", #"{"mood":"green"}"#),
    ("POST", "episodes", #"{"episode":{"type":"boredom"}}"#),
    ("POST", "plants", #"{"name":7}"#), ("POST", "plants", #"{"name":"a\nb"}"#),
    ("POST", "activities", #"{"name":"x","everyDays":0}"#),
    ("POST", "activities", #"{"name":"x","everyDays":1e300}"#),
    ("POST", "entries/tags", #"{"ids":[]}"#), ("POST", "photos/redate", #"{"ids":[]}"#),
    ("PUT", "settings/policy", #"{"value":"tiny"}"#),
  ])
  func `a value that the diary does not take is refused with the reason`(
    method: String, path: String, body: String
  ) async throws {
    try await RunningServer.run { server in
      let before = try server.library.history.page(limit: 1).changes.first?.id
      let answer = try await server.write(method, path, body)
      #expect(answer.status == 400)
      #expect((try answer.json["detail"] as? String)?.hasSuffix(".") == true)
      #expect(try server.library.history.page(limit: 1).changes.first?.id == before)
    }
  }

  @Test func `a symptom of long ago is logged when it is meant`() async throws {
    try await RunningServer.run { server in
      let body = #"{"symptom":{"name":"x","severity":1},"occurredAt":"2026-01-01T09:00"#
      let refused = try await server.write("POST", "symptoms", body + #""}"#)
      #expect(try refused.status == 409 && refused.json["code"] as? String == "unconfirmed")
      let meant = try await server.write("POST", "symptoms", body + #"","allowLate":true}"#)
      #expect(meant.status == 201)
    }
  }

  @Test func `a body has to be JSON, and not a large one`() async throws {
    try await RunningServer.run { server in
      let text = try await server.answer(
        "POST", "/api/v1/plants", ["Content-Type: text/plain"], body: Array(#"{"name":"x"}"#.utf8))
      #expect(text.status == 415)
      let large = #"{"name":"x","notes":""# + String(repeating: "x", count: 2 << 20) + #""}"#
      #expect(try await server.write("POST", "plants", large).status == 413)
      let deep = String(repeating: "[", count: 100_000)
      #expect(try await server.write("POST", "plants", deep).status == 400)
    }
  }
}
