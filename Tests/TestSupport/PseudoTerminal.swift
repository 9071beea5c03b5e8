internal import Foundation
internal import Glibc

/// A terminal simulated by a test: it reports its capabilities, or stays silent, and records its input.
package struct PseudoTerminal {
  package struct Session {
    package let status: Int32
    /// Everything written to the terminal, byte for byte.
    package let output: String
    /// Whether the terminal's modes are the same as at the start.
    package let isRestored: Bool
  }

  package enum Failure: Error { case noTerminal(Int32) }

  /// The answer to a query for device attributes; nil for a terminal that stays silent.
  package var answer: String?
  /// Text to type once these words have appeared on the screen.
  package var typed: (after: String, text: String)?
  package var columns: UInt16 = 80
  package var rows: UInt16 = 24
  /// The size of a character in pixels; 0 for terminals that do not report it.
  package var cellWidth: UInt16 = 10
  package var cellHeight: UInt16 = 20
  package var environment = ["TERM": "xterm-256color", "COLORTERM": "truecolor"]

  package init(answer: String?, typed: (after: String, text: String)? = nil) {
    self.answer = answer
    self.typed = typed
  }

  /// Runs the command in a session of its own on this terminal.
  package func run(_ command: Command, _ arguments: String...) throws -> Session {
    try run(command, arguments)
  }

  package func run(
    _ command: Command, _ arguments: [String], program: String = Command.executable
  ) throws -> Session {
    let control = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    // posix_openpt(3) and related functions are in no Swift module; these ioctls, TIOCSPTLCK and TIOCGPTN
    // (ioctl_tty(2)), do the same.
    var (locked, number) = (CInt(0), CInt(0))
    guard control >= 0, ioctl(control, 0x4004_5431, &locked) == 0,
      ioctl(control, 0x8004_5430, &number) == 0
    else { throw Failure.noTerminal(errno) }
    defer { close(control) }
    // Opened here too, so that its modes outlive the session.
    let terminal = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard terminal >= 0 else { throw Failure.noTerminal(errno) }
    defer { close(terminal) }
    var size = winsize(
      ws_row: rows, ws_col: columns, ws_xpixel: columns * cellWidth, ws_ypixel: rows * cellHeight)
    _ = ioctl(control, UInt(TIOCSWINSZ), &size)
    let before = modes(terminal)

    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/setsid")
    process.arguments = ["--ctty", "--wait", program] + arguments
    var environment = ["LEAFLOG_LIBRARY": command.library ?? ""]
    environment.merge(self.environment) { $1 }
    environment["PATH"] = ProcessInfo.processInfo.environment["PATH"]
    process.environment = environment
    let handle = FileHandle(fileDescriptor: terminal, closeOnDealloc: false)
    process.standardInput = handle
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
    let output = converse(control, process)
    process.waitUntilExit()
    return Session(
      status: process.terminationStatus, output: String(decoding: output, as: UTF8.self),
      isRestored: modes(terminal) == before)
  }

  private func converse(_ control: CInt, _ process: Process) -> [UInt8] {
    var output: [UInt8] = []
    var (isAnswered, isTyped) = (false, false)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let isRunning = process.isRunning
      var wait = pollfd(fd: control, events: Int16(POLLIN), revents: 0)
      guard poll(&wait, 1, 20) > 0 else {
        if isRunning { continue }
        return output
      }
      let count = read(control, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return output }
      output += buffer.prefix(count)
      if !isAnswered, let answer, output.suffix(64).contains(Array("\u{1B}[c".utf8)) {
        isAnswered = true
        _ = answer.withCString { write(control, $0, strlen($0)) }
      }
      if !isTyped, let typed, String(decoding: output, as: UTF8.self).contains(typed.after) {
        isTyped = true
        _ = typed.text.withCString { write(control, $0, strlen($0)) }
      }
    }
  }

  private func modes(_ terminal: CInt) -> [UInt32] {
    var modes = termios()
    tcgetattr(terminal, &modes)
    return [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag]
  }
}
