internal import Hummingbird
internal import Leaflog

/// Refuses changes to a read-only library before their bodies are received. Access, and jobs that change nothing,
/// belong to this machine and are allowed.
struct ReplicaCheck: RequestCheck {
  let access: Library.Access

  func check(_ request: Request, _ context: LeaflogRequestContext) throws {
    let isReading = request.method == .get || request.method == .head
    guard access.allowsWriting || isReading || isOwn(context.endpointPath ?? "") else {
      throw Problem(
        .forbidden,
        "This is a read-only replica of the library. Make changes on the machine that writes to it.",
        code: .replica)
    }
  }

  private func isOwn(_ path: String) -> Bool {
    Self.ownPaths.contains { path == $0 || path.hasPrefix($0 + "/") }
  }

  private static let ownPaths = [
    "/api/v1/session", "/api/v1/tokens", "/api/v1/jobs", "/sign-in", "/sign-out", "/pair",
    "/me/devices", "/me/store", "/me/export", "/jobs", "/plants/{name}/film",
  ]
}
