import Foundation
import LeaflogCommand
import TestSupport
import Testing

/// The units that `leaflog remind install` writes.
@Suite struct ReminderUnitsTests {
  private static let systemdAnalyze = "/usr/bin/systemd-analyze"

  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: systemdAnalyze), "needs systemd-analyze"))
  func `systemd takes the units as they are written`() throws {
    let folder = try TemporaryFolder()
    let units = ReminderUnits(
      time: "20:00", timeZone: "UTC", command: "/usr/bin/true",
      library: #"/tmp/a "b" 100% $HOME \x"#)
    let timer = folder.file("\(ReminderUnits.name).timer")
    try units.timer.write(toFile: timer, atomically: true, encoding: .utf8)
    let service = folder.file("\(ReminderUnits.name).service")
    try units.service.write(toFile: service, atomically: true, encoding: .utf8)
    var command = Command(library: nil)
    // Without it systemd-analyze looks at no unit.
    command.environment["XDG_RUNTIME_DIR"] = folder.path
    let result = try command.start(
      ["verify", "--user", "--man=no", timer, service], program: Self.systemdAnalyze
    ).wait()
    #expect(!result.error.contains(ReminderUnits.name), "\(result.error)")
  }
}
