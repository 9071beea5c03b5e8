import Foundation
import TestSupport
import Testing

@Suite struct FactorCommandTests {
  private let fixture: CommandFixture

  init() throws {
    fixture = try CommandFixture.imported(["Photos/basil"], name: "factors") { fixture in
      try fixture.json("settings", "set", "timeZone", TimeZone.farFromMidnight.identifier)
      try fixture.json("factor", "add", "Coffee", "--highest", "10", "--unit", "cups")
      try fixture.json("factor", "add", "Migraine pill")
      try fixture.json("factor", "add", "Place", "--choice", "home", "--choice", "garden")
    }
  }

  @Test func `the list has what each takes, and on how many days it was recorded`() throws {
    try fixture.json("log", "set", "--factor", "coffee=2,5", "--factor", "place=Garden")
    #expect(
      try fixture.leaflog("factor").output == """
        Coffee         0 to 10 cups     1 day
        Migraine pill  yes or no       0 days
        Place          home or garden   1 day

        """)
    let shown = try fixture.leaflog("log", "show").output
    #expect(shown.contains("Coffee") && shown.contains("2.5 cups") && shown.contains("garden"))
    let log = try fixture.json(
      "log", "set", "--factor", "coffee=none", "--factor", "migraine pill=no")
    let values = (log["dailyLog"] as? [String: Any])?["factors"] as? [String: Any]
    #expect(values?.keys.sorted() == ["Migraine pill", "Place"])
    #expect(values?["Migraine pill"] as? Bool == false)
  }

  @Test func `names and choices may have the sign between them`() throws {
    try fixture.json("factor", "add", "a=b", "--choice", "x=1", "--choice", "y")
    let log = try fixture.json(
      "log", "set", "--factor", "a=b=x=1", "--factor", "coffee=2")
    let values = (log["dailyLog"] as? [String: Any])?["factors"] as? [String: Any]
    #expect(values?["a=b"] as? String == "x=1" && values?["Coffee"] as? Double == 2)
  }

  @Test func `they are edited, hidden, moved and deleted with their values`() throws {
    try fixture.json("log", "set", "--factor", "coffee=4")
    let edited = try fixture.json(
      "factor", "edit", "coffee", "--name", "Espresso", "--highest", "20", "--step", "0.5")
    #expect(edited["name"] as? String == "Espresso" && edited["step"] as? Double == 0.5)
    let place = try fixture.json("factor", "edit", "place", "--choice", "office")
    #expect(place["choices"] as? [String] == ["home", "garden", "office"])
    #expect(try fixture.json("factor", "hide", "place")["isHidden"] as? Bool == true)
    #expect(try fixture.json("factor", "unhide", "place")["isHidden"] as? Bool == false)
    let order = try fixture.json("factor", "reorder", "place", "--to", "1")
    let names = (order["items"] as? [[String: Any]])?.map { $0["name"] as? String }
    #expect(names == ["Place", "Espresso", "Migraine pill"])
    let after = try fixture.json("factor", "reorder", "place", "--after", "espresso")
    #expect(after.texts("name") == ["Espresso", "Place", "Migraine pill"])
    let all = try fixture.json("factor", "reorder", "migraine pill", "place", "espresso")
    #expect(all.texts("name") == ["Migraine pill", "Place", "Espresso"])
    let absent = try fixture.refusal("factor", "reorder", "place", "espresso", status: 64)
    #expect(absent.message.contains("“Migraine pill” is missing"))
    let asked = try fixture.json("factor", "delete", "espresso", status: 13)
    #expect(asked["dryRun"] as? Bool == true && asked["valueCount"] as? Int == 1)
    #expect(
      try fixture.leaflog("factor", "delete", "espresso", "--yes").output
        == "Deleted Espresso and its 1 value. `leaflog undo` undoes it.\n")
    try fixture.json("undo")
    #expect(try fixture.json("factor", "edit", "espresso", "--unit", "")["valueCount"] as? Int == 1)
  }

  @Test func `a refusal has a remedy`() throws {
    let taken = try fixture.refusal("factor", "add", "COFFEE", status: 1)
    #expect(taken.code == "nameTaken")
    let value = try fixture.refusal("log", "set", "--factor", "coffee=11", status: 64)
    #expect(value.message.contains("“Coffee” must be 0 to 10 cups, not “11”."))
    let name = try fixture.refusal("log", "set", "--factor", "cofee=1", status: 1)
    #expect(name.code == "notFound" && name.message.contains("“Coffee”"))
    let far = try fixture.refusal("factor", "hide", "xylophone", status: 1)
    #expect(far.message.contains("leaflog factor list"))
    _ = try fixture.refusal("log", "set", "--factor", "coffee", status: 64)
    _ = try fixture.refusal("factor", "edit", "coffee", status: 64)
    _ = try fixture.refusal("factor", "add", "x", "--choice", "one", status: 64)
  }

  @Test func `insights have their means and counts, and the moods of each week`() throws {
    try fixture.json("log", "set", "--factor", "coffee=2", "--factor", "migraine pill=yes")
    try fixture.json(
      "log", "set", "--on", "yesterday", "--factor", "coffee=3", "--factor", "migraine pill=no")
    try fixture.json("episode", "start", "--type", "cold")
    try fixture.json("mood", "set", "happy")
    let text = try fixture.leaflog("insights", "--days", "7").output
    #expect(text.contains("Your own fields"), "\(text)")
    #expect(text.contains("2.5 cups on 2 days") && text.contains("1 of 2 days"), "\(text)")
    #expect(text.contains("3 cups on 1 day") && text.contains("0 of 1 day"), "\(text)")
    #expect(text.contains("Moods by week") && text.contains("happy 1"))
    let insights = try fixture.json("insights", "--days", "7")
    let logs = insights["logs"] as? [String: Any]
    let coffee = (logs?["factors"] as? [[String: Any]])?.first
    #expect(coffee?["average"] as? Double == 2.5 && coffee?["recordedDayCount"] as? Int == 2)
  }
}
