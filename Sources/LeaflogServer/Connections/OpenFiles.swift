internal import Glibc

/// The files and connections that a process may have open.
enum OpenFiles {
  /// Of those that are no connections: the catalog's, blobs that are sent, the log.
  private static let otherCount = 512

  /// Lets this process have so many connections, as far as the system allows it.
  ///
  /// - Returns: how many it can have.
  static func allow(connections count: Int) -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return count }
    let wanted = rlim_t(count + otherCount)
    if limit.rlim_cur < wanted {
      limit.rlim_cur = min(wanted, limit.rlim_max)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
    let available = Int(clamping: limit.rlim_cur)
    return available >= count + otherCount ? count : max(1, available / 2)
  }
}
