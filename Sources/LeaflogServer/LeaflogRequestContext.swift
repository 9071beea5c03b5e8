internal import Hummingbird
internal import Leaflog
internal import NIOCore

/// The facts about a request that it does not state itself.
struct LeaflogRequestContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel
  /// The token of the request or of its session; nil where none is required.
  var holder: AccessToken?

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }

  /// The address that the client connected to.
  var localAddress: IPAddress? { channel.localAddress?.ipAddress.flatMap { IPAddress($0) } }
  var localPort: Int? { channel.localAddress?.port }
  /// The address of the other end: the client, or a proxy.
  var remoteAddress: IPAddress? { channel.remoteAddress?.ipAddress.flatMap { IPAddress($0) } }
}
