import Foundation
import Leaflog
import TestSupport
import Testing

/// The files of an activity tracker that came before.
@Suite struct OkieDiaryTests {
  private func activities(_ fixture: ExchangeFixture) throws -> [[String: Any]] {
    let json = try JSONSerialization.jsonObject(with: Data(fixture.json().utf8))
    return try #require((json as? [String: Any])?["activities"] as? [[String: Any]])
  }

  @Test func `version 1_0: icons become emoji, and nothing is lost`() throws {
    let fixture = try ExchangeFixture()
    let report = try fixture.readFixture("okie-1.0.json")
    #expect(report.added == [.activity: 2, .entry(.completion): 2])
    #expect(report.repeatedCount == 1 && report.ignoredFields.isEmpty)
    let found = try activities(fixture)
    #expect(found.map { $0["name"] as? String } == ["Walk", "Water the ferns"])
    #expect(found.map { $0["emoji"] as? String } == ["🚶", "💧"])
    #expect(found.map { $0["iconName"] as? String } == ["figure.walk", "drop.fill"])
    #expect(found.map { $0["category"] as? String } == ["Outdoors", "Home"])
    #expect(found.map { $0["startFrom"] as? String } == ["2025-07-10", "2025-07-10"])
    #expect(found[1]["notes"] as? String == "rain water, if there is any")
    #expect(found[1]["createdAt"] as? String == "2025-07-10T08:15:00Z")
    #expect(found[1]["id"] as? String == "6f9619ff8b86d011b42d00c04fc964ff")
    // The first of a day stays, and days are the library's.
    let entries = try fixture.library.diary.entries(of: .completion)
    #expect(entries.map(\.time.localDay.description) == ["2025-07-11", "2025-07-12"])
    #expect(entries.map(\.time.wall.description) == ["2025-07-11T07:00:00", "2025-07-12T23:59:59"])
    let json = try fixture.json()
    let again = try fixture.readFixture("okie-1.0.json")
    #expect(again.added.isEmpty && again.present == report.added && again.repeatedCount == 1)
    #expect(try fixture.json() == json)
  }

  @Test func `version 1_1: emoji and a day to count from`() throws {
    let fixture = try ExchangeFixture()
    let report = try fixture.readFixture("okie-1.1.json")
    #expect(report.added == [.activity: 2, .entry(.completion): 2])
    let found = try activities(fixture)
    #expect(found.map { $0["emoji"] as? String } == ["🐈‍⬛", "🧘"])
    #expect(found[1]["iconName"] as? String == "lotus")
    // 22:30 in UTC is the next day in Berlin.
    #expect(found.map { $0["startFrom"] as? String } == ["2025-07-01", "2025-07-11"])
    let entries = try fixture.library.diary.entries(of: .completion)
    #expect(
      entries.map(\.time.recorded.iso8601) == ["2025-07-11T18:00:00+02:00", "2025-07-12"])
    _ = try fixture.library.history.undo(.importDiary)
    #expect(try fixture.json() == ExchangeFixture().json())
  }

  private static func document(_ completion: String, activity: String = "") -> String {
    """
    {"activities": [
    {"id": "6F9619FF-8B86-D011-B42D-00C04FC964FF", "name": "Walk", "createdDate": 0\(activity)}],
    "completions": [
    \(completion)]}
    """
  }

  @Test(arguments: [
    (
      "\"activityId\": \"0E984725-C51C-4BF4-9960-E1C80E27ABA0\", \"completedDate\": 0", 62,
      "there is no activity with the id 0e984725c51c4bf49960e1c80e27aba0 in the file."
    ),
    (
      "\"activityId\": \"6F9619FF-8B86-D011-B42D-00C04FC964FF\", \"completedDate\": 1e300", 119,
      "completedDate takes a time such as 2025-07-10T09:30:00Z, or seconds since 2001, not 1e+300."
    ),
    (
      "\"activityId\": \"6F9619FF-8B86-D011-B42D-00C04FC964FF\", \"completedDate\": \"now\"", 119,
      "completedDate takes a time such as 2025-07-10T09:30:00Z, or seconds since 2001, not “now”."
    ),
    (
      "\"activityId\": \"6F9619FF-8B86-D011-B42D-00C04FC964FF\"", 1,
      "completedDate is missing here. It takes a time such as 2025-07-10T09:30:00Z, or seconds since 2001."
    ),
  ])
  func `an item that cannot be taken is named with its place`(
    fields: String, column: Int, reason: String
  )
    throws
  {
    let completion = "{\"id\": \"0E984725-C51C-4BF4-9960-E1C80E27ABA0\", \(fields)}"
    let error = try ExchangeFixture().refusal(of: Self.document(completion))
    #expect(error.message == "diary.json, line 4, column \(column): \(reason)")
  }

  @Test func `a name twice, and fields that nothing corresponds to`() throws {
    let fixture = try ExchangeFixture()
    let text = """
      {"exportedBy": "Okie", "activities": [
      {"id": "6F9619FF-8B86-D011-B42D-00C04FC964FF", "name": "Walk", "createdDate": 0, "colour": 1},
      {"id": "7F9619FF-8B86-D011-B42D-00C04FC964FF", "name": "walk", "createdDate": "2001-01-01"}]}
      """
    let report = try fixture.read(text)
    #expect(report.ignoredFields == ["colour", "exportedBy"])
    #expect(try activities(fixture).map { $0["name"] as? String } == ["Walk", "walk (2)"])
    #expect(try fixture.read(text).present == [.activity: 2])
  }
}
