internal import Foundation
internal import NIOCore
internal import NIOPosix

/// Finds out whether a service is at an address.
package enum ServiceProbe {
  /// Whether something listens there. The address of a service that was killed is still written down.
  ///
  /// - Parameter address: `http://127.0.0.1:8765/`
  package static func isListening(at address: String) async -> Bool {
    guard let url = URL(string: address), let host = url.host else { return false }
    let port = url.port ?? (url.scheme == "https" ? 443 : 80)
    do {
      let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .connectTimeout(.seconds(2)).connect(host: host, port: port).get()
      try await channel.close()
      return true
    } catch {
      return false
    }
  }
}
