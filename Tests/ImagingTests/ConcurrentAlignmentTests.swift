import Foundation
import Imaging
import TestSupport
import Testing

/// Aligning on more threads at once than malloc has arenas, so that memory freed too early is soon another's.
@Suite struct ConcurrentAlignmentTests {
  @Test func `frames aligned on many threads lie where one thread puts them`() async throws {
    let thumbnails = try ["monstera/IMG_0001.jpg", "monstera/IMG_0002.jpg"].map { name in
      try decoded(photoFile(Fixtures.data("Photos/" + name)).decode().thumbnail().image)
    }
    let expected = try aligned(thumbnails)
    let threads = Threads()
    let differing = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<64 {
        group.addTask(executorPreference: threads) {
          try withImagingThread {
            try (0..<4).count { _ in try aligned(thumbnails) != expected }
          }
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(differing == 0)
  }
}

private func aligned(_ frames: [DecodedPhoto]) throws -> [String] {
  var aligner = FrameAligner()
  for frame in frames { try aligner.add(frame) }
  return aligner.alignments().map { "\($0)" }
}
