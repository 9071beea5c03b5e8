internal import Foundation
internal import NIOCore
internal import NIOPosix

/// Checks whether a service is running at an address.
package enum ServiceProbe {
  /// Whether something is listening there. The address of a service that was killed is still on file.
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
