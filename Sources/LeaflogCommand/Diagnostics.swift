internal import Logging

/// The library's log: on standard error, and silent below warnings unless `LEAFLOG_LOG` names a level
/// (`debug`, `trace`).
enum Diagnostics {
  static func start(_ environment: [String: String]) {
    let level = environment["LEAFLOG_LOG"].flatMap { Logger.Level(rawValue: $0) }
    LoggingSystem.bootstrap { label in
      var handler = StreamLogHandler.standardError(label: label)
      handler.logLevel = level ?? .warning
      return handler
    }
  }
}
