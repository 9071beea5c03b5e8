import Foundation
import Leaflog
import TestSupport
import Testing

/// Plants as pages.
@Suite struct PlantPagesTests {
  private static let script = "<img src=x onerror=alert(1)>"

  @Test func `a plant is added, shown, edited, and words are never taken for HTML`() async throws {
    try await RunningServer.visit(importing: [Fixtures.path("Photos/basil")]) { server in
      let added = try await server.submit(
        "/plants",
        ["name": Self.script, "scientificName": "", "location": "sill", "notes": "a\r\nb"])
      let plant = try #require(server.library.plants.all().first { $0.name == Self.script })
      #expect(
        added.status == 303 && plant.details.location == "sill" && plant.details.notes == "a\nb")
      let place = try #require(added.headers["location"])
      #expect(place.hasPrefix("/plants/\(plant.id)?changed="))
      for path in [place, "/plants", "/plants?location=sill&sort=due", "/plants/\(plant.id)/edit"] {
        let page = try await server.look(at: path)
        #expect(!page.contains("<img src=x") && page.contains("&lt;img src=x onerror"))
      }
      #expect(try await server.look(at: place).contains("name=\"change\""))
      #expect(try await !server.look(at: "/plants?location=sill").contains(">basil<"))
    }
  }

  @Test func `braces in a name are text`() async throws {
    try await RunningServer.visit(importing: [Fixtures.path("Photos/basil")]) { server in
      let plant = try #require(server.library.plants.all().first)
      _ = try server.library.plants.rename(plant.id, to: "{date}")
      #expect(try await server.look(at: "/timeline").contains("alt=\"{date}, "))
    }
  }

  @Test func `a refused form keeps what was typed`() async throws {
    try await RunningServer.visit(importing: [Fixtures.path("Photos/basil")]) { server in
      _ = try server.library.plants.add(PlantDetails(name: "mint"))
      for name in ["", "  ", "MINT"] {
        let refused = try await server.submit(
          "/plants/basil", ["name": name, "location": "by the \"door\"", "notes": "grown"])
        #expect(refused.status == 422)
        #expect(refused.html.contains("by the &quot;door&quot;") && refused.html.contains("grown"))
        #expect(refused.html.contains("id=\"problem\""))
      }
      #expect(try server.library.plants.find(matching: "basil").details.location == nil)
    }
  }

  @Test func `a change by somebody else meanwhile is shown, and saved over on confirmation`()
    async throws
  {
    try await RunningServer.visit(importing: [Fixtures.path("Photos/basil")]) { server in
      let plant = try server.library.plants.find(matching: "basil")
      func version(_ page: String) throws -> String {
        String(try #require(page.firstMatch(of: /name="version" value="([0-9a-f]+)"/)).1)
      }
      let seen = try version(await server.look(at: "/plants/\(plant.id)/edit"))
      _ = try server.library.plants.edit(plant.id) { $0.location = "balcony" }
      let mine: KeyValuePairs = ["version": seen, "name": "basil", "location": "garden"]
      let refused = try await server.submit("/plants/\(plant.id)", mine)
      #expect(refused.status == 409)
      #expect(refused.html.contains("balcony") && refused.html.contains("value=\"garden\""))
      let again = try version(refused.html)
      #expect(again != seen)
      let saved = try await server.submit(
        "/plants/\(plant.id)", ["version": again, "name": "basil", "location": "garden"])
      #expect(saved.status == 303)
      #expect(try server.library.plants.find(matching: "basil").details.location == "garden")
    }
  }

  @Test func `a plant is deleted when that is confirmed, and comes back from the trash`()
    async throws
  {
    try await RunningServer.visit(importing: [Fixtures.path("Photos/basil")]) { server in
      let plant = try server.library.plants.find(matching: "basil")
      let unsure = try await server.submit("/plants/\(plant.id)/delete", [:])
      #expect(unsure.status == 422)
      let deleted = try await server.submit("/plants/\(plant.id)/delete", ["confirm": "true"])
      #expect(deleted.headers["location"]?.hasPrefix("/plants?changed=") == true)
      #expect(try await server.look(at: "/me/trash").contains(">basil<"))
      let restored = try await server.submit(
        "/me/trash/restore", ["back": "/me/trash", "only": plant.id.description])
      #expect(restored.status == 303)
      #expect(try server.library.plants.find(matching: "basil").photoCount == 4)
      #expect(try await !server.look(at: "/me/trash").contains(">basil<"))
    }
  }

  @Test func `a plant is merged into another`() async throws {
    try await RunningServer.visit(importing: [Fixtures.path("Photos/basil")]) { server in
      let other = try server.library.plants.add(PlantDetails(name: "mint"))
      let merged = try await server.submit(
        "/plants/basil/merge", ["into": other.id.description])
      #expect(merged.headers["location"]?.hasPrefix("/plants/\(other.id)?changed=") == true)
      #expect(try server.library.plants.find(matching: "mint").photoCount == 4)
      let itself = try await server.submit("/plants/mint/merge", ["into": other.id.description])
      #expect(itself.status == 422)
    }
  }

  @Test func `the frames of a film and the dates to compare are those of the plant, oldest first`()
    async throws
  {
    try await RunningServer.visit(importing: [Fixtures.path("Photos/basil")]) { server in
      let photos = try server.library.timeline.page(
        TimelineQuery(kinds: [.photo], order: .oldestFirst)
      ).elements
      let frames = try await server.answer("GET", "/plants/basil/frames").json["frames"]
      let list = try #require(frames as? [[String: String]])
      #expect(list.map { $0["id"] } == photos.map(\.id.description))
      #expect(list[0]["label"]?.hasPrefix("Day 1 · ") == true)
      let page = try await server.look(at: "/compare?plant=basil")
      let (first, last) = (photos[0].id, photos[3].id)
      #expect(page.contains("/api/v1/photos/\(first)/preview"))
      #expect(page.contains("/compare/picture?a=\(first)&amp;b=\(last)"))
      let picture = try await server.answer("GET", "/compare/picture?a=\(first)&b=\(last)")
      #expect(picture.headers["content-type"] == "image/jpeg")
      #expect(picture.headers["content-disposition"]?.contains("basil") == true)
      #expect(Array(picture.body.prefix(2)) == [0xFF, 0xD8])
    }
  }
}
