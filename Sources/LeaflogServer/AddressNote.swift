internal import Leaflog
internal import Logging
internal import Synchronization

/// Writes a service's address to a file while the service runs. A failure to write it does not stop the service.
final class AddressNote: Sendable {
  private let file: ServiceAddressFile
  private let logger: Logger
  private let written = Mutex<(address: String, former: String?)?>(nil)

  init(_ library: Library, logger: Logger) {
    file = ServiceAddressFile(of: library)
    self.logger = logger
  }

  func write(_ address: String) {
    do throws(LeaflogError) {
      let former = file.read()
      try file.write(address)
      written.withLock { $0 = (address, former == address ? nil : former) }
    } catch { tell("address not written down", error) }
  }

  func remove() {
    guard let (address, former) = written.withLock({ $0 }) else { return }
    do throws(LeaflogError) { try file.remove(address, former: former) } catch {
      tell("address not removed", error)
    }
  }

  private func tell(_ message: Logger.Message, _ error: LeaflogError) {
    logger.error(message, metadata: ["code": "\(error.code.rawValue)"])
  }
}
