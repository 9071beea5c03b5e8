import DiaryModel
import Foundation
import Leaflog
import TestSupport
import Testing

/// Everything that changes a library is stopped once at each of its operations.
@Suite(.serialized) struct FaultTests {
  /// The faults to try: always those that both parts survive together, and in the long mode one part without the other.
  static var tried: [String] {
    ["kill", "power-cut"] + (FaultSweep.isLong ? ["files-lost", "catalog-lost"] : [])
  }

  @Test(arguments: [StoragePolicy.exact, .lossless])
  func `an import loses nothing that it promised`(policy: StoragePolicy) async throws {
    let sweep = try await FaultSweep(.importing(policy))
    for kind in policy == .exact || FaultSweep.isLong ? Self.tried : ["power-cut"] {
      try await sweep.run(kind)
    }
  }

  @Test func `a library that is being made is none, or whole`() async throws {
    let sweep = try await FaultSweep(.creating())
    for kind in FaultSweep.isLong ? Self.tried : ["power-cut"] { try await sweep.run(kind) }
  }

  @Test func `a file is moved only when its photo is durable`() async throws {
    let sweep = try await FaultSweep(.moving())
    for kind in Self.tried { try await sweep.run(kind) }
  }

  @Test func `edits lose nothing that they promised`() async throws {
    let sweep = try await FaultSweep(.editing())
    for kind in Self.tried { try await sweep.run(kind) }
  }

  @Test func `several calls as one change are all made, or none`() async throws {
    let sweep = try await FaultSweep(.changing())
    for kind in Self.tried { try await sweep.run(kind) }
  }

  @Test(arguments: [StoragePolicy.lossless, .compact])
  func `a recompression loses nothing`(policy: StoragePolicy) async throws {
    let sweep = try await FaultSweep(.recompressing(policy))
    for kind in policy == .lossless || FaultSweep.isLong ? Self.tried : ["power-cut"] {
      try await sweep.run(kind)
    }
  }

  @Test func `a prune takes nothing that something refers to`() async throws {
    let sweep = try await FaultSweep(.pruning())
    for kind in Self.tried { try await sweep.run(kind) }
  }

  @Test func `a backup that is cut short is the last one or the new one`() async throws {
    let sweep = try await FaultSweep(.backingUp())
    for kind in Self.tried { try await sweep.run(kind) }
  }

  @Test(arguments: [false, true])
  func `a restore that is cut short leaves the library as it was, or restored`(
    isOfMoment: Bool
  ) async throws {
    let sweep = try await FaultSweep(.restoring(isOfMoment: isOfMoment))
    for kind in isOfMoment || FaultSweep.isLong ? Self.tried : ["power-cut"] {
      try await sweep.run(kind)
    }
    if isOfMoment || FaultSweep.isLong { try await sweep.run("power-cut", isTwice: true) }
  }

  @Test func `changes brought over in part are brought over whole by the next run`() async throws {
    let sweep = try await FaultSweep(.bringingOver())
    for kind in Self.tried { try await sweep.run(kind) }
  }

  @Test(arguments: [false, true])
  func `a repair that is cut short gives everything when it is run again`(
    isOlder: Bool
  ) async throws {
    let sweep = try await FaultSweep(.repairing(isOlder: isOlder))
    for kind in !isOlder || FaultSweep.isLong ? Self.tried : ["kill"] { try await sweep.run(kind) }
    try await sweep.run("power-cut", isTwice: true)
  }

  /// With NORMAL, the database loses commits at a power cut. That the loss is seen shows that it would be elsewhere; and
  /// where the journal is left, it leads on to what the database has lost.
  @Test func `the control, without a sync for each commit, loses what it promised`() async throws {
    // Files are moved, so that where the catalog alone is lost, photos are gone from everywhere.
    let sweep = try await FaultSweep(.moving())
    for kind in ["power-cut", "catalog-lost"] {
      #expect(try await sweep.run(kind, ["--normal"], countsLosses: true) > 0)
    }
    #expect(try await sweep.run("power-cut", ["--normal"]) == 0)
  }
}

extension FaultTests {
  /// Everything that changes a library meets a disk that fails, at each of its operations and reads.
  @Suite struct DiskFaultTests {
    /// A scenario that is made when it is its turn.
    struct Subject: Sendable, CustomTestStringConvertible {
      let testDescription: String
      let scenario: @Sendable () async throws -> FaultScenario

      init(_ name: String, _ scenario: @escaping @Sendable () async throws -> FaultScenario) {
        self.testDescription = name
        self.scenario = scenario
      }
    }

    static let recoveries = [
      Subject("restore") { try await .restoring(isOfMoment: false) },
      Subject("restore --at") { try await .restoring(isOfMoment: true) },
      Subject("repair") { try await .repairing(isOlder: false) },
      Subject("repair of an older catalog") { try await .repairing(isOlder: true) },
    ]

    static let changes = [
      Subject("import, exact") { try await .importing(.exact) },
      Subject("import, lossless") { try await .importing(.lossless) },
      Subject("create and import") { try await .creating() },
      Subject("import --move") { try await .moving() },
      Subject("edits") { try await .editing() },
      Subject("several calls as one change") { try await .changing() },
      Subject("recompress, lossless") { try await .recompressing(.lossless) },
      Subject("recompress, compact") { try await .recompressing(.compact) },
      Subject("prune") { try await .pruning() },
      Subject("backup") { try await .backingUp() },
      Subject("bring-over") { try await .bringingOver() },
    ]

    @Test(
      .enabled(if: FaultSweep.isLong, "only with LEAFLOG_LONG_TESTS"),
      arguments: changes + recoveries)
    func `a disk that fails, is full or takes half of a write loses nothing`(
      subject: Subject
    ) async throws {
      let sweep = try await FaultSweep(subject.scenario())
      for kind in ["eio", "enospc", "short"] { try await sweep.run(kind) }
    }

    @Test(.enabled(if: FaultSweep.isLong, "only with LEAFLOG_LONG_TESTS"), arguments: recoveries)
    func `a disk that does not give a read, or a file, loses nothing`(
      subject: Subject
    ) async throws {
      let sweep = try await FaultSweep(subject.scenario())
      for kind in ["read", "file"] { try await sweep.runUnreadable(kind) }
    }
  }
}
