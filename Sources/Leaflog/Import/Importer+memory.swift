internal import DiaryModel
public import Foundation
internal import Synchronization
internal import SystemPackage

// One photo, which is not found in a folder.
extension Importer {
  /// Imports a photo that is in memory, such as one that came over a network or from a database.
  ///
  /// The bytes are imported as a file with this name would be, and the request's options apply. Photos that are imported
  /// by one importer share what it learns about their compression. Any number of calls may run at a time, each of them on
  /// a thread of its own; they wait for memory, but each already has its photo's bytes.
  ///
  /// - Parameters:
  ///   - photo: the bytes of an image file.
  ///   - name: the file's name without folders, such as `IMG_0042.jpg`. A photo without a date of its own may be dated
  ///     by it.
  ///   - modifiedAt: when the file was last modified, which dates a photo without any other date; nil means now.
  ///   - request: the options; it names no paths, and moves no files.
  /// - Returns: the outcome, as for an imported file.
  /// - Throws: `LeaflogError` with code `invalidRequest` for options that do not fit, and as `run` for errors that have
  ///   nothing to do with the photo; `CancellationError` if the task was cancelled before the photo was begun.
  public func run(
    _ photo: Data, named name: String, modifiedAt: Timestamp? = nil,
    _ request: ImportRequest = ImportRequest()
  ) async throws -> FileOutcome {
    guard request.paths.isEmpty, !request.movesFiles else {
      throw LeaflogError(
        .invalidRequest, "A photo that is in memory is imported without paths, and is not moved.")
    }
    let name = UploadRequest(name: name).withoutFolders.name
    return try await Library.work {
      let folder = try ScratchFolder()
      defer { withExtendedLifetime(folder) {} }
      let path = FilePath(folder.path).appending("photo")
      let item = try translating { () throws -> ScanItem in
        if let reason = WalkRules.refusal(ofName: name, isFolder: false) {
          return .outcome(.skipped(name, reason))
        }
        try photo.withUnsafeBytes { try OutputFile.write($0, to: path) }
        return .file(try ScannedFile(sent: path, name: name, modifiedAt: modifiedAt))
      }
      return try await outcome(of: item) { item, report in
        _ = try await run(request, items: item, report: report)
      }
    }
  }

  /// The outcome of the only item of an import.
  func outcome(
    of item: ScanItem,
    _ run: (CollectionOfOne<ScanItem>, @escaping @Sendable (FileOutcome) -> Void) async throws ->
      Void
  ) async throws -> FileOutcome {
    let outcome = Mutex<FileOutcome?>(nil)
    try await run(CollectionOfOne(item)) { told in outcome.withLock { $0 = told } }
    guard let outcome = outcome.withLock({ $0 }) else { throw CancellationError() }
    return outcome
  }
}
