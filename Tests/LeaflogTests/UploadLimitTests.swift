import DiaryModel
import Foundation
import Leaflog
import TestSupport
import Testing

/// The room that uploads may take, of the disk and of each sender.
@Suite struct UploadLimitTests {
  private func code(_ body: () throws -> Void) -> LeaflogError.Code? {
    do { try body() } catch { return (error as? LeaflogError)?.code }
    return nil
  }

  private func request(_ byteCount: Int?) -> UploadRequest {
    var request = UploadRequest(name: "photo.jpg")
    request.byteCount = byteCount
    return request
  }

  @Test(.enabled(if: SmallDisk.isPossible, "no file system can be mounted here"))
  func `on a disk that is nearly full, uploads are refused and edits are not`() throws {
    let folder = try TemporaryFolder()
    let disk = try SmallDisk(at: folder.file("disk"), size: "16m")
    let library = try Library.create(at: disk.path + "/library")
    #expect(code { _ = try library.uploads.begin(request(16 << 20), isKept: false) } == .noSpace)
    #expect(code { try fill(library, except: disk.path) } == nil)
    // Room was made by removing it, and nothing else is left.
    #expect(code { _ = try library.uploads.begin(request(200_000), isKept: false) } == nil)
    try library.close()
  }

  /// Sends a file that does not fit, and removes it.
  private func fill(_ library: Library, except path: String) throws {
    let upload = try library.uploads.begin(request(nil), isKept: false)
    let piece = [UInt8](repeating: 1, count: 100_000)
    var refusal: LeaflogError?
    while refusal == nil {
      do { try piece.withUnsafeBytes { try upload.append($0) } } catch {
        refusal = error as? LeaflogError
      }
    }
    #expect(refusal?.code == .noSpace && refusal?.message.contains(path) == false)
    #expect(code { _ = try library.uploads.begin(request(200_000), isKept: true) } == .noSpace)
    _ = try library.plants.add(PlantDetails(name: "fern"))
    try library.uploads.remove(upload.id)
  }

  @Test func `the unfinished uploads of a sender have so many bytes`() throws {
    let folder = try TemporaryFolder()
    let library = try Library.create(at: folder.file("library"))
    var (count, refusal) = (0, LeaflogError.Code?.none)
    while refusal == nil {
      refusal = code {
        _ = try library.uploads.begin(request(500_000_000), isKept: true, sender: "phone")
        count += 1
      }
    }
    // 16 GB.
    #expect(refusal == .tooLarge && count == 34)
    let other = try library.uploads.begin(request(1), isKept: true, sender: "camera")
    try library.uploads.remove(other.id)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("library/uploads"))
    #expect(!names.contains { $0.hasPrefix(other.id.description) })
  }
}
