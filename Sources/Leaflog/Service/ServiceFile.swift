internal import BlobStorage
internal import Foundation
internal import SystemPackage

/// The settings of a library that belong to the machine that serves it.
struct ServiceSettings {
  var folders = FolderList(stored: "")
}

/// The file `service.json` of a library. It is not in the catalog, so that nobody who may change the diary can gain
/// access to folders of the machine, by undoing a change or by restoring a backup.
struct ServiceFile {
  private struct Contents: Codable {
    var format = 1
    var folders: [String]
  }

  private let library: Library

  init(_ library: Library) { self.library = library }

  private var path: FilePath { library.layout.service }

  func read() throws(LeaflogError) -> ServiceSettings {
    guard let data = FileManager.default.contents(atPath: path.string) else {
      return ServiceSettings()
    }
    guard let contents = SealedJSON.decode(Contents.self, from: data) else {
      throw LeaflogError(
        .damaged,
        "\(path) is damaged, so no folder is allowed. Remove it, and allow the folders again.")
    }
    return ServiceSettings(
      folders: FolderList(stored: contents.folders.joined(separator: ":")))
  }

  func write(_ settings: ServiceSettings) throws(LeaflogError) {
    try library.checkWritable()
    try translating {
      let contents = Contents(folders: settings.folders.paths)
      try library.disk.write(SealedJSON.encode(contents), to: path)
    }
  }
}
