import Dispatch
import Foundation
import Leaflog
import Synchronization
import TestSupport
import Testing

/// Numbers in the order in which they came.
private final class Numbers: Sendable {
  private let numbers = Mutex<[Int]>([])

  var all: [Int] { numbers.withLock { $0 } }

  func add(_ number: Int) { numbers.withLock { $0.append(number) } }
}

/// Calls that wait, on threads of the library's own.
@Suite struct BlockingCallTests {
  @Test func `many writes at once keep no thread of other tasks`() async throws {
    let fixture = try LibraryFixture()
    let library = fixture.library
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        group.addTask {
          _ = try await library.write {
            try $0.diary.addSymptom(Symptom(name: "s\(number)", severity: Severity(1)))
          }
        }
      }
      // A task of Swift's own threads goes on meanwhile, and reads see what is there.
      while try await library.read({ try $0.timeline.page(limit: 500).elements.count }) < 200 {
        await Task.yield()
      }
      try await group.waitForAll()
    }
    #expect(try library.timeline.page(limit: 500).elements.count == 200)
  }

  @Test func `a call that is cancelled before its turn is not made, and one that runs is finished`()
    async throws
  {
    let fixture = try LibraryFixture()
    let library = fixture.library
    let mayGoOn = DispatchSemaphore(value: 0)
    let (began, beginning) = AsyncStream<Void>.makeStream()
    let running = Task {
      try await library.write {
        beginning.finish()
        mayGoOn.wait()
        return try $0.plants.add(PlantDetails(name: "basil")).name
      }
    }
    for await _ in began {}
    let waiting = Task {
      try await library.write { try $0.plants.add(PlantDetails(name: "fern")).name }
    }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    running.cancel()
    mayGoOn.signal()
    #expect(try await running.value == "basil")
    #expect(try library.plants.all().map(\.name) == ["basil"])
  }

  @TaskLocal private static var name = "nobody"

  @Test @MainActor func `a call sees its task, from the main actor, too`() async throws {
    let fixture = try LibraryFixture()
    let library = fixture.library
    let seen = Mutex<[String]>([])
    /// Notes the thread, the task's name, and whether the task is cancelled, before and after it is cancelled here.
    @Sendable func note(_ call: String) {
      dispatchPrecondition(condition: .notOnQueue(.main))
      let before = Task.isCancelled
      withUnsafeCurrentTask { $0?.cancel() }
      let after = Task.isCancelled
      seen.withLock {
        $0.append("\(call) of \(Self.name): \(before), \(after), \(Thread.current.name ?? "")")
      }
    }
    try await Self.$name.withValue("Ada") {
      try await Task { try await library.read { _ in note("read") } }.value
      try await Task { try await library.write { _ in note("write") } }.value
      try await Task { try await library.work { _ in note("work") } }.value
    }
    #expect(
      seen.withLock { $0 }
        == ["read", "write", "work"].map { "\($0) of Ada: false, true, leaflog.waiting" })
  }

  @Test func `an export in a read ends when its task is cancelled`() async throws {
    let fixture = try LibraryFixture(policy: .exact)
    _ = try await fixture.run([Fixtures.path("Photos/basil")])
    let request = ExportRequest(.matching(TimelineQuery()), to: fixture.folder.file("out"))
    let library = fixture.library
    let count = Mutex(0)
    let summary = try await Task {
      try await library.read {
        try PhotoExporter($0).run(request) { _ in
          count.withLock { $0 += 1 }
          withUnsafeCurrentTask { $0?.cancel() }
        }
      }
    }.value
    #expect(summary.isInterrupted && count.withLock { $0 } == 1)
  }

  @Test
  func `calls that wait end at once when they are cancelled, and the others keep their order`()
    async throws
  {
    let fixture = try LibraryFixture()
    let library = fixture.library
    let mayGoOn = DispatchSemaphore(value: 0)
    let (began, beginning) = AsyncStream<Void>.makeStream()
    let running = Task {
      try await library.write { _ in
        beginning.finish()
        mayGoOn.wait()
      }
    }
    for await _ in began {}
    let order = Numbers()
    // The main actor runs its tasks in the order in which they were made.
    let waiting = (0..<100).map { number in
      Task { @MainActor in
        try await library.write { _ in order.add(number) }
      }
    }
    let cancelled = Set((0..<100).filter { _ in Bool.random() })
    for number in cancelled { waiting[number].cancel() }
    for number in cancelled {
      await #expect(throws: CancellationError.self) { try await waiting[number].value }
    }
    #expect(order.all == [])
    mayGoOn.signal()
    try await running.value
    for number in Set(0..<100).subtracting(cancelled) { try await waiting[number].value }
    #expect(order.all == (0..<100).filter { !cancelled.contains($0) })
  }

  @Test func `reads and writes do not wait for long work`() async throws {
    let fixture = try LibraryFixture()
    let library = fixture.library
    let mayEnd = DispatchSemaphore(value: 0)
    let (began, beginnings) = AsyncStream<Void>.makeStream()
    let works = (0..<20).map { _ in
      Task {
        try await library.work { _ in
          beginnings.yield()
          mayEnd.wait()
        }
      }
    }
    var count = 0
    for await _ in began {
      count += 1
      if count == works.count { break }
    }
    let plant = try await library.write { try $0.plants.add(PlantDetails(name: "basil")).id }
    #expect(try await library.read { try $0.plants.all().map(\.id) } == [plant])
    for _ in works { mayEnd.signal() }
    for work in works { try await work.value }
  }
}
