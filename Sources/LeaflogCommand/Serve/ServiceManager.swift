internal import Glibc

/// The service manager that started this process, if one did (sd_notify(3)).
struct ServiceManager {
  enum State: String {
    case ready = "READY=1"
    case stopping = "STOPPING=1"
  }

  /// The path of its socket; one in the abstract namespace begins with `@`.
  private let path: String

  /// Nil if no service manager is waiting for notifications.
  init?(_ environment: [String: String]) {
    guard let path = environment["NOTIFY_SOCKET"], path.hasPrefix("/") || path.hasPrefix("@") else {
      return nil
    }
    self.path = path
  }

  /// Notifies the service manager of a state; errors are ignored.
  func tell(_ state: State) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(path.utf8)
    if bytes.first == UInt8(ascii: "@") { bytes[0] = 0 }
    let start = MemoryLayout.offset(of: \sockaddr_un.sun_path) ?? 2
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
    let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let text = Array(state.rawValue.utf8)
    _ = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(
          descriptor, text, text.count, CInt(MSG_NOSIGNAL), $0,
          socklen_t(start + bytes.count))
      }
    }
  }
}
