import DiaryModel
import Foundation
import Leaflog
import TestSupport
import Testing

/// Everything that changes a library is stopped and failed once at each of its operations.
@Suite(.serialized) struct FaultTests {
  static let kinds = ["kill", "power-cut", "files-lost", "catalog-lost", "eio", "enospc", "short"]

  /// What both parts survive together is tried always; one part without the other, and writes that
  /// are cut short, take their time.
  static var tried: [String] {
    FaultSweep.isLong ? kinds : ["kill", "power-cut", "eio", "enospc"]
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
    for kind in FaultSweep.isLong ? Self.tried : ["kill", "power-cut"] {
      try await sweep.run(kind)
    }
  }

  @Test func `edits lose nothing that they promised`() async throws {
    let sweep = try await FaultSweep(.editing())
    for kind in FaultSweep.isLong ? Self.tried : ["kill", "power-cut", "eio"] {
      try await sweep.run(kind)
    }
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
    if isOfMoment || FaultSweep.isLong {
      try await sweep.run("power-cut", isTwice: true)
      for kind in ["read", "file"] { try await sweep.runUnreadable(kind) }
    }
  }

  @Test func `changes brought over in part are brought over whole by the next run`() async throws {
    let sweep = try await FaultSweep(.bringingOver())
    for kind in FaultSweep.isLong ? Self.tried : ["kill", "power-cut"] {
      try await sweep.run(kind)
    }
  }

  @Test(arguments: [false, true])
  func `a repair that is cut short gives everything when it is run again`(
    isOlder: Bool
  ) async throws {
    let sweep = try await FaultSweep(.repairing(isOlder: isOlder))
    for kind in !isOlder || FaultSweep.isLong ? Self.tried : ["kill"] { try await sweep.run(kind) }
    try await sweep.run("power-cut", isTwice: true)
    for kind in ["read", "file"] { try await sweep.runUnreadable(kind) }
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
