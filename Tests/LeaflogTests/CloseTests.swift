import Foundation
import Leaflog
import Synchronization
import TestSupport
import Testing

@Suite struct CloseTests {
  /// The number of times that a library is closed while others use it.
  private static let roundCount =
    ProcessInfo.processInfo.environment["LEAFLOG_LONG_TESTS"] == nil ? 50 : 1000

  @Test(arguments: [Library.Access.reading, .writingSerially, .writing])
  func `those who use a library while it is closed get a result or the error that it is closed`(
    access: Library.Access
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("library")
    let made = try Library.create(at: path)
    _ = try made.plants.add(PlantDetails(name: "fern"))
    try made.close()
    var counts: [Int] = []
    for _ in 0..<Self.roundCount {
      let library = try Library.open(at: path, for: access)
      counts += try use(library) { number in
        guard number == 0, access.allowsWriting else {
          return try library.timeline.page(limit: 50).elements.count
        }
        _ = try library.diary.setMood(.happy, on: library.today)
        return 1
      }
    }
    // Everybody had used it before it was closed.
    #expect(counts.allSatisfy { $0 > 0 })
  }

  @Test func `a closed library refuses reads, changes and imports, and can be closed again`()
    async throws
  {
    let folder = try TemporaryFolder()
    let library = try Library.create(at: folder.file("library"))
    try library.close()
    try library.close()
    let reading = #expect(throws: LeaflogError.self) { try library.timeline.page(limit: 1) }
    #expect(reading?.code == .closed)
    let changing = #expect(throws: LeaflogError.self) {
      try library.plants.add(PlantDetails(name: "fern"))
    }
    #expect(changing?.code == .closed)
  }

  @Test func `an import, observers and tasks end when their library is closed at any moment`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("library")
    try Library.create(at: path).close()
    for _ in 0..<Self.roundCount / 10 {
      let library = try Library.open(at: path)
      await withTaskGroup { group in
        for work in Self.works {
          group.addTask {
            do { try await work(library) } catch let error as LeaflogError {
              #expect(error.code == .closed)
            } catch { Issue.record(error) }
          }
        }
        group.addTask {
          for _ in 0..<Int.random(in: 0..<100) { await Task.yield() }
          #expect(throws: Never.self) { try library.close() }
        }
      }
    }
    // What was imported is whole, and the rest can be imported.
    let library = try Library.open(at: path)
    _ = try await Importer(library).run(ImportRequest(paths: [Fixtures.path("Photos/basil")])) {
      _ in
    }
    #expect(try library.plants.find(matching: "basil").photoCount == 4)
    #expect(try Verifier(library).run(VerifyRequest()) { _ in }.damageCount == 0)
    try library.close()
  }

  private static let works: [@Sendable (Library) async throws -> Void] = [
    { for try await _ in try $0.history.commits(after: 0) {} },
    { for try await _ in try $0.values(of: { try $0.plants.all() }) {} },
    { library in
      while true { _ = try await library.write { try $0.diary.setMood(.happy, on: $0.today) } }
    },
    { library in
      while true { _ = try await library.read { try $0.timeline.page(limit: 50) } }
    },
    { library in
      _ = try await Importer(library).run(
        ImportRequest(paths: [Fixtures.path("Photos/basil")])
      ) { _ in }
    },
  ]

  /// Closes a library from two threads while four others repeat a use of it, after each has done so once. Returns how
  /// often each of them could.
  private func use(
    _ library: Library, _ body: @escaping @Sendable (Int) throws -> Int
  ) throws -> [Int] {
    let (began, ended) = (DispatchSemaphore(value: 0), DispatchGroup())
    let counts = Mutex([Int](repeating: 0, count: 4))
    let failures = Mutex<[any Error]>([])
    func run(_ work: @escaping @Sendable () throws -> Void) {
      ended.enter()
      Thread.detachNewThread {
        do { try work() } catch { failures.withLock { $0.append(error) } }
        ended.leave()
      }
    }
    for number in 0..<4 {
      run {
        do {
          while true {
            _ = try body(number)
            let count = counts.withLock { counts in
              counts[number] += 1
              return counts[number]
            }
            if count == 1 { began.signal() }
          }
        } catch let error as LeaflogError where error.code == .closed {}
      }
    }
    for _ in 0..<4 { began.wait() }
    for _ in 0..<2 { run { try library.close() } }
    ended.wait()
    #expect(failures.withLock { $0 }.isEmpty)
    return counts.withLock { $0 }
  }
}
