internal import Fields
internal import Foundation
internal import Glibc
package import Leaflog
internal import Synchronization

/// Standard output or standard error, and the terminal behind it, if there is one.
///
/// Results go to standard output, everything else to standard error.
package struct StandardStream: Sendable {
  /// The connected terminal, or the text layout for other destinations.
  package let terminal: Terminal
  /// Whether systemd's journal receives what is written.
  package private(set) var isJournal = false
  private let send: @Sendable (UnsafeRawBufferPointer) -> Void
  private let unwritten: Unwritten

  /// Returns a sentence about what has been done, for a process whose results cannot be written.
  private final class Unwritten: Sendable {
    let sentence = Mutex<(@Sendable () -> String?)?>(nil)
  }

  /// - Parameter send: writes all bytes that it is given.
  package init(
    terminal: Terminal, send: @escaping @Sendable (UnsafeRawBufferPointer) -> Void
  ) {
    self.init(terminal, Unwritten(), send)
  }

  private init(
    _ terminal: Terminal, _ unwritten: Unwritten,
    _ send: @escaping @Sendable (UnsafeRawBufferPointer) -> Void
  ) {
    (self.terminal, self.unwritten, self.send) = (terminal, unwritten, send)
  }

  /// Creates a stream to a file descriptor of this process. The process ends when a result cannot be written, but not
  /// when a message to standard error cannot.
  init(descriptor: CInt, environment: [String: String]) {
    let unwritten = Unwritten()
    self.init(Terminal(descriptor, environment), unwritten) { bytes in
      var rest = bytes
      while !rest.isEmpty {
        let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        if count < 0, errno == EAGAIN, isWritable(descriptor) { continue }
        if count <= 0 {
          guard descriptor != STDERR_FILENO else { return }
          let error = errno
          endUnwritten(error, unwritten.sentence.withLock { $0 }?())
        }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
    }
    isJournal = JournalPriority.isJournal(descriptor, environment)
  }

  /// Sets what the message about results that cannot be written says besides: what has been done all the same.
  func whenUnwritten(_ sentence: @escaping @Sendable () -> String?) {
    unwritten.sentence.withLock { $0 = sentence }
  }

  package func print(_ line: String) { write(line + "\n") }

  /// Prints a message of a priority.
  package func tell(_ text: String, as priority: JournalPriority) {
    print(isJournal ? priority.prefixing(text) : text)
  }

  /// Prints how to continue after a page, unless it is the last.
  func print(next: Cursor?, option: String = "--before") {
    if let next { print("For more, repeat with \(option) \(next)") }
  }

  /// Prints one line of JSON.
  package func print(json value: some Shown) { print(JSON.line(value)) }

  /// Prints the totals after lines of JSON.
  func print(summary: some Shown) { print(json: SummaryDocument(summary: summary)) }

  /// Writes immediately, so that a script that reads line by line gets each one as it is finished.
  func write(_ text: String) {
    var text = text
    text.withUTF8 { send(UnsafeRawBufferPointer($0)) }
  }

  /// Writes a document.
  func write(_ bytes: [UInt8]) { bytes.withUnsafeBytes(send) }

  /// Writes a part of a document.
  func write(_ bytes: UnsafeRawBufferPointer) { send(bytes) }
}

/// The totals of a command, at the end of its lines of JSON.
private struct SummaryDocument<Totals: Shown>: Shown {
  let summary: Totals

  static var shown: Fields<SummaryDocument> {
    Fields([Field(adding: "summary", Totals.shown) { $0.summary }])
  }
}

/// Waits until a descriptor that somebody has made non-blocking takes more. Returns false when it never will.
private func isWritable(_ descriptor: CInt) -> Bool {
  var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
  while poll(&state, 1, -1) < 0 { if errno != EINTR { return false } }
  return true
}

/// Ends the process, as its results cannot be written. A reader that closed the pipe needs no message.
private func endUnwritten(_ error: CInt, _ done: String?) -> Never {
  if error != EPIPE {
    let reason = String(cString: strerror(error))
    let text = Array(
      ("The output could not be written: \(reason). Redirect it to another place."
        + (done.map { " " + $0 } ?? "") + "\n").utf8)
    _ = Glibc.write(STDERR_FILENO, text, text.count)
  }
  exit(ExitStatus.failed.rawValue)
}

/// Standard input: the answers of a user at a terminal, or a document.
package struct StandardInput: Sendable {
  /// Whether a user may be there.
  package let isTerminal: Bool
  private let readLine: @Sendable () -> String?
  private let readAll: @Sendable () throws -> [UInt8]

  /// - Parameters:
  ///   - readAll: reads everything.
  ///   - readLine: reads a line without its line break; nil at the end.
  package init(
    isTerminal: Bool, readAll: @escaping @Sendable () throws -> [UInt8],
    readLine: @escaping @Sendable () -> String?
  ) {
    (self.isTerminal, self.readAll, self.readLine) = (isTerminal, readAll, readLine)
  }

  /// Everything that is given there.
  func bytes() throws -> [UInt8] { try readAll() }

  /// The next line without blanks at its ends; nil at the end.
  func answer() -> String? { readLine()?.trimmingCharacters(in: .whitespaces) }
}
