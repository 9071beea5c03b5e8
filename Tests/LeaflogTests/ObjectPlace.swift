import BlobStorage
import DiaryModel
import Foundation
import Leaflog
import Synchronization
import TestSupport
import Testing

/// An object store for a library: in memory, or an engine of this machine.
enum LibraryStoreKind: Sendable, CustomTestStringConvertible {
  case memory
  case engine(ObjectEngine)

  static var available: [LibraryStoreKind] {
    [.memory] + ObjectEngine.available.map(LibraryStoreKind.engine)
  }

  var testDescription: String {
    if case .engine(let engine) = self { engine.rawValue } else { "memory" }
  }
}

/// A place in an object store that nobody else uses, with the key to it.
struct ObjectPlace: Sendable {
  static let secret = "a secret that nobody may write down"

  let settings: ObjectStoreSettings
  let keys: ObjectStoreKeys
  /// Asks the store without a library.
  let client: S3Client
  /// Kept for as long as the place.
  private let server: ObjectServer?

  init(_ kind: LibraryStoreKind) throws {
    switch kind {
    case .memory: try self.init(ObjectServer())
    case .engine(let engine):
      let service = try engine.service()
      try self.init(service.location(), service.credentials)
    }
  }

  /// - Parameters:
  ///   - name: of the prefix.
  ///   - policy: of those who get their key here; `client` has its own.
  init(
    _ server: ObjectServer, _ name: String = "diary", policy: RetryPolicy = RetryPolicy()
  ) throws {
    try self.init(
      S3Location(ObjectStoreSettings(url: "s3://bucket/\(name)", endpoint: server.endpoint)),
      S3Credentials(key: "key", secret: Self.secret), server, policy)
  }

  private init(
    _ location: S3Location, _ credentials: S3Credentials, _ server: ObjectServer? = nil,
    _ policy: RetryPolicy = RetryPolicy()
  ) throws {
    self.server = server
    settings = location.settings
    var keys = ObjectStoreKeys(environment: [
      "AWS_ACCESS_KEY_ID": credentials.key, "AWS_SECRET_ACCESS_KEY": credentials.secret,
    ])
    keys.policy = policy
    self.keys = keys
    client = S3Client(location, credentials)
  }

  /// The keys that begin with a prefix.
  func keys(_ prefix: String) throws -> [String] {
    var keys: [String] = []
    try client.list(prefix: prefix) { keys.append($0.key) }
    return keys
  }
}

/// Lets a number of requests to a server pass, and refuses all others.
final class RequestLimit: Sendable {
  private let left = Mutex<Int?>(nil)

  /// - Parameter count: nil lets all pass.
  func set(_ count: Int?) { left.withLock { $0 = count } }

  /// A server that keeps to it.
  func server() throws -> ObjectServer {
    try ObjectServer { _, _ in
      self.left.withLock { left in
        guard let count = left else { return .obey }
        left = count - 1
        return count <= 0 ? .refuse(status: 403, code: "AccessDenied") : .obey
      }
    }
  }
}
