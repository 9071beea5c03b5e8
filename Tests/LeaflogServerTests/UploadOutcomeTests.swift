import Foundation
import Leaflog
import Synchronization
import TestSupport
import Testing

/// A file that is sent fares as one that is imported from a folder.
@Suite struct UploadOutcomeTests {
  @Test func `each file of the fixtures has the outcome that its import has`() async throws {
    // An import knows the files of a library by the folder that they are in; a file that is sent has none.
    try await compare(
      Self.files(under: Fixtures.folder).filter { !$0.hasPrefix(Fixtures.path("Library/")) })
  }

  @Test(
    .enabled(if: Fixtures.sharedPhotos != nil, "no shared photos here"),
    arguments: ["hostile", "zoo"])
  func `each file of a collection has the outcome that its import has`(name: String) async throws {
    try await compare(Self.files(under: #require(Fixtures.sharedPhotos) + "/" + name))
  }

  /// Sends each file, and imports it by itself into another library.
  private func compare(_ paths: [String]) async throws {
    #expect(paths.count > 20)
    let folder = try TemporaryFolder()
    let imported = try Library.create(at: folder.file("imported"), .init(policy: .exact))
    try await RunningServer.run(importing: []) { server in
      for path in paths {
        // A file that is sent has no sidecar.
        let alone = folder.file("alone")
        try FileManager.default.createDirectory(
          atPath: alone, withIntermediateDirectories: true)
        let copy = alone + "/" + URL(filePath: path).lastPathComponent
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        let wanted = try await Self.imported(copy, by: imported)
        try FileManager.default.removeItem(atPath: alone)
        let sent = try await Self.sent(path, to: server)
        #expect(sent == wanted, "\(path)")
      }
      #expect(try server.uploadsLeft.isEmpty)
      #expect(try await server.answer("/healthz").status == 200)
      let count = try imported.timeline.page(limit: 1000).elements.count
      #expect(try server.library.timeline.page(limit: 1000).elements.count == count)
    }
    try imported.close()
  }

  /// An outcome's name and its reason.
  private static func imported(_ path: String, by library: Library) async throws -> [String?] {
    let outcomes = Mutex<[FileOutcome]>([])
    _ = try await Importer(library).run(ImportRequest(paths: [path])) { outcome in
      outcomes.withLock { $0.append(outcome) }
    }
    return switch outcomes.withLock({ $0.first?.result }) {
    case .added: ["added", nil]
    case .duplicate: ["duplicate", nil]
    case .restored: ["restored", nil]
    case .updated: ["updated", nil]
    // A sidecar is one by the photo beside it, and a file that is sent has none.
    case .skipped(.sidecar): ["skipped", SkipReason.notAnImage.rawValue]
    case .skipped(let reason): ["skipped", reason.rawValue]
    case .failed(let reason, _): ["failed", reason.rawValue]
    case nil: []
    }
  }

  private static func sent(_ path: String, to server: RunningServer) async throws -> [String?] {
    let name = try #require(
      URL(filePath: path).lastPathComponent.addingPercentEncoding(
        withAllowedCharacters: .alphanumerics))
    let answer = try await server.answer(
      "POST", "/api/v1/photos?name=\(name)", ["Content-Type: application/octet-stream"],
      body: Array(Data(contentsOf: URL(filePath: path))))
    let json = try answer.json
    return [json["outcome"] as? String, json["reason"] as? String]
  }

  private static func files(under folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder).sorted().map { folder + "/" + $0 }
      .filter { path in
        let values = try? URL(filePath: path).resourceValues(forKeys: [.isRegularFileKey])
        return values?.isRegularFile == true
      }
  }
}
