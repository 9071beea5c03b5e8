import Foundation
import Leaflog
import TestSupport
import Testing

/// Each kind of job, run to its end.
@Suite struct JobKindTests {
  /// Four photos.
  private static let basil = Fixtures.path("Photos/basil")

  private func result(_ server: JobServer, _ job: ServerEvent.Job) async throws -> Answer {
    try await server.answer("GET", "/api/v1/jobs/\(job.id)/result")
  }

  // MARK: Keeping the store

  @Test func `verify reads every byte, and tells what is damaged`() async throws {
    try await JobServer.run(importing: [Self.basil]) { server in
      let good = try await server.run(#"{"kind":"verify","full":true}"#)
      #expect(good.state == "done" && good.summary["damaged"] as? Int == 0)
      #expect(good.done == 100 && good.progress["unit"] as? String == "percent")
      let blob = try #require(server.folder.files(below: "library/blobs").first)
      try server.folder.write(Data([1, 2, 3]), to: "library/blobs/" + blob)
      let bad = try await server.run(#"{"kind":"verify"}"#)
      #expect(bad.state == "done" && bad.summary["damaged"] as? Int == 1)
      let damage = try #require((bad.result["damage"] as? [[String: Any]])?.first)
      #expect(damage["damage"] as? String == "wrongSize")
    }
  }

  @Test func `prune plans, and then does what it planned`() async throws {
    try await JobServer.run(importing: [Self.basil, Fixtures.path("Photos/monstera")]) { server in
      let basil = try server.library.plants.find(matching: "basil").id
      try server.library.plants.delete(basil)
      let plan = try await server.run(#"{"kind":"prune","olderThan":"0s","dryRun":true}"#)
      #expect(plan.state == "done" && plan.summary["purgedPhotos"] as? Int == 4)
      #expect(plan.summary["dryRun"] as? Bool == true)
      #expect(try server.library.timeline.page(.init(deleted: true)).elements.count == 4)
      let done = try await server.run(#"{"kind":"prune","olderThan":"0s"}"#)
      #expect(done.state == "done" && done.summary["purgedPhotos"] as? Int == 4)
      #expect(done.summary["dryRun"] == nil)
      #expect(try server.library.timeline.page(.init(deleted: true)).elements.isEmpty)
    }
  }

  @Test func `thinning lists its photos`() async throws {
    try await JobServer.run(importing: [Self.basil]) { server in
      let plan = try await server.run(#"{"kind":"prune","thin":"1/year","dryRun":true}"#)
      #expect(plan.summary["thinned"] as? Int == 3)
      let thinned = try #require(plan.result["thinned"] as? [[String: Any]])
      #expect(thinned.count == 3 && thinned.first?["plant"] as? String == "basil")
    }
  }

  @Test func `a suspicious prune fails with the library's code, and can be forced`() async throws {
    try await JobServer.run(importing: [Self.basil]) { server in
      try server.library.plants.delete(server.library.plants.find(matching: "basil").id)
      let refused = try await server.run(#"{"kind":"prune","olderThan":"0s"}"#)
      #expect(refused.state == "failed" && refused.problem["code"] as? String == "suspicious")
      let remedy = refused.problem["remedy"] as? String
      #expect(remedy == "Name “half-store” in “waive” to prune anyway.")
      let other = try await server.run(#"{"kind":"prune","olderThan":"0s","waive":["clock"]}"#)
      #expect(other.state == "failed" && other.problem["code"] as? String == "suspicious")
      for waived in [#""force":true"#, #""waive":["half-store"]"#] {
        let plan = try await server.run(
          #"{"kind":"prune","olderThan":"0s","dryRun":true,\#(waived)}"#)
        #expect(plan.state == "done")
      }
      let forced = try await server.run(#"{"kind":"prune","olderThan":"0s","force":true}"#)
      #expect(forced.state == "done" && forced.summary["purgedPhotos"] as? Int == 4)
    }
  }

  @Test func `recompress counts photo by photo`() async throws {
    try await JobServer.run(importing: [Self.basil]) { server in
      let plan = try await server.run(
        #"{"kind":"recompress","policy":"lossless","minSaving":0,"dryRun":true}"#)
      #expect(plan.summary["changed"] as? Int == 4 && plan.summary["dryRun"] as? Bool == true)
      let done = try await server.run(#"{"kind":"recompress","policy":"lossless","minSaving":0}"#)
      #expect(done.state == "done" && done.summary["changed"] as? Int == 4)
      #expect(done.done == 4 && done.progress["total"] as? Int == 4)
      let again = try await server.run(
        #"{"kind":"recompress","policy":"lossless","plant":"basil"}"#)
      #expect((again.summary["kept"] as? [String: Int])?["alreadySo"] == 4)
    }
  }

  @Test func `backup makes a library of its own below an allowed folder`() async throws {
    try await JobServer.run(importing: [Self.basil]) { server in
      let place = server.folder.file("backups")
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
      try server.library.settings.set(.serviceFolders, to: place)
      let done = try await server.run(#"{"kind":"backup","to":"\#(place)/one"}"#)
      #expect(done.state == "done" && done.summary["damaged"] as? Int == 0)
      #expect(done.summary["newOnOwnDisk"] as? Bool == true)
      let backup = try Library.open(at: place + "/one", for: .reading)
      #expect(try backup.timeline.page().elements.count == 4)
      #expect(!server.folder.files(below: "backups/one").contains { $0.contains("jobs") })
      try backup.close()
    }
  }

  // MARK: Importing

  @Test func `a folder is imported with progress, and nothing of the machine is told`()
    async throws
  {
    try await JobServer.run(importing: [Self.basil]) { server in
      let folder = Fixtures.path("Photos")
      try server.library.settings.set(.serviceFolders, to: folder)
      let answer = try await server.post(
        #"{"kind":"importFolder","path":"\#(folder)/monstera","dryRun":true}"#)
      let plan = try await server.end(of: try #require(try answer.json["id"] as? String))
      #expect(plan.summary["added"] as? Int == 5 && plan.summary["dryRun"] as? Bool == true)
      #expect(try server.library.timeline.page().elements.count == 4)
      let done = try await server.run(#"{"kind":"importFolder","path":"\#(folder)/monstera"}"#)
      #expect(done.state == "done" && done.summary["added"] as? Int == 5)
      #expect(done.done == 5 && done.progress["unit"] as? String == "files")
      #expect(try server.library.plants.find(matching: "monstera").photoCount == 5)
      let other = try await server.run(
        #"{"kind":"importFolder","path":"\#(folder)/tomato","plant":"Roma"}"#)
      #expect(other.summary["added"] as? Int == 4)
      #expect(try server.library.plants.find(matching: "Roma").photoCount == 4)
    }
  }

  @Test func `a file that cannot be imported is named below its folder`() async throws {
    try await JobServer.run(importing: [Self.basil]) { server in
      try server.folder.write(Data("no picture".utf8), to: "inbox/fern/broken.jpg")
      let folder = server.folder.file("inbox")
      try server.library.settings.set(.serviceFolders, to: folder)
      let done = try await server.run(#"{"kind":"importFolder","path":"\#(folder)"}"#)
      let failed = try #require(done.result["failed"] as? [[String: Any]])
      #expect(failed.map { $0["path"] as? String } == ["fern/broken.jpg"])
      #expect(done.state == "done" && done.summary["failed"] as? Int == 1)
    }
  }

  @Test func `an import that was cancelled is finished by doing it again`() async throws {
    try await JobServer.run(importing: [Self.basil]) { server in
      try server.library.settings.set(.serviceFolders, to: Fixtures.path("Photos"))
      let lock = try #require(LibraryLock(server.library))
      let id = try #require(
        try await server.post(
          #"{"kind":"importFolder","path":"\#(Fixtures.path("Photos/monstera"))"}"#
        ).json["id"] as? String)
      for await event in try server.events(of: id).events where event.job.state == "running" {
        break
      }
      // It is at work and waits for the lock.
      #expect(try await server.answer("DELETE", "/api/v1/jobs/\(id)").status == 202)
      lock.release()
      let end = try await server.end(of: id)
      #expect(end.state == "cancelled" && end.summary["interrupted"] as? Bool == true)
      #expect(end.summary["added"] as? Int == 0)
      let retried = try await server.answer("POST", "/api/v1/jobs/\(id)/retry").json
      let done = try await server.end(of: try #require(retried["id"] as? String))
      #expect(done.state == "done" && done.summary["added"] as? Int == 5)
    }
  }

  // MARK: Files

  @Test func `the diary comes as a file that makes the same diary`() async throws {
    try await JobServer.run(importing: [Self.basil]) { server in
      _ = try server.library.diary.setMood(.happy, on: server.library.today)
      let job = try await server.run(#"{"kind":"exportDiary"}"#)
      #expect(job.state == "done" && job.result["entries"] as? Int == 1)
      let file = try await result(server, job)
      #expect(file.status == 200 && file.headers["content-type"] == "application/json")
      #expect(file.body.count == job.file["byteCount"] as? Int)
      #expect(try file.json["format"] is String)
    }
  }

  @Test func `a result is sent as an attachment, whole or in part`() async throws {
    try await JobServer.run(importing: [Self.basil]) { server in
      _ = try server.library.diary.setMood(.happy, on: server.library.today)
      try server.library.settings.set(.reportName, to: "Mara")
      let job = try await server.run(#"{"kind":"csv","table":"mood"}"#)
      #expect((job.result["rows"] as? [String: Int]) == ["mood": 1])
      let whole = try await result(server, job)
      #expect(whole.headers["content-type"]?.hasPrefix("text/csv") == true)
      // Whose it is, and of when.
      let name = "Mara-moods-\(server.library.today).csv"
      #expect(whole.headers["content-disposition"] == #"attachment; filename="\#(name)""#)
      #expect(whole.headers["x-content-type-options"] == "nosniff")
      let path = "/api/v1/jobs/\(job.id)/result"
      let part = try await server.answer("GET", path, headers: ["Range: bytes=0-3"])
      #expect(part.status == 206 && part.body == Array(whole.body.prefix(4)))
      let tag = try #require(whole.headers["etag"])
      #expect(
        try await server.answer("GET", path, headers: ["If-None-Match: \(tag)"]).status == 304)
      // The folder may be emptied at any time.
      try FileManager.default.removeItem(atPath: server.library.path + "/cache")
      let gone = try await result(server, job)
      #expect(try gone.status == 404 && gone.json["code"] as? String == "notKept")
    }
  }

  @Test func `the report is a PDF of the days that were asked for`() async throws {
    try await JobServer.run(importing: [Self.basil]) { server in
      let job = try await server.run(
        #"{"kind":"report","from":"2026-01-01","to":"2026-01-31","language":"de"}"#)
      #expect(job.state == "done" && job.result["firstDay"] as? String == "2026-01-01")
      #expect(job.result["lastDay"] as? String == "2026-01-31")
      let file = try await result(server, job)
      #expect(file.headers["content-type"] == "application/pdf")
      #expect(file.body.starts(with: Array("%PDF-".utf8)))
      #expect(String(decoding: file.body.suffix(600), as: UTF8.self).contains("/Lang (de)"))
      let english = try await result(server, try await server.run(#"{"kind":"report"}"#))
      #expect(String(decoding: english.body.suffix(600), as: UTF8.self).contains("/Lang (en)"))
    }
  }

  @Test func `a time-lapse is a film under the plant's name`() async throws {
    try await JobServer.run(importing: [Self.basil]) { server in
      _ = try server.library.plants.rename(
        server.library.plants.find(matching: "basil").id, to: "Grünes Basilikum")
      let job = try await server.run(
        #"{"kind":"timelapse","plant":"Grünes Basilikum","format":"gif","size":64}"#)
      #expect(job.state == "done" && job.result["frames"] as? Int == 4)
      #expect(job.result["path"] == nil)
      let film = try await result(server, job)
      #expect(
        film.headers["content-type"] == "image/gif" && film.body.starts(with: Array("GIF8".utf8)))
      #expect(
        film.headers["content-disposition"]
          == "attachment; filename=\"Gr_nes Basilikum-\(server.library.today).gif\"; "
          + "filename*=UTF-8''Gr%C3%BCnes%20Basilikum-\(server.library.today).gif")
    }
  }

  @Test func `a film has photos of a span and of hours, and thinning keeps some of these`()
    async throws
  {
    let photos = try TemporaryFolder()
    for (number, time) in [
      "20260301_080000", "20260301_120000", "20260302_080000", "20260302_121000",
    ]
    .enumerated() {
      try photos.write(DrawnFrame(lightness: 120).png(number), to: "photos/fern/\(time).png")
    }
    try photos.write(DrawnFrame.night.png(9), to: "photos/fern/20260302_234500.png")
    try await JobServer.run(importing: [photos.file("photos")]) { server in
      for (fields, count) in [
        (#""between":"12:00-23:50""#, 3), (#""at":"12:05""#, 2), (#""light":true"#, 4),
        (#""from":"2026-03-01T09:00","to":"2026-03-02T07:00:00Z""#, 2),
      ] {
        let job = try await server.run(
          #"{"kind":"timelapse","plant":"fern","format":"gif","size":16,\#(fields)}"#)
        #expect(job.state == "done" && job.result["frames"] as? Int == count, "\(fields)")
      }
      let thinned = try await server.run(
        #"{"kind":"prune","thin":"1/day","at":"12:00","dryRun":true}"#)
      let photos = thinned.result["thinned"] as? [[String: Any]]
      let ids = photos?.compactMap { $0["photo"] as? String }
      let noon = try server.library.timeline.page().elements.filter { $0.time.wall.hour == 12 }
      #expect(ids?.count == 3 && noon.allSatisfy { ids?.contains($0.id.description) == false })
      for wrong in [
        #"{"kind":"timelapse","plant":"fern","between":"8-18"}"#,
        #"{"kind":"timelapse","plant":"fern","at":"25:00"}"#, #"{"kind":"prune","light":true}"#,
      ] {
        #expect(try await server.post(wrong).status == 400, "\(wrong)")
      }
    }
  }

  @Test func `the table of photos is a job, of one plant if that is wanted`() async throws {
    try await JobServer.run(importing: [Self.basil, Fixtures.path("Photos/monstera")]) { server in
      let job = try await server.run(#"{"kind":"csv","table":"photo","plant":"basil"}"#)
      #expect(job.state == "done")
      let table = try await result(server, job)
      let lines = String(decoding: table.body, as: UTF8.self).split(separator: "\r\n")
      #expect(lines.count == 5 && lines.dropFirst().allSatisfy { $0.contains(#","basil","#) })
      for wrong in [#""table":"photo","plant":"zzz""#, #""table":"activity","plant":"basil""#] {
        #expect(try await server.post(#"{"kind":"csv",\#(wrong)}"#).status >= 400, "\(wrong)")
      }
    }
  }

  @Test func `a failure has its reason`() async throws {
    try await JobServer.run(importing: [Self.basil]) { server in
      let job = try await server.run(
        #"{"kind":"timelapse","plant":"basil","from":"2031-01-01"}"#)
      #expect(job.state == "failed" && job.problem["code"] as? String == "invalidRequest")
      #expect(job.problem["detail"] as? String == "There is no photo to show.")
      #expect(server.folder.files(below: "library/cache/jobs").isEmpty)
    }
  }

  @Test func `forgetting for good takes earlier jobs and their files along`() async throws {
    try await JobServer.run(importing: [Self.basil, Fixtures.path("Photos/monstera")]) { server in
      let film = try await server.run(
        #"{"kind":"timelapse","plant":"basil","format":"gif","size":64}"#)
      #expect(film.state == "done")
      try server.library.plants.delete(server.library.plants.find(matching: "basil").id)
      let prune = try await server.run(#"{"kind":"prune","olderThan":"0s"}"#)
      #expect(prune.state == "done")
      #expect(try await result(server, film).status == 404)
      #expect(server.folder.files(below: "library/cache/jobs").isEmpty)
      let list = try String(contentsOf: server.list, encoding: .utf8)
      #expect(list.contains(prune.id) && !list.contains("basil"))
      #expect(try await server.states() == ["done"])
    }
  }
}
