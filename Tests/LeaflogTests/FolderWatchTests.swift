import BlobStorage
import Foundation
import Leaflog
import Synchronization
import SystemPackage
import TestSupport
import Testing

/// A time that passes when it is told to.
final class WatchTimer: Sendable {
  private let time = Mutex(ContinuousClock.now)

  var now: ContinuousClock.Instant { time.withLock { $0 } }

  func pass(_ duration: Duration) { time.withLock { $0 += duration } }
}

/// Hints that a test gives.
final class TestNotifier: FolderNotifier {
  private struct State {
    var watched: [String: FoundPlace] = [:]
    var hints: Set<FolderHint> = []
    var limit: NotifierLimit?
  }

  private let state = Mutex(State())

  func watch(_ folder: FoundPlace) -> NotifierLimit? {
    state.withLock {
      if $0.limit == nil { $0.watched[folder.display] = folder }
      return $0.limit
    }
  }

  func take() -> Set<FolderHint> {
    state.withLock { state in
      defer { state.hints = [] }
      return state.hints
    }
  }

  func give(_ hint: FolderHint) { state.withLock { _ = $0.hints.insert(hint) } }
  func limit(_ limit: NotifierLimit?) { state.withLock { $0.limit = limit } }
  var watched: Set<String> { state.withLock { Set($0.watched.keys) } }
}

/// A watched folder, a step at a time.
struct WatchFixture {
  let folder: TemporaryFolder
  let timer = WatchTimer()
  let notifier = TestNotifier()
  let watch: FolderWatch

  init(_ paths: [String] = ["share"], every: Duration? = nil) throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    for path in paths {
      try FileManager.default.createDirectory(
        atPath: folder.file(path), withIntermediateDirectories: true)
    }
    watch = try FolderWatch(
      paths: paths.map { folder.file($0) }, every: every, notifier: notifier,
      now: { [timer] in timer.now })
  }

  /// A step after some time: the files that are due, below the first folder.
  func step(after pause: Duration = .zero) -> [String] {
    timer.pass(pause)
    return watch.pass().compactMap { item in
      guard case .file(let file) = item else { return nil }
      return String(file.displayPath.dropFirst(folder.path.count + 1))
    }
  }

  /// The same, with an outcome for each.
  func step(
    after pause: Duration = .zero, _ outcome: FileOutcome.Result
  ) -> [String] {
    let files = step(after: pause)
    for file in files { _ = watch.note(FileOutcome(path: folder.file(file), result: outcome)) }
    return files
  }

  func hint(_ name: String) {
    notifier.give(.file(FoundPlace(FilePath(folder.file(name)), display: folder.file(name))))
  }

  func write(_ name: String, _ count: Int = 1) throws {
    try folder.write(Data(repeating: 0x61, count: count), to: name)
  }
}

extension FileOutcome.Result {
  static var done: Self { .skipped(.notAnImage) }
  static var fullDisk: Self { .failed(.noSpace, message: "The disk is full.") }
}

@Suite struct FolderWatchTests {
  @Test func `a file is due when it has not changed for a while, and only once`() throws {
    let fixture = try WatchFixture()
    #expect(fixture.step() == [])
    for name in ["share/2", "share/1"] {
      try fixture.write(name)
      fixture.hint(name)
    }
    #expect(fixture.step(after: .milliseconds(200), .done) == [])
    #expect(fixture.step(after: .milliseconds(1900), .done) == [])
    #expect(fixture.step(after: .milliseconds(100), .done) == ["share/1", "share/2"])
    #expect(fixture.step(after: .seconds(9000), .done) == [])
  }

  @Test func `one that is still being written waits, and one that goes is forgotten`() throws {
    let fixture = try WatchFixture()
    _ = fixture.step()
    try fixture.write("share/half")
    try fixture.write("share/gone")
    for name in ["share/half", "share/gone", "share", "share/none"] { fixture.hint(name) }
    #expect(fixture.step(.done) == [])
    try fixture.write("share/half", 2)
    try FileManager.default.removeItem(atPath: fixture.folder.file("share/gone"))
    // Nobody told of the change; it is seen all the same.
    #expect(fixture.step(after: .seconds(2), .done) == [])
    #expect(fixture.step(after: .milliseconds(1900), .done) == [])
    #expect(fixture.step(after: .milliseconds(100), .done) == ["share/half"])
  }

  @Test func `only folders are watched`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(Data([1]), to: "1")
    for path in [file, folder.file("none")] {
      let error = #expect(throws: LeaflogError.self) { try FolderWatch(paths: [path]) }
      #expect(error?.code == .invalidRequest)
    }
  }

  @Test func `without any hint, what is new is found by a scan within the hour`() throws {
    let fixture = try WatchFixture()
    _ = fixture.step()
    try fixture.write("share/cam/1")
    #expect(fixture.step(after: .seconds(3500), .done) == [])
    #expect(fixture.step(after: .seconds(100), .done) == [])
    #expect(fixture.step(after: .seconds(2), .done) == ["share/cam/1"])
    #expect(fixture.notifier.watched.contains(fixture.folder.file("share/cam")))
    // Rewritten in place, as a camera's latest picture is.
    try fixture.write("share/cam/1", 2)
    #expect(fixture.step(after: .seconds(3700), .done) == [])
    #expect(fixture.step(after: .seconds(2), .done) == ["share/cam/1"])
  }

  @Test func `the time between scans can be chosen`() throws {
    let fixture = try WatchFixture(every: .seconds(10))
    _ = fixture.step()
    try fixture.write("share/1")
    #expect(fixture.step(after: .seconds(10), .done) == [])
    #expect(fixture.step(after: .seconds(2), .done) == ["share/1"])
    #expect(fixture.watch.plan.interval == .seconds(10))
  }

  @Test func `after an overflow everything is looked at, and nothing is taken twice`() throws {
    let fixture = try WatchFixture()
    try fixture.write("share/old")
    _ = fixture.step()
    #expect(fixture.step(after: .seconds(2), .done) == ["share/old"])
    for index in 0..<50 { try fixture.write("share/new/\(index)") }
    fixture.notifier.give(.overflow)
    #expect(fixture.step(.done) == [])
    #expect(fixture.step(after: .seconds(2), .done).count == 50)
  }

  @Test func `a limit of the system is told once, and the folders are scanned every minute`() throws
  {
    let fixture = try WatchFixture()
    fixture.notifier.limit(.watches)
    _ = fixture.step()
    let place = fixture.folder.file("share")
    #expect(fixture.watch.takeNotices() == [.limit("fs.inotify.max_user_watches", folder: place)])
    try fixture.write("share/cam/1")
    #expect(fixture.step(after: .seconds(60), .done) == [])
    #expect(fixture.step(after: .seconds(2), .done) == ["share/cam/1"])
    #expect(fixture.watch.takeNotices().isEmpty)
    #expect(fixture.watch.plan.interval == .seconds(60))
  }

  @Test func `a folder that goes is told, and searched when another comes in its place`() throws {
    let fixture = try WatchFixture()
    try fixture.write("share/1")
    _ = fixture.step()
    #expect(fixture.step(after: .seconds(2), .done) == ["share/1"])
    let place = fixture.folder.file("share")
    try FileManager.default.moveItem(atPath: place, toPath: fixture.folder.file("away"))
    #expect(fixture.step(after: .seconds(1)) == [])
    #expect(fixture.watch.takeNotices() == [.gone(place)])
    #expect(fixture.watch.open.map(\.path) == [place])
    // An empty mount point is no deletion.
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
    #expect(fixture.step(after: .seconds(1)) == [])
    #expect(fixture.step(after: .seconds(7200)) == [])
    #expect(fixture.watch.takeNotices() == [.back(place)])
    // Mounted again: what was there is known, and what has come meanwhile is not.
    try FileManager.default.removeItem(atPath: place)
    try FileManager.default.moveItem(atPath: fixture.folder.file("away"), toPath: place)
    try fixture.write("share/2")
    #expect(fixture.step(after: .seconds(1), .done) == [])
    #expect(fixture.watch.takeNotices() == [.replaced(place)])
    #expect(fixture.step(after: .seconds(2), .done) == ["share/2"])
    #expect(fixture.watch.open.isEmpty)
  }

  @Test func `files that the library could not take are tried again, later each time`() throws {
    let fixture = try WatchFixture()
    _ = fixture.step()
    try fixture.write("share/1")
    fixture.hint("share/1")
    _ = fixture.step()
    #expect(fixture.step(after: .seconds(2), .fullDisk) == ["share/1"])
    var pause = 2
    while pause < 300 {
      #expect(fixture.step(after: .seconds(pause - 1), .fullDisk) == [])
      #expect(fixture.step(after: .seconds(1), .fullDisk) == ["share/1"])
      pause *= 2
    }
    #expect(fixture.watch.open.map(\.message) == ["The disk is full."])
    #expect(fixture.step(after: .seconds(300), .done) == ["share/1"])
    #expect(fixture.watch.open.isEmpty)
    #expect(fixture.step(after: .seconds(7200), .done) == [])
  }

  @Test func `a failure is news once, and a file that gets in makes the others due`() throws {
    let fixture = try WatchFixture()
    _ = fixture.step()
    for name in ["share/1", "share/2"] {
      try fixture.write(name)
      fixture.hint(name)
    }
    _ = fixture.step()
    let failure = FileOutcome(path: fixture.folder.file("share/1"), result: .fullDisk)
    #expect(fixture.step(after: .seconds(2)) == ["share/1", "share/2"])
    #expect(fixture.watch.note(failure))
    _ = fixture.watch.note(FileOutcome(path: fixture.folder.file("share/2"), result: .fullDisk))
    #expect(fixture.step(after: .seconds(2)) == ["share/1", "share/2"])
    #expect(!fixture.watch.note(failure))
    _ = fixture.watch.note(
      FileOutcome(
        path: fixture.folder.file("share/2"),
        result: .restored(EntryID(stored: String(repeating: "0", count: 32)))))
    #expect(fixture.step(.done) == ["share/1"])
  }

  @Test func `a broken file is not tried again before it changes, and is open until then`() throws {
    let fixture = try WatchFixture()
    try fixture.write("share/1.jpg")
    _ = fixture.step()
    let broken = FileOutcome.Result.failed(.truncated, message: "It has no end marker.")
    #expect(fixture.step(after: .seconds(2), broken) == ["share/1.jpg"])
    #expect(fixture.step(after: .seconds(7200), broken) == [])
    #expect(fixture.watch.open.map(\.message) == ["It has no end marker."])
    try fixture.write("share/1.jpg", 2)
    fixture.hint("share/1.jpg")
    _ = fixture.step()
    #expect(fixture.step(after: .seconds(2), .done) == ["share/1.jpg"])
    #expect(fixture.watch.open.isEmpty)
  }

  @Test(arguments: ["1.jpg.xmp", "1.xmp", "1.jpg.supplemental-metadata.json"])
  func `a sidecar that comes or changes makes its photo due again`(name: String) throws {
    let fixture = try WatchFixture()
    for photo in ["share/1.jpg", "share/2.jpg"] { try fixture.write(photo) }
    _ = fixture.step()
    #expect(fixture.step(after: .seconds(2), .done) == ["share/1.jpg", "share/2.jpg"])
    try fixture.write("share/\(name)")
    fixture.hint("share/\(name)")
    #expect(fixture.step(.done) == [])
    #expect(fixture.step(after: .seconds(2), .done) == [])
    #expect(fixture.step(after: .seconds(2), .done) == ["share/1.jpg"])
    // Nobody tells of the change; a scan finds it.
    try fixture.write("share/\(name)", 2)
    #expect(fixture.step(after: .seconds(3700), .done) == [])
    #expect(fixture.step(after: .seconds(2), .done) == [])
    #expect(fixture.step(after: .seconds(2), .done) == ["share/1.jpg"])
    #expect(fixture.step(after: .seconds(3700), .done) == [])
    #expect(fixture.step(after: .seconds(4), .done) == [])
  }

  @Test func `a photo that comes with its sidecar is due once`() throws {
    let fixture = try WatchFixture()
    _ = fixture.step()
    for name in ["share/1.jpg", "share/1.jpg.xmp"] {
      try fixture.write(name)
      fixture.hint(name)
    }
    _ = fixture.step()
    #expect(fixture.step(after: .seconds(2), .done) == ["share/1.jpg"])
    #expect(fixture.step(after: .seconds(4), .done) == [])
    #expect(fixture.step(after: .seconds(3700), .done) == [])
    #expect(fixture.step(after: .seconds(4), .done) == [])
  }
}

/// What the kernel reports.
@Suite struct InotifyTests {
  /// A watch with the kernel's hints, and a clock of its own.
  private func watch(_ fixture: LibraryFixture, _ timer: WatchTimer) throws -> FolderWatch {
    try FolderWatch(paths: [fixture.photos], now: { timer.now })
  }

  private func files(_ watch: FolderWatch, _ timer: WatchTimer) -> [String] {
    // Hints first, then new folders' files, then what has settled.
    var found: [String] = []
    for _ in 0..<3 {
      for case .file(let file) in watch.pass() {
        found.append(file.displayPath)
        _ = watch.note(FileOutcome(path: file.displayPath, result: .done))
      }
      timer.pass(.seconds(2))
    }
    return found
  }

  @Test func `files in folders that are made, renamed and moved come in`() throws {
    let fixture = try LibraryFixture()
    try fixture.folder.write(Data([1]), to: "photos/incoming/1")
    try fixture.folder.write(Data([1]), to: "elsewhere/deep/a/7")
    let timer = WatchTimer()
    let watch = try watch(fixture, timer)
    func names() -> [String] {
      files(watch, timer).map { String($0.dropFirst(fixture.photos.count)) }
    }
    #expect(names() == ["/incoming/1"])
    try FileManager.default.moveItem(
      atPath: fixture.photos + "/incoming", toPath: fixture.photos + "/tomato")
    #expect(names() == ["/tomato/1"])
    try fixture.folder.write(Data([1]), to: "photos/tomato/2")
    #expect(names() == ["/tomato/2"])
    try FileManager.default.moveItem(
      atPath: fixture.folder.file("elsewhere/deep"), toPath: fixture.photos + "/deep")
    #expect(names() == ["/deep/a/7"])
    try fixture.folder.write(Data([1]), to: "photos/deep/a/8")
    #expect(names() == ["/deep/a/8"])
    // Moved away, it is nobody's.
    try FileManager.default.moveItem(
      atPath: fixture.photos + "/deep", toPath: fixture.folder.file("elsewhere/deep"))
    try fixture.folder.write(Data([1]), to: "elsewhere/deep/a/9")
    #expect(names() == [])
  }

  @Test func `names that are not UTF-8 come in`() throws {
    let fixture = try LibraryFixture()
    try fixture.folder.write(Data([1]), to: "photos/1")
    let timer = WatchTimer()
    let watch = try watch(fixture, timer)
    _ = files(watch, timer)
    let name = fixture.photos.utf8CString.dropLast() + [47, 0x4D, CChar(bitPattern: 0xFC), 0x6C, 0]
    let descriptor = open(Array(name), O_CREAT | O_WRONLY, 0o644)
    try #require(descriptor >= 0)
    close(descriptor)
    #expect(files(watch, timer) == [fixture.photos + "/M\\xFCl"])
  }
}

/// A disk that is full while a test says so.
private final class FillingDisk: ForwardingFileSystem {
  let real = POSIXFileSystem()
  private let isFull = Mutex(false)

  func fill(_ isFull: Bool) { self.isFull.withLock { $0 = isFull } }

  func write(_ bytes: UnsafeRawBufferPointer, to file: FileDescriptor) throws(Errno) -> Int {
    if isFull.withLock({ $0 }) { throw .noSpace }
    return try real.write(bytes, to: file)
  }
}

/// Watches that import, in a time that passes as fast as they wait.
@Suite struct WatchedImportTests {
  private struct Told: Sendable {
    var outcomes: [FileOutcome] = []
    var hasCaughtUp = false
    var open: [OpenFailure] = []
    var restCount = 0

    mutating func take(_ event: WatchEvent) {
      switch event {
      case .file(let outcome): outcomes.append(outcome)
      case .caughtUp: hasCaughtUp = true
      case .ended(let failures): open = failures
      case .rested: restCount += 1
      case .notice: break
      }
    }
  }

  private final class Events: Sendable {
    private let told = Mutex(Told())

    func take(_ event: WatchEvent) { told.withLock { $0.take(event) } }
    var value: Told { told.withLock { $0 } }
  }

  private final class Steps: Sendable {
    private let done = Mutex(0)

    /// The number of the next step, if its minute has passed.
    func next(after time: Duration) -> Int? {
      done.withLock { done in
        guard time > .seconds(60 * (done + 1)) else { return nil }
        done += 1
        return done - 1
      }
    }
  }

  /// Follows a folder with the kernel's hints, and does a step of the script whenever a minute has passed.
  private func follow(
    _ fixture: LibraryFixture, _ script: [@Sendable () throws -> Void]
  ) async throws -> (told: Told, summary: ImportSummary) {
    let timer = WatchTimer()
    let told = Events()
    let start = timer.now
    let steps = Steps()
    let watch = try FolderWatch(paths: [fixture.photos], now: { timer.now })
    let time = WatchTime(now: { timer.now }) { pause in
      timer.pass(pause)
      guard let next = steps.next(after: timer.now - start) else { return }
      if next < script.count {
        #expect(throws: Never.self) { try script[next]() }
      } else {
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    let (importer, request) = (Importer(fixture.library), ImportRequest(paths: [fixture.photos]))
    // A task of its own, which the end of the script cancels.
    let work = Task {
      try await importer.follow(watch, request, time) { told.take($0) }
    }
    let summary = try await work.value
    return (told.value, summary)
  }

  @Test func `files that a full disk kept out come in when there is room, and are reported once`()
    async throws
  {
    let disk = FillingDisk()
    let fixture = try LibraryFixture(files: disk)
    try fixture.folder.copy("Photos/monstera/IMG_0001.jpg", to: "photos/fern/1.jpg")
    let (told, summary) = try await follow(
      fixture,
      [
        {
          disk.fill(true)
          try fixture.folder.copy("Photos/monstera/IMG_0002.jpg", to: "photos/fern/2.jpg")
        }, {}, { disk.fill(false) }, {},
      ])
    #expect(told.hasCaughtUp && told.restCount == 2)
    #expect(told.outcomes.compactMap(\.failure) == [.noSpace])
    #expect(told.outcomes.compactMap(\.added).count == 2)
    #expect(summary.added == 2 && summary.failed == 0 && summary.isInterrupted)
    #expect(told.open.isEmpty)
  }

  @Test func `a frame that was cut is open until it is whole`() async throws {
    let fixture = try LibraryFixture()
    let photo = try Fixtures.data("Photos/monstera/IMG_0001.jpg")
    let zeros =
      photo.prefix(photo.count / 2) + Data(repeating: 0, count: photo.count - photo.count / 2)
    try fixture.folder.write(Data(), to: "photos/fern/notes.txt")
    let cut: @Sendable () throws -> Void = {
      try fixture.folder.write(zeros, to: "photos/fern/1.jpg")
    }
    let ended = try await follow(fixture, [cut, {}])
    #expect(ended.told.open.map(\.path) == [fixture.photos + "/fern/1.jpg"])
    #expect(ended.summary.failed == 1 && ended.summary.added == 0)
    let whole = try await follow(
      fixture, [{ try fixture.folder.write(photo, to: "photos/fern/1.jpg") }, {}])
    #expect(whole.told.open.isEmpty)
    #expect(whole.summary.failed == 0 && whole.summary.added == 1)
    #expect(try fixture.entries().count == 1)
  }
}
