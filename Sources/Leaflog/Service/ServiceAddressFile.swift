internal import BlobStorage
internal import Foundation
internal import SystemPackage

/// The file with the address of a library's running service, for the owner's other commands.
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

  /// The address; nil when no service runs, or it could not write the file.
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

  /// Removes the file, unless another service has written its own address by now.
  ///
  /// - Parameter former: the address that the file had before, of a service that may still run.
  package func remove(_ address: String, former: String?) throws(LeaflogError) {
    guard read() == address else { return }
    if let former { return try write(former) }
    try translating { try store.remove(path) }
  }
}
