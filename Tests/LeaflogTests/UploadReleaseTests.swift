import Leaflog
import TestSupport
import Testing

/// Uploads that several go on with, one after the other.
@Suite struct UploadReleaseTests {
  @Test func `a released upload can be gone on with while others still have its value`() throws {
    let folder = try TemporaryFolder()
    let library = try Library.create(at: folder.file("library"))
    let request = UploadRequest(name: "photo.jpg")
    let first = try library.uploads.begin(request, isKept: true)
    try Array("one".utf8).withUnsafeBytes { try first.append($0) }
    #expect(throws: LeaflogError.self) { try library.uploads.resume(first.id) }
    first.release()
    let second = try library.uploads.resume(first.id)
    #expect(second.byteCount == 3 && first.byteCount == 3)
  }
}
