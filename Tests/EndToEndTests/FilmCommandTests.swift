import DiaryModel
import Foundation
import Imaging
import TestSupport
import Testing

/// `timelapse`
@Suite struct FilmCommandTests {
  static let hasFFmpeg = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .contains { FileManager.default.isExecutableFile(atPath: "\($0)/ffmpeg") }

  private let fixture: CommandFixture

  init() throws { fixture = try CommandFixture.imported() }

  private func film(
    _ name: String, _ arguments: String...
  ) throws -> (film: FilmStructure, made: [String: Any], data: Data) {
    let path = fixture.folder.file(name)
    let line = ["timelapse", "-o", path, "--json"] + (arguments.isEmpty ? ["basil"] : arguments)
    let result = try fixture.leaflog.run(line)
    #expect(result.status == 0, "\(result.error)")
    let made = try #require(result.json.first)
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(made["byteCount"] as? Int == data.count)
    #expect(made["path"] as? String == path)
    let film =
      switch name.suffix(4) {
      case ".gif": FilmStructure(gif: data)
      case ".mp4": FilmStructure(mp4: data)
      default: FilmStructure(webp: data)
      }
    return (try #require(film), made, data)
  }

  @Test(arguments: ["film.webp", "film.gif"])
  func `an animation has a frame a photo, each equally long`(name: String) throws {
    let (film, made, _) = try film(name)
    let side = name.hasSuffix("gif") ? [480, 360] : [960, 720]
    #expect(film.size == side)
    #expect(film.delays == [100, 100, 100, 100])
    #expect(film.frames.count == 4)
    #expect(Set(film.frames).count == 4)
    #expect(made["frames"] as? Int == 4)
    #expect([made["width"], made["height"]] as? [Int] == side)
    #expect(made["seconds"] as? Double == 0.4)
    #expect((made["failed"] as? [Any])?.isEmpty == true)
    #expect(fixture.folder.files().filter { $0.contains(".leaflog-") }.isEmpty)
  }

  @Test(arguments: ["film.webp", "film.gif"])
  func `size and pace are as they are asked for`(name: String) throws {
    let (film, made, _) = try film(name, "basil", "--size", "200", "--fps", "4")
    #expect(film.size == [200, 150])
    #expect(film.delays == [250, 250, 250, 250])
    #expect(made["seconds"] as? Double == 1)
    // Never larger than the photos.
    #expect(
      try self.film("b" + name, "basil", "--size", "4000", "--to", "2025-05-17").film.size == [
        1200, 900,
      ])
  }

  @Test(.enabled(if: hasFFmpeg, "ffmpeg is not installed"))
  func `MP4 through ffmpeg has a frame a photo and even sides`()
    throws
  {
    let (film, made, _) = try film("film.mp4", "basil", "--size", "301", "--fps", "5")
    #expect(film.size == [300, 226])
    #expect(film.frames.count == 4)
    #expect(made["seconds"] as? Double == 0.8)
    // 25 frames a second, so that each photo can have its time.
    let paced = try self.film("paced.mp4", "basil", "--size", "100", "--fps", "1", "--pace", "true")
    #expect(paced.film.frames.count == 100)
  }

  @Test func `without ffmpeg it says what to do and leaves nothing`() throws {
    var leaflog = fixture.leaflog
    leaflog.environment = ["PATH": fixture.folder.path]
    let result = try leaflog.launch("timelapse", "basil", "-o", fixture.folder.file("out.mp4"))
    #expect(result.status == 1)
    #expect(result.error.contains("ffmpeg, which is not installed"))
    #expect(fixture.folder.files().allSatisfy { $0.hasPrefix("library/") })
  }

  @Test func `an ffmpeg that complains at length and ends keeps nobody waiting`() throws {
    // Some systems run nothing that is in memory.
    let programs = try TemporaryFolder(inMemory: false)
    let tool = try programs.write(
      Data("#!/bin/sh\n/usr/bin/head -c 300000 /dev/zero | /usr/bin/tr '\\0' x >&2\nexit 3".utf8),
      to: "ffmpeg")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: tool)
    var leaflog = fixture.leaflog
    leaflog.environment = ["PATH": programs.path]
    let result = try leaflog.launch("timelapse", "basil", "-o", fixture.folder.file("out.mp4"))
    #expect(result.status == 1)
    #expect(result.error.contains("ffmpeg failed: xxx"))
    #expect(result.error.utf8.count < 5000)
    #expect(fixture.folder.files().allSatisfy { $0.hasPrefix("library/") })
  }

  @Test func `true pace shows each as long as it was until the next`() throws {
    let (film, _, _) = try film(
      "film.webp", "monstera", "--size", "100", "--pace", "true", "--fps", "1")
    // 14, 21, 28 and 27 days, and the last like the median.
    #expect(film.delays.count == 5)
    let days = film.delays.map { Double($0) * 117 / 5000 }
    for (found, expected) in zip(days, [14, 21, 28, 27, 27.0]) {
      #expect(abs(found - expected) < 0.3)
    }
    #expect(abs(film.delays.reduce(0, +) - 5000) < 20)
  }

  /// Photos every ten minutes, with a long gap in the middle.
  private func addSeries(_ count: Int, of plant: String) throws {
    let photo = try Fixtures.data("Orientation/1.jpg")
    for index in 0..<count {
      let day = index < count / 2 ? "0301" : "0501"
      let time = String(format: "%02d%02d00", index % (count / 2) / 6, index % (count / 2) % 6 * 10)
      try fixture.folder.write(
        photo + Data(repeating: 0, count: index + 1), to: "photos/\(plant)/2025\(day)_\(time).jpg")
    }
    #expect(try fixture.leaflog("import", fixture.photos, "--quiet").status == 0)
  }

  @Test(arguments: ["film.webp", "film.gif"])
  func `in true pace a long gap leaves the others their time`(name: String) throws {
    try addSeries(100, of: "thyme")
    let (film, made, _) = try film(
      name, "thyme", "--size", "64", "--pace", "true", "--fps", "10", "--no-align")
    #expect(try abs(#require(made["seconds"] as? Double) - 10) < 0.05)
    #expect(film.delays.reduce(0, +) == 10_000)
    #expect(film.delays.max() == 3000)
    #expect(film.delays.filter { (60...80).contains($0) }.count == 99)
  }

  @Test(.enabled(if: hasFFmpeg, "ffmpeg is not installed"))
  func `the length that is told is that of the file`() throws {
    try addSeries(60, of: "thyme")
    let (film, made, _) = try film("film.mp4", "thyme", "--size", "64", "--fps", "60", "--no-align")
    #expect(film.frames.count == 60)
    #expect(made["seconds"] as? Double == 1)
    let paced = try self.film(
      "paced.mp4", "thyme", "--size", "64", "--pace", "true", "--fps", "10", "--no-align")
    #expect(paced.film.frames.count == 150)
    #expect(paced.made["seconds"] as? Double == 6)
    let even = try self.film("film.webp", "thyme", "--size", "64", "--fps", "50", "--no-align")
    #expect(even.film.delays.reduce(0, +) == 1200)
    #expect(even.made["seconds"] as? Double == 1.2)
    let slow = try self.film("slow.mp4", "basil", "--size", "64", "--fps", "0.1", "--no-align")
    #expect(slow.film.frames.count == 4)
    #expect(slow.made["seconds"] as? Double == 40)
    let fast = try fixture.leaflog(
      "timelapse", "thyme", "-o", fixture.folder.file("fast.webp"), "--fps", "60")
    #expect(fast.status == 64 && fast.error.contains("at most 50 photos a second"))
  }

  @Test func `of as many portrait as landscape photos the newest decides`() throws {
    for (index, size) in [(48, 36), (36, 48), (48, 36), (36, 48)].enumerated() {
      let picture = try PixelCanvas(
        size: PixelSize(width: size.0, height: size.1), grey: UInt8(40 * index + 40)
      ).picture().preview()
      try picture.bytes.withUnsafeBytes {
        _ = try fixture.folder.write(Data($0), to: "photos/moss/2025030\(index + 1)_100000.jpg")
      }
    }
    #expect(try fixture.leaflog("import", fixture.photos, "--quiet").status == 0)
    for number in 0..<4 {
      #expect(try film("\(number).webp", "moss", "--no-align").film.size == [36, 48])
    }
  }

  @Test func `one photo a day is the one nearest the usual time`() throws {
    let evening = try fixture.id("2025-05-17")
    try fixture.json("photo", "edit", evening, "--at", "2025-05-10T20:00+01:00")
    let whole = try film("whole.webp", "basil", "--no-align", "--size", "100").film
    let daily = try film("daily.webp", "basil", "--no-align", "--size", "100", "--one-per-day").film
    #expect(whole.frames.count == 4)
    #expect(daily.frames == [whole.frames[0], whole.frames[2], whole.frames[3]])
  }

  @Test func `days are the first and the last to show`() throws {
    let options = ["basil", "--no-align", "--size", "100"]
    let whole = try film("whole.webp", options[0], options[1], options[2], options[3]).film
    let (part, made, _) = try film(
      "part.webp", "basil", "--no-align", "--size", "100", "--from", "2025-05-17", "--to",
      "2025-05-24")
    #expect(part.frames == Array(whole.frames[1...2]))
    #expect(made["frames"] as? Int == 2)
    #expect(made["aligned"] as? Int == 0)
  }

  @Test func `without exposure the photos are aligned in the light that they had`() throws {
    let scene = try photo(Fixtures.data("Photos/monstera/IMG_0001.jpg"))
    for (number, gain) in [3.0, 1, 1.02, 0.98].enumerated() {
      let exposure = FrameAlignment(
        view: .identity, exposure: Exposure(gain: SIMD3(repeating: gain), white: 0))
      let frame = try scene.aligned(by: exposure, size: PixelSize(width: 400, height: 300))
      _ = try frame.preview().bytes.withUnsafeBytes {
        try fixture.folder.write(Data($0), to: "photos/fern/IMG_2025070\(number + 1)_120000.jpg")
      }
    }
    let imported = try fixture.leaflog("import", fixture.folder.file("photos"), "--quiet")
    #expect(imported.status == 0, "\(imported.error)")
    let asTaken = try Raster(film("taken.webp", "fern", "--no-align").data)
    let unexposed = try film("unexposed.webp", "fern", "--no-exposure")
    #expect(unexposed.made["aligned"] as? Int == 4)
    let whole = try film("whole.webp", "fern")
    #expect(whole.made["aligned"] as? Int == 4)
    func difference(_ data: Data) throws -> Double {
      try asTaken.difference(Raster(data), 0..<400, 0..<300)
    }
    #expect(try difference(unexposed.data) < 4)
    #expect(try difference(whole.data) > 8)
  }

  private func photo(_ data: Data) throws -> DecodedPhoto {
    try PhotoFile(bytes: SharedBytes(copying: data), format: .jpeg).decode()
  }

  @Test func `a date stamp is in the lower left corner and nowhere else`() throws {
    let plain = try film("plain.webp", "basil", "--no-align", "--size", "400").data
    let stamped = try film("stamped.webp", "basil", "--no-align", "--size", "400", "--date-stamp")
      .data
    let (before, after) = (try Raster(plain), try Raster(stamped))
    func difference(_ x: Range<Int>, _ y: Range<Int>) -> Double { before.difference(after, x, y) }
    // How much depends on the font that is there.
    #expect(difference(0..<200, 270..<300) > 5)
    #expect(difference(0..<400, 0..<200) < 3)
  }

  @Test func `a portrait photo among others stands upright on the film`() throws {
    let (film, made, _) = try film("film.webp", "monstera", "--size", "100", "--no-align")
    #expect(film.frames.count == 5)
    #expect(film.size == [100, 75])
    #expect(made["aligned"] as? Int == 0)
  }

  @Test func `a picture that cannot be made is refused and leaves nothing`() throws {
    try fixture.json("plant", "add", "Ficus")
    let out = fixture.folder.file("out")
    try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
    for (arguments, status, message) in [
      (["basil", "-o", out + "/a.webp", "--to", "2025-05-10"], Int32(64), "one photo only"),
      (["Ficus", "-o", out + "/a.webp"], 64, "no photo"),
      (["basil", "-o", out + "/a.avi"], 64, ".webp, .gif or .mp4"),
      (["basil", "-o", out], 64, ".webp"),
      (["basil", "-o", out + "/none/a.gif"], 1, "no such folder"),
      (["basil", "-o", out + "/a.gif", "--fps", "0"], 64, "--fps"),
      (["basil", "-o", out + "/a.gif", "--fps", "nan"], 64, "--fps"),
      (["basil", "-o", out + "/a.gif", "--size", "1"], 64, "--size"),
      (["basil", "-o", out + "/a.gif", "--pace", "odd"], 64, "--pace"),
    ] {
      let result = try fixture.leaflog.run(["timelapse"] + arguments)
      #expect(result.status == status, "\(arguments): \(result.error)")
      #expect(result.error.contains(message), "\(result.error)")
      #expect(result.output.isEmpty)
    }
    let asNobody = try Unprivileged(fixture.leaflog)
    chmod(fixture.folder.path, 0o777)
    chmod(out, 0o555)
    for name in ["a.webp", "a.gif", "a.mp4"] {
      let result = try asNobody("timelapse", "basil", "-o", out + "/" + name)
      #expect(result.status == 1)
      #expect(result.error.contains(out + "/" + name), "\(result.error)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: out).isEmpty)
  }

  private static func children(of parent: Int32) -> [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap(Int32.init).filter { process in
      let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
      // The parent is the second field behind the name, which may hold anything (proc_pid_stat(5)).
      return text?.split(separator: ")").last?.split(separator: " ").dropFirst().first
        == Substring(String(parent))
    }
  }

  @Test func `one that is interrupted leaves nothing, and what was there stays`() throws {
    let fixture = try CommandFixture()
    try fixture.addManyPhotos(40)
    #expect(try fixture.leaflog("import", "-q", "--policy", "exact", fixture.photos).status == 0)
    let out = fixture.folder.file("out")
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: out) }
    var cases = [("film.webp", SIGINT), ("film.webp", SIGTERM), ("film.gif", SIGINT)]
    if Self.hasFFmpeg { cases.append(("film.mp4", SIGINT)) }
    for (name, signal) in cases {
      let path = try fixture.folder.write(Data("old".utf8), to: "out/" + name)
      let probe = try FolderProbe(out)
      let running = try fixture.leaflog.start(["timelapse", "fern", "-o", path, "--size", "1200"])
      let process = running.process.processIdentifier
      // It is ffmpeg that writes to it, so that it runs by then.
      try probe.wait { try names().contains { try $0.hasPrefix(".leaflog-") && size(out, $0) > 0 } }
      // As Ctrl-C on a terminal does, which signals ffmpeg as well.
      let children = Self.children(of: process)
      #expect(children.isEmpty == !name.hasSuffix("mp4"))
      for child in children { kill(child, signal) }
      #expect(running.interrupt(with: signal))
      let result = running.wait()
      #expect(result.status == 130, "\(name)")
      #expect(result.output.isEmpty && result.error.isEmpty, "\(result.error)")
      #expect(try names() == [name])
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("old".utf8))
      try FileManager.default.removeItem(atPath: path)
    }
  }

  private func size(_ folder: String, _ name: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
    return try #require(attributes[.size] as? Int)
  }
}
