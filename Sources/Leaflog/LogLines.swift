internal import Fields
internal import Glibc
package import Logging

/// A log handler that writes machine-readable lines.
package struct LogLines: LogHandler {
  /// The format of a line.
  package enum Format: String, CaseIterable, Sendable {
    /// `time=2026-03-01T09:30:00.123Z level=info message=request status=200`
    case logfmt
    /// A JSON object per line.
    case json
  }

  package var metadata: Logger.Metadata = [:]
  package var metadataProvider: Logger.MetadataProvider?
  package var logLevel = Logger.Level.info

  private let format: Format
  private let isForJournal: Bool
  private let clock: WallClock
  private let write: @Sendable (String) -> Void

  /// - Parameters:
  ///   - isForJournal: whether systemd's journal receives the lines: they begin with their priority (sd-daemon(3)), and
  ///     have no time, as the journal has its own.
  ///   - write: receives a line without its line break.
  package init(
    _ format: Format, isForJournal: Bool = false, clock: WallClock = .system,
    write: @escaping @Sendable (String) -> Void
  ) {
    (self.format, self.isForJournal, self.clock) = (format, isForJournal, clock)
    self.write = write
  }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  package func log(event: LogEvent) {
    let all = metadata.merging(metadataProvider?.get() ?? [:]) { $1 }
      .merging(event.metadata ?? [:]) { $1 }
    let time = isForJournal ? [] : [("time", RecordedTime.instant(clock.now).iso8601)]
    let first = [("level", event.level.rawValue), ("message", event.message.description)]
    let rest = all.map { ($0.key, $0.value.description) }.sorted { $0.0 < $1.0 }
    let line = line(time + first + rest)
    write(isForJournal ? JournalPriority(event.level).prefixing(line) : line)
  }

  private func line(_ fields: [(name: String, value: String)]) -> String {
    switch format {
    case .logfmt: fields.map { "\($0.name)=\(Self.quoted($0.value))" }.joined(separator: " ")
    case .json:
      JSON.line(
        JSONNode(of: Dictionary(fields.map { ($0.name, JSONNode(.text($0.value))) }) { $1 }))
    }
  }

  /// The value, quoted where it is not a single plain word.
  private static func quoted(_ value: String) -> String {
    let isPlain = value.unicodeScalars.allSatisfy { scalar in
      scalar.value > 32 && scalar.value < 127 && scalar != "=" && scalar != "\"" && scalar != "\\"
    }
    // A JSON string has no line breaks or other control characters.
    return isPlain && !value.isEmpty ? value : JSON.line(Scalar.text(value))
  }
}

/// The priority of a line of systemd's journal, as in syslog (sd-daemon(3)).
package enum JournalPriority: Int {
  case critical = 2
  case error, warning, notice, info, debug

  init(_ level: Logger.Level) {
    self =
      switch level {
      case .critical: .critical
      case .error: .error
      case .warning: .warning
      case .notice: .notice
      case .info: .info
      case .debug, .trace: .debug
      }
  }

  /// The text with the priority at the beginning of each of its lines.
  package func prefixing(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { "<\(rawValue)>\($0)" }.joined(separator: "\n")
  }

  /// Whether the journal receives what is written to a descriptor (`JOURNAL_STREAM`, systemd.exec(5)).
  package static func isJournal(_ descriptor: CInt, _ environment: [String: String]) -> Bool {
    guard let stream = environment["JOURNAL_STREAM"] else { return false }
    var status = stat()
    return fstat(descriptor, &status) == 0 && stream == "\(status.st_dev):\(status.st_ino)"
  }
}
