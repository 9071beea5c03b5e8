internal import BlobStorage
internal import Foundation
internal import SystemPackage

/// The file with the address of the service that runs for a library, for other commands of its keeper.
package struct ServiceAddressFile: Sendable {
  private struct Contents: Codable {
    var format = 1
    var address: String
  }

  private let path: FilePath
  private let store: LocalBlobStore

  package init(of library: Library) {
    (path, store) = (library.layout.serviceAddress, library.disk)
  }

  /// Nil when no service runs, or none that could write it down.
  package func read() -> String? {
    FileManager.default.contents(atPath: path.string)
      .flatMap { try? JSONDecoder().decode(Contents.self, from: $0) }?.address
  }

  package func write(_ address: String) throws(LeaflogError) {
    try translating {
      try store.createFolders()
      try store.write(JSONEncoder().encode(Contents(address: address)), to: path)
    }
  }

  /// Removes it, unless another service has written its own by now.
  package func remove(_ address: String) throws(LeaflogError) {
    guard read() == address else { return }
    try translating { try store.remove(path) }
  }
}
