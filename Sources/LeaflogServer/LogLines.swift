internal import Documents
package import Leaflog
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
  private let clock: WallClock
  private let write: @Sendable (String) -> Void

  /// - Parameter write: receives a line without its line break.
  package init(
    _ format: Format, clock: WallClock = .system, write: @escaping @Sendable (String) -> Void
  ) {
    (self.format, self.clock, self.write) = (format, clock, write)
  }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  package func log(event: LogEvent) {
    let all = metadata.merging(metadataProvider?.get() ?? [:]) { $1 }
      .merging(event.metadata ?? [:]) { $1 }
    let first = [
      ("time", RecordedTime.instant(clock.now).iso8601), ("level", event.level.rawValue),
      ("message", event.message.description),
    ]
    let rest = all.map { ($0.key, $0.value.description) }.sorted { $0.0 < $1.0 }
    write(line(first + rest))
  }

  private func line(_ fields: [(name: String, value: String)]) -> String {
    switch format {
    case .logfmt: fields.map { "\($0.name)=\(Self.quoted($0.value))" }.joined(separator: " ")
    case .json: JSON.line(Dictionary(fields.map { ($0.name, $0.value) }) { $1 })
    }
  }

  /// The value, quoted where it is not a single plain word.
  private static func quoted(_ value: String) -> String {
    let isPlain = value.unicodeScalars.allSatisfy { scalar in
      scalar.value > 32 && scalar.value < 127 && scalar != "=" && scalar != "\"" && scalar != "\\"
    }
    // A JSON string has no line breaks or other control characters.
    return isPlain && !value.isEmpty ? value : JSON.line(value)
  }
}
