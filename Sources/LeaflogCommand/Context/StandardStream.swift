internal import Documents
internal import Foundation
internal import Glibc
internal import Leaflog

/// Standard output or standard error: where text goes, and the terminal behind it, if there is one.
///
/// Results go to standard output, everything else to standard error.
package struct StandardStream: Sendable {
  /// The terminal that it is connected to, or the layout of text that goes elsewhere.
  package let terminal: Terminal
  private let send: @Sendable (UnsafeRawBufferPointer) -> Void

  /// - Parameter send: takes all bytes that it is given.
  package init(
    terminal: Terminal, send: @escaping @Sendable (UnsafeRawBufferPointer) -> Void
  ) {
    self.terminal = terminal
    self.send = send
  }

  /// A file descriptor of this process. Results that cannot be written end it; what is said beside them never does.
  init(descriptor: CInt, environment: [String: String]) {
    self.init(terminal: Terminal(descriptor, environment)) { bytes in
      var rest = bytes
      while !rest.isEmpty {
        let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        if count <= 0 {
          guard descriptor != STDERR_FILENO else { return }
          endUnwritten(errno)
        }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
    }
  }

  func print(_ line: String) { write(line + "\n") }

  /// How to go on behind a page, where it is not the last.
  func print(next: Cursor?, option: String = "--before") {
    if let next { print("There is more: repeat it with \(option) \(next)") }
  }

  /// One line of JSON.
  func print(json value: some Encodable) { print(JSON.line(value)) }

  /// Writes at once, so that a script which reads line by line gets each as it is done.
  func write(_ text: String) {
    var text = text
    text.withUTF8 { send(UnsafeRawBufferPointer($0)) }
  }

  /// A document.
  func write(_ bytes: [UInt8]) { bytes.withUnsafeBytes(send) }

  /// A piece of one.
  func write(_ bytes: UnsafeRawBufferPointer) { send(bytes) }
}

/// Ends the process, as its results cannot be written. Somebody who reads no more needs no word of it.
private func endUnwritten(_ error: CInt) -> Never {
  if error != EPIPE {
    let reason = String(cString: strerror(error))
    let text = Array("The output could not be written: \(reason). Send it elsewhere.\n".utf8)
    _ = Glibc.write(STDERR_FILENO, text, text.count)
  }
  exit(ExitStatus.failed.rawValue)
}

/// Standard input: the answers of somebody at a terminal.
package struct StandardInput: Sendable {
  /// Whether somebody may sit there.
  package let isTerminal: Bool
  private let readLine: @Sendable () -> String?

  /// - Parameter readLine: reads a line without its end; nil when there is none any more.
  package init(isTerminal: Bool, readLine: @escaping @Sendable () -> String?) {
    self.isTerminal = isTerminal
    self.readLine = readLine
  }

  /// The next line without blanks at its ends; nil when there is none any more.
  func answer() -> String? { readLine()?.trimmingCharacters(in: .whitespaces) }
}
