import DiaryModel
import Foundation
import TestSupport
import Testing

/// A request of an operation, which has an effect when it is sent first.
struct RepeatedRequest {
  /// Below `/api/v1/`.
  let path: String
  var headers = ["Content-Type: application/json"]
  var body: [UInt8] = []

  init(_ path: String, _ json: String = "") { (self.path, body) = (path, Array(json.utf8)) }

  init(_ path: String, _ headers: [String], _ body: [UInt8]) {
    (self.path, self.headers, self.body) = (path, headers, body)
  }

  /// Another request of the same operation.
  var changed: RepeatedRequest {
    RepeatedRequest(path, headers, body.isEmpty ? Array("{}".utf8) : body + Array(" ".utf8))
  }

  /// Whether the path is one of an operation's.
  func fits(_ template: String) -> Bool {
    let parts = path.prefix { $0 != "?" }.split(separator: "/")
    let names = template.split(separator: "/")
    return parts.count == names.count
      && zip(parts, names).allSatisfy { $0 == $1 || $1.hasPrefix("{") }
  }

  typealias Preparation = @Sendable (RepeatingClient) async throws -> RepeatedRequest

  /// By operation: prepares the library, and makes the request.
  static let all: [String: Preparation] = [
    entries, days, plants, activities, factors, quotes, photos, uploads, jobs, access,
  ].reduce(into: [:]) { all, part in all.merge(part) { first, _ in first } }

  private static let entries: [String: Preparation] = [
    "addSymptom": { _ in
      RepeatedRequest("symptoms", #"{"symptom":{"name":"cough","severity":2}}"#)
    },
    "editEntry": { RepeatedRequest("entries/\(try await $0.symptom())", #"{"notes":"new"}"#) },
    "deleteEntry": { RepeatedRequest("entries/\(try await $0.symptom())") },
    "deleteEntries": {
      RepeatedRequest("entries/delete", #"{"ids":["\#(try await $0.symptom())"]}"#)
    },
    "restoreEntries": { client in
      let id = try await client.symptom()
      _ = try await client.make("DELETE", "entries/\(id)")
      return RepeatedRequest("entries/restore", #"{"ids":["\#(id)"]}"#)
    },
    "tagEntries": {
      RepeatedRequest("entries/tags", #"{"ids":["\#(try await $0.symptom())"],"add":["new"]}"#)
    },
    "renameTag": { client in
      _ = try await client.symptom("former")
      return RepeatedRequest("tags/former", #"{"name":"latter"}"#)
    },
    "undo": { client in
      _ = try await client.symptom()
      return RepeatedRequest("changes/last/undo")
    },
    "redo": { client in
      _ = try await client.symptom()
      _ = try await client.make("POST", "changes/last/undo")
      return RepeatedRequest("changes/last/redo")
    },
  ]

  private static let days: [String: Preparation] = [
    "addEpisode": { _ in
      RepeatedRequest("episodes", #"{"occurredAt":"2025-03-01","episode":{"type":"cold"}}"#)
    },
    "editLog": { _ in
      RepeatedRequest("days/2025-03-02/log", #"{"dailyLog":{"sleepHours":7.5}}"#)
    },
    "setMood": { _ in RepeatedRequest("days/2025-03-02/mood", #"{"mood":"happy"}"#) },
    "setSetting": { _ in RepeatedRequest("settings/timeZone", #"{"value":"Asia/Tokyo"}"#) },
  ]

  private static let plants: [String: Preparation] = [
    "addPlant": { _ in RepeatedRequest("plants", #"{"name":"Fern"}"#) },
    "editPlant": {
      RepeatedRequest("plants/\(try await $0.plant("Edited"))", #"{"notes":"new"}"#)
    },
    "deletePlant": { RepeatedRequest("plants/\(try await $0.plant("Deleted"))") },
    "restorePlant": { client in
      let id = try await client.plant("Restored")
      _ = try await client.make("DELETE", "plants/\(id)")
      return RepeatedRequest("plants/\(id)/restore")
    },
    "mergePlant": { client in
      let other = try await client.plant("Other")
      return RepeatedRequest(
        "plants/\(try await client.plant("Merged"))/merge", #"{"into":"\#(other)"}"#)
    },
  ]

  private static let activities: [String: Preparation] = [
    "addActivity": { _ in
      RepeatedRequest("activities", #"{"name":"Added","startFrom":"2025-01-01"}"#)
    },
    "editActivity": {
      RepeatedRequest("activities/\(try await $0.activity("Edited"))", #"{"name":"Renamed"}"#)
    },
    "deleteActivity": { RepeatedRequest("activities/\(try await $0.activity("Deleted"))") },
    "orderActivities": { client in
      for name in ["First", "Last"] { _ = try await client.activity(name) }
      return RepeatedRequest("activities/order", try await client.reversed("activities"))
    },
    "completeActivity": {
      RepeatedRequest("activities/\(try await $0.activity("Done"))/completions", "{}")
    },
    "uncompleteActivity": { client in
      let id = try await client.activity("Undone")
      _ = try await client.make("POST", "activities/\(id)/completions", #"{"days":["2025-03-02"]}"#)
      return RepeatedRequest("activities/\(id)/completions/2025-03-02")
    },
  ]

  private static let factors: [String: Preparation] = [
    "addFactor": { _ in
      RepeatedRequest("factors", #"{"name":"Added","kind":"number","highest":10}"#)
    },
    "editFactor": {
      RepeatedRequest("factors/\(try await $0.factor("Edited"))", #"{"name":"Renamed"}"#)
    },
    "deleteFactor": { RepeatedRequest("factors/\(try await $0.factor("Deleted"))") },
    "orderFactors": { client in
      for name in ["First", "Last"] { _ = try await client.factor(name) }
      return RepeatedRequest("factors/order", try await client.reversed("factors"))
    },
  ]

  private static let quotes: [String: Preparation] = [
    "addQuote": { _ in RepeatedRequest("quotes", #"{"text":"Added"}"#) },
    "deleteQuote": {
      RepeatedRequest("quotes/\(try await $0.id("POST", "quotes", #"{"text":"Deleted"}"#))")
    },
    "favouriteQuote": {
      let id = try await $0.id("POST", "quotes", #"{"text":"Favourite"}"#)
      return RepeatedRequest("quotes/\(id)/favourite", #"{"tags":["kept"]}"#)
    },
    "unfavouriteQuote": { client in
      let id = try await client.id("POST", "quotes", #"{"text":"Former favourite"}"#)
      _ = try await client.make("PUT", "quotes/\(id)/favourite", "{}")
      return RepeatedRequest("quotes/\(id)/favourite")
    },
  ]

  private static let jpeg = ["Content-Type: image/jpeg"]

  private static let photos: [String: Preparation] = [
    "addPhoto": { _ in
      RepeatedRequest(
        "photos?name=a.jpg", jpeg, Array(try Fixtures.data("Photos/monstera/IMG_0001.jpg")))
    },
    "redatePhotos": { client in
      let path = "Photos/monstera/IMG_0002.jpg"
      let added = try await client.send(
        "POST", RepeatedRequest("photos?name=b.jpg", jpeg, Array(try Fixtures.data(path))))
      let id = try #require(added.json["photo"] as? String)
      return RepeatedRequest("photos/redate", #"{"ids":["\#(id)"],"shiftSeconds":3600}"#)
    },
    "recordPrepared": { _ in
      let form = try PreparedForm()
      return RepeatedRequest("sources/\(form.digest)", [PreparedForm.mediaType], try form.body)
    },
    "sendSource": { client in
      let bytes = Array(try Fixtures.data("Photos/monstera/IMG_0003.jpg"))
      _ = try await client.send("POST", RepeatedRequest("photos?name=c.jpg", jpeg, bytes))
      let digest = bytes.withUnsafeBytes { BlobID(hashing: $0) }
      return RepeatedRequest("sources/\(digest.hex)/send")
    },
  ]

  private static let uploads: [String: Preparation] = [
    "beginUpload": { _ in RepeatedRequest("uploads", #"{"name":"a.jpg","byteCount":4}"#) },
    "continueUpload": {
      RepeatedRequest(
        "uploads/\(try await $0.upload())", ["Content-Range: bytes 0-1/4"], [0xFF, 0xD8])
    },
    "removeUpload": { RepeatedRequest("uploads/\(try await $0.upload())") },
  ]

  private static let jobs: [String: Preparation] = [
    "addJob": { client in
      _ = try await client.waitingJob()
      return RepeatedRequest("jobs", #"{"kind":"verify"}"#)
    },
    "retryJob": { client in
      let id = try await client.waitingJob()
      _ = try await client.make("DELETE", "jobs/\(id)")
      return RepeatedRequest("jobs/\(id)/retry")
    },
    "removeJob": { RepeatedRequest("jobs/\(try await $0.waitingJob())") },
  ]

  private static let access: [String: Preparation] = [
    "beginSession": { client in
      let secret = client.bearer.split(separator: " ").last ?? ""
      return RepeatedRequest("session", #"{"token":"\#(secret)"}"#)
    },
    "endSession": { client in
      let secret = client.bearer.split(separator: " ").last ?? ""
      let begun = try await client.send(
        "POST", RepeatedRequest("session", #"{"token":"\#(secret)"}"#))
      let cookie = begun.headers["set-cookie"]?.prefix { $0 != ";" } ?? ""
      return RepeatedRequest("session", ["Cookie: \(cookie)"], [])
    },
    "addToken": { _ in RepeatedRequest("tokens", #"{"name":"added","may":"read"}"#) },
    "revokeToken": {
      RepeatedRequest(
        "tokens/\(try await $0.id("POST", "tokens", #"{"name":"revoked","may":"read"}"#))")
    },
    "makePushKey": { _ in RepeatedRequest("push/key", [], []) },
    "subscribe": { client in
      _ = try await client.make("POST", "push/key")
      return RepeatedRequest("push", device)
    },
    "unsubscribe": { client in
      _ = try await client.make("POST", "push/key")
      _ = try await client.send("PUT", RepeatedRequest("push", device))
      return RepeatedRequest("push", address)
    },
    "tryPush": { client in
      _ = try await client.make("POST", "push/key")
      _ = try await client.send("PUT", RepeatedRequest("push", device))
      _ = try await client.make(
        "PUT", "settings/push.contact", #"{"value":"mailto:me@plants.example"}"#)
      return RepeatedRequest("push/trial", address)
    },
  ]

  /// A device of this machine, which is never reached, with the keys of RFC 8291, section 5.
  private static let device = #"""
    {"address":"https://127.0.0.1/push","secret":"BTBZMqHH6r4Tts7J_aSIgg",
    "publicKey":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"}
    """#
  private static let address = #"{"address":"https://127.0.0.1/push"}"#
}
