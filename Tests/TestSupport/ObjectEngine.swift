package import BlobStorage
internal import DiaryModel
internal import Foundation
internal import Synchronization

/// An object store on this machine, or one named by the environment. Each is started by the first test that asks for
/// it, and ends with the test process.
package enum ObjectEngine: String, CaseIterable, Sendable {
  case openStackSwift = "openstack-swift"
  case ceph
  case seaweedFS = "seaweedfs"
  /// SeaweedFS with three volume servers.
  case seaweedFSCluster = "seaweedfs-cluster"
  /// A store that is already running: `LEAFLOG_TEST_S3` is its endpoint, `LEAFLOG_TEST_S3_BUCKET` a bucket for tests,
  /// and `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY` are the key.
  case named

  /// The engines available here. The cluster is for tests that end one of its servers.
  package static var available: [ObjectEngine] {
    allCases.filter { $0.isAvailable && $0 != .seaweedFSCluster }
  }

  package var isAvailable: Bool {
    switch self {
    case .openStackSwift: Self.hasPrograms(["swift-ring-builder", "swift-proxy-server"])
    case .ceph: Self.hasPrograms(["ceph-mon", "ceph-osd", "radosgw", "radosgw-admin", "ceph"])
    case .seaweedFS, .seaweedFSCluster: Self.hasPrograms(["weed"])
    case .named: ProcessInfo.processInfo.environment["LEAFLOG_TEST_S3"] != nil
    }
  }

  private static func hasPrograms(_ names: [String]) -> Bool {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return names.allSatisfy { name in
      folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
    }
  }

  /// The endpoint and the key of a running store.
  package struct Service: Sendable {
    package let endpoint: String
    package let bucket: String
    package let credentials: S3Credentials

    /// A location in it that nobody else uses.
    package func location() throws -> S3Location {
      try S3Location(
        ObjectStoreSettings(
          url: "s3://\(bucket)/\(UUID().uuidString.lowercased())", endpoint: endpoint))
    }
  }

  /// Starts the store unless it is already running.
  package func service() throws -> Service {
    try Self.running.withLock { running in
      if running[self] == nil {
        running[self] = Result {
          if self == .named { return (try Self.namedService(), nil) }
          let engine = try start()
          return (engine.service, engine)
        }
      }
      return try running[self]?.get().0
    } ?? { throw EngineError(message: "\(rawValue) is not there.") }()
  }

  private static let running = Mutex<[Self: Result<(Service, RunningEngine?), any Error>]>([:])

  private static func namedService() throws -> Service {
    let variables = ProcessInfo.processInfo.environment
    func variable(_ name: String) throws -> String {
      guard let value = variables[name] else { throw EngineError(message: "\(name) is not set") }
      return value
    }
    return try Service(
      endpoint: variable("LEAFLOG_TEST_S3"), bucket: variable("LEAFLOG_TEST_S3_BUCKET"),
      credentials: S3Credentials(
        key: variable("AWS_ACCESS_KEY_ID"), secret: variable("AWS_SECRET_ACCESS_KEY")))
  }

  /// Starts a store that only the caller uses, and that ends with the returned value.
  package func start() throws -> RunningEngine {
    let port = try LoopbackSocket.unusedPorts(count: 20)
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Engines/\(rawValue)").path
    // Its standard input closes when this process ends, which ends the store.
    let running = try Command(library: nil).start(
      [TemporaryFolder.unusedPath(), "\(port)"], program: script, hasInput: true)
    guard running.output.next() == "ready" else {
      throw EngineError(message: "\(rawValue) does not start: \(running.wait().error)")
    }
    let service = Service(
      endpoint: "http://127.0.0.1:\(port)", bucket: "leaflog-tests",
      credentials: S3Credentials(key: "test:tester", secret: "testing"))
    try S3Client(service.location(), service.credentials).makeBucket()
    return RunningEngine(service: service, running: running)
  }
}

/// A store of several processes on this machine.
package final class RunningEngine: Sendable {
  package let service: ObjectEngine.Service
  private let running: Command.Running

  init(service: ObjectEngine.Service, running: Command.Running) {
    (self.service, self.running) = (service, running)
  }

  deinit { running.process.terminate() }

  /// Kills a process of the store. The names are those in the engine's script.
  package func kill(_ name: String) throws { try obey("kill \(name)") }

  /// Starts a killed process again, without waiting until it answers.
  package func start(_ name: String) throws { try obey("start \(name)") }

  private func obey(_ command: String) throws {
    guard let input = running.process.standardInput as? Pipe else { return }
    try input.fileHandleForWriting.write(contentsOf: Data((command + "\n").utf8))
    guard running.output.next() == command else {
      throw EngineError(message: "The engine did not obey “\(command)”.")
    }
  }
}

package struct EngineError: Error {
  package let message: String
}
