import Foundation
import Imaging
import TestSupport
import Testing

/// Shrinking on several threads at once: up to 8.14 libvips compiles and frees code for each, and only the
/// lock in CVips keeps that from crashing.
@Suite struct ConcurrentShrinkingTests {
  private static let count =
    ProcessInfo.processInfo.environment["LEAFLOG_LONG_TESTS"] == nil ? 1000 : 100_000

  @Test func `shrinks on eight threads give the pictures that one thread gives`()
    async throws
  {
    let photo = try photoFile(Fixtures.data("Colour/srgb.jpg")).decode()
    let sides = Array(20..<60)
    let expected = try sides.map { try photo.frame(side: $0).rgbSamples() }
    let threads = Threads()
    let differing = try await withThrowingTaskGroup(of: Int.self) { group in
      for thread in 0..<8 {
        group.addTask(executorPreference: threads) {
          try withImagingThread {
            try (0..<Self.count / 8).count { round in
              let index = (7 * round + thread) % sides.count
              return try photo.frame(side: sides[index]).rgbSamples() != expected[index]
            }
          }
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(differing == 0)
  }
}
