internal import Glibc

/// The files and connections that a process may have open.
enum OpenFiles {
  /// Files other than connections: the catalog's, blobs being sent, the log.
  private static let otherCount = 512

  /// Raises the limit on open files for this many connections, as far as the system allows.
  ///
  /// - Returns: the number of connections that fit.
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
