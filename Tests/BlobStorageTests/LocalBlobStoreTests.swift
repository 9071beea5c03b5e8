import BlobStorage
import DiaryModel
import Foundation
import Synchronization
import SystemPackage
import TestSupport
import Testing

private func blob(_ text: String) -> PendingBlob {
  PendingBlob(hashing: SharedBytes(copying: text.utf8))
}

private func text(_ buffer: SharedBytes) -> String {
  buffer.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
}

/// Has a second descriptor of each file that it creates, as a process has that was just forked off to run a program.
private final class SharedFileSystem: ForwardingFileSystem {
  let real = POSIXFileSystem()
  private let others = Mutex<[FileDescriptor]>([])

  func createFile(_ path: FilePath) throws(Errno) -> FileDescriptor {
    let file = try real.createFile(path)
    let other = dup(file.rawValue)
    guard other >= 0 else { throw Errno(rawValue: errno) }
    others.withLock { $0.append(FileDescriptor(rawValue: other)) }
    return file
  }

  deinit { others.withLock { for file in $0 { try? file.close() } } }
}

@Suite struct LocalBlobStoreTests {
  private func store(_ folder: TemporaryFolder, _ files: any FileSystem = POSIXFileSystem()) throws
    -> LocalBlobStore
  {
    let store = LocalBlobStore(root: FilePath(folder.path), files: files)
    try store.createFolders()
    return store
  }

  @Test func `a blob is found under the SHA-256 of its bytes`() throws {
    let folder = try TemporaryFolder()
    let store = try store(folder)
    let leaf = blob("leaf")
    try store.put([leaf])
    #expect(text(try store.get(leaf.id, range: nil)) == "leaf")
    #expect(text(try store.get(leaf.id, range: 1..<3)) == "ea")
    #expect(try store.byteCount(of: leaf.id) == 4)
    #expect(folder.files() == ["blobs/\(leaf.id.hex.prefix(2))/\(leaf.id.hex)"])
  }

  @Test func `a file is free to be locked as soon as it is written`() throws {
    let folder = try TemporaryFolder()
    let store = try store(folder, SharedFileSystem())
    let path = FilePath(folder.file("note"))
    try store.write(Array("leaf".utf8), to: path)
    #expect(try HeldLock(path) != nil)
  }

  @Test func `digests are in the order of their digits`() {
    let ids = (0..<200).map { blob("\($0)").id }
    #expect(ids.sorted() == ids.sorted { $0.hex < $1.hex })
    let (low, high) = (
      "00" + String(repeating: "f", count: 62), "01" + String(repeating: "0", count: 62)
    )
    #expect(BlobID(hex: low)! < BlobID(hex: high)!)
  }

  @Test func `a lock is held only if somebody has it`() throws {
    let folder = try TemporaryFolder()
    let path = FilePath(folder.file("a.lock"))
    #expect(throws: BlobStoreError.self) { try HeldLock(path) }
    do {
      let first = try HeldLock(path, creates: true)
      #expect(first != nil)
      #expect(try HeldLock(path) == nil)
      withExtendedLifetime(first) {}
    }
    #expect(try HeldLock(path, creates: true) != nil)
    // A folder cannot be opened for writing, which NFS asks for. That says nothing about others.
    #expect(throws: BlobStoreError.self) { try HeldLock(FilePath(folder.path)) }
  }

  @Test func `putting a blob again changes nothing`() throws {
    let folder = try TemporaryFolder()
    let store = try store(folder)
    try store.put([blob("a"), blob("a"), blob("b")])
    let before = folder.files()
    try store.put([blob("a"), blob("b")])
    #expect(folder.files() == before)
    #expect(before.count == 2)
  }

  @Test func `a blob of the wrong size is written anew`() throws {
    let folder = try TemporaryFolder()
    let store = try store(folder)
    let leaf = blob("leaf")
    try store.put([leaf])
    try Data("le".utf8).write(to: URL(fileURLWithPath: store.path(of: leaf.id).string))
    try store.put([leaf])
    #expect(text(try store.get(leaf.id, range: nil)) == "leaf")
  }

  @Test func `a listing has every blob, and what is deleted is gone`() throws {
    let folder = try TemporaryFolder()
    let store = try store(folder)
    let blobs = (0..<300).map { blob("blob \($0)") }
    try store.put(blobs)
    var listed: Set<BlobID> = []
    try store.list { listed.insert($0.id) }
    #expect(listed == Set(blobs.map(\.id)))
    try store.delete(blobs[0].id)
    try store.delete(blobs[0].id)
    #expect(try store.byteCount(of: blobs[0].id) == nil)
    #expect(throws: BlobStoreError.self) { try store.get(blobs[0].id, range: nil) }
  }

  @Test func `every byte is synced before its name, and the name before the return`() throws {
    let folder = try TemporaryFolder()
    let recorder = FaultyFileSystem()
    let store = try store(folder, recorder)
    recorder.arm()
    try store.put([blob("a"), blob("b"), blob("c")])
    let log = recorder.log
    for (position, operation) in log.enumerated() {
      guard case .rename(let from, let to) = operation else { continue }
      let before = log[..<position]
      let lastWrite = try #require(before.lastIndex(of: .write(from)))
      let sync = try #require(before.lastIndex(of: .sync(from)))
      #expect(lastWrite < sync)
      #expect(log[position...].contains(.syncDirectory(to.removingLastComponent())))
    }
    #expect(log.filter { if case .rename = $0 { true } else { false } }.count == 3)
    // A new folder's own name is made durable too.
    for case .makeDirectory(let path) in log {
      let position = try #require(log.firstIndex(of: .makeDirectory(path)))
      #expect(log[position...].contains(.syncDirectory(path.removingLastComponent())))
    }
  }

  @Test func `a folder that another writer made is made durable too`() throws {
    let folder = try TemporaryFolder()
    let recorder = FaultyFileSystem()
    let store = try store(folder, recorder)
    let target = store.path(of: blob("a").id).removingLastComponent()
    mkdir(target.string, 0o777)
    recorder.arm()
    try store.put([blob("a")])
    #expect(!recorder.log.contains(.makeDirectory(target)))
    #expect(recorder.log.contains(.syncDirectory(target.removingLastComponent())))
  }

  @Test(arguments: [Errno.noSpace, .ioError])
  func `when any one operation fails, nothing half-written stays`(fault: Errno) throws {
    var tried = 0
    for failing in 0... {
      let folder = try TemporaryFolder()
      let faults = FaultyFileSystem()
      let store = try store(folder, faults)
      faults.arm(FaultPlan(.fail(fault), at: failing))
      let blobs = [blob("one"), blob("two")]
      do {
        try store.put(blobs)
        #expect(faults.log.count <= failing)
        break
      } catch {
        tried += 1
        #expect(error.code == (fault == .noSpace ? .noSpace : .failed))
      }
      #expect(!folder.files().contains { $0.hasPrefix("tmp/") })
      for blob in blobs where try store.byteCount(of: blob.id) != nil {
        #expect(try store.get(blob.id, range: nil).count == 3)
      }
      faults.arm()
      try store.put(blobs)
    }
    #expect(tried >= 10)
  }

  @Test func `files of a killed writer are swept, those of a live one are not`() throws {
    let folder = try TemporaryFolder()
    let store = try store(folder)
    try folder.write(Data("dead".utf8), to: "tmp/dead")
    let live = try folder.write(Data("live".utf8), to: "tmp/live")
    let file = open(live, O_RDONLY)
    flock(file, LOCK_EX)
    defer { close(file) }
    try store.sweepTemporaryFiles()
    #expect(folder.files(below: "tmp") == ["live"])
  }
}

/// How many were in a place at the same time.
private final class Occupancy: Sendable {
  private let counts = Mutex((now: 0, most: 0))

  var most: Int { counts.withLock { $0.most } }

  func enterAndLeave() {
    counts.withLock {
      $0.now += 1
      $0.most = max($0.most, $0.now)
    }
    sched_yield()  // to whoever may come in
    counts.withLock { $0.now -= 1 }
  }
}

@Suite struct FileLockTests {
  @Test func `a lock that is a link to nowhere is refused`() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("lock"), withDestinationPath: folder.file("nowhere"))
    #expect(throws: BlobStoreError.self) { try FileLock(FilePath(folder.file("lock"))) }
    #expect(throws: BlobStoreError.self) {
      try HeldLock(FilePath(folder.file("lock")), creates: true)
    }
    #expect(!FileManager.default.fileExists(atPath: folder.file("nowhere")))
  }

  @Test func `only one holder at a time, across open files as across threads`() async throws {
    let folder = try TemporaryFolder()
    let path = FilePath(folder.file("lock"))
    let locks = try [FileLock(path), FileLock(path)]
    let inside = Occupancy()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        let lock = locks[task % 2]
        group.addTask {
          for _ in 0..<25 { try lock.withLock { inside.enterAndLeave() } }
        }
      }
      try await group.waitForAll()
    }
    #expect(inside.most == 1)
  }

  @Test func `patience ends with the reason`() throws {
    let folder = try TemporaryFolder()
    let path = FilePath(folder.file("lock"))
    let waiter = try FileLock(path, patience: .milliseconds(20))
    do {
      let holder = try #require(try HeldLock(path, creates: true))
      let error = #expect(throws: BlobStoreError.self) { try waiter.withLock {} }
      #expect(error?.code == .locked)
      withExtendedLifetime(holder) {}
    }
    try waiter.withLock {}
  }

  @Test func `a thread that holds a lock is refused it, also through another open file`() throws {
    let folder = try TemporaryFolder()
    let locks = try (0..<2).map { _ in try FileLock(FilePath(folder.file("lock"))) }
    try locks[0].withLock {
      for lock in locks {
        let error = #expect(throws: BlobStoreError.self) { try lock.withLock {} }
        #expect(error?.code == .invalid)
      }
    }
    try locks[1].withLock {}
  }
}

@Suite struct FileReaderTests {
  @Test func `a file is hashed as it is read`() throws {
    let folder = try TemporaryFolder()
    let data = Data((0..<1_000_003).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    let path = FilePath(try folder.write(data, to: "file"))
    let (bytes, id) = try FileReader(path).readAndHash()
    #expect(bytes.count == data.count)
    #expect(id == data.withUnsafeBytes { BlobID(hashing: $0) })
  }

  @Test func `folders and pipes are no files, and are not waited for`() throws {
    let folder = try TemporaryFolder()
    #expect(throws: Errno.isDirectory) { try FileReader(FilePath(folder.path)) }
    mkfifo(folder.file("pipe"), 0o600)
    #expect(throws: Errno.self) { try FileReader(FilePath(folder.file("pipe"))) }
  }
}

@Suite struct UnsyncedFolderTests {
  @Test func `a folder that cannot be synced is said once, and is no failure`() throws {
    let files = POSIXFileSystem()
    let told = Mutex<[FilePath]>([])
    UnsyncedFolder.whenFound { folder in told.withLock { $0.append(folder) } }
    // Folders of procfs cannot be synced: EINVAL.
    for path in ["/proc/self", "/proc"] { try files.syncDirectory(FilePath(path)) }
    #expect(told.withLock { $0 } == ["/proc/self"])
    #expect(throws: Errno.noSuchFileOrDirectory) { try files.syncDirectory("/proc/self/none") }
    // Who asks later learns it, too.
    UnsyncedFolder.whenFound { folder in told.withLock { $0.append(folder) } }
    #expect(told.withLock { $0 } == ["/proc/self", "/proc/self"])
  }
}
