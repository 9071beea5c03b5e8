internal import Foundation
internal import Glibc
internal import Synchronization

/// Asks a terminal whether it draws pictures, on the terminal itself.
struct TerminalQuestion {
  /// The terminal's capabilities, as reported by itself.
  struct Answer: Equatable {
    /// Supports Kitty's graphics protocol.
    var hasKitty = false
    /// Supports sixels: attribute 4 among its primary device attributes (DEC STD 070; xterm's ctlseqs).
    var hasSixel = false
  }

  /// Kitty's query (a picture of one pixel that is not kept), followed by one that every terminal answers, so that
  /// there is no need to wait for terminals that do not know the first.
  static let text = "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[c"

  private static let timeLimit = Duration.milliseconds(200)

  /// The terminal's answer; nil if it did not answer in time, or could not be asked.
  static func ask(_ descriptor: CInt) -> Answer? {
    var name = [CChar](repeating: 0, count: 256)
    guard ttyname_r(descriptor, &name, name.count) == 0 else { return nil }
    // Standard output may be open for writing only.
    let terminal = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard terminal >= 0 else { return nil }
    defer { Glibc.close(terminal) }
    // In the background, the first access would stop the process; on the terminal of another session, the answer would
    // be taken from that session's input.
    guard tcgetpgrp(terminal) == getpgrp() else { return nil }
    return RawMode.during(terminal) { exchange(with: terminal) }
  }

  private static func exchange(with terminal: CInt) -> Answer? {
    StandardStream(descriptor: terminal, environment: [:]).write(text)
    let deadline = ContinuousClock.now + timeLimit
    var reply: [UInt8] = []
    while true {
      let left = (deadline - .now).seconds
      guard left > 0 else { return nil }
      var wait = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
      let ready = poll(&wait, 1, CInt((left * 1000).rounded(.up)))
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else { return nil }
      var buffer = [UInt8](repeating: 0, count: 256)
      let count = read(terminal, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      reply += buffer.prefix(count)
      if let answer = Answer(reply: String(decoding: reply, as: UTF8.self)) { return answer }
    }
  }
}

extension TerminalQuestion.Answer {
  /// Parses a reply; nil until the device attributes, which come last, have arrived: `ESC [ ? 62 ; 4 c`.
  init?(reply: String) {
    var rest = Substring(reply)
    while let start = rest.range(of: "\u{1B}[?") {
      rest = rest[start.upperBound...]
      let parameters = rest.prefix { $0.isASCII && $0.isNumber || $0 == ";" }
      guard rest.dropFirst(parameters.count).first == "c" else { continue }
      hasKitty = reply.contains("\u{1B}_Gi=31;OK\u{1B}\\")
      hasSixel = parameters.split(separator: ";").dropFirst().contains("4")
      return
    }
    return nil
  }
}

/// A terminal mode that delivers every byte and echoes none.
private enum RawMode {
  private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]
  private static let pending = Atomic<CInt>(0)

  /// Runs the body in raw mode. Signals that would end the process are held back until the terminal is restored.
  static func during<Result>(_ terminal: CInt, _ body: () -> Result?) -> Result? {
    var before = termios()
    guard tcgetattr(terminal, &before) == 0 else { return nil }
    var actions: [sigaction] = []
    for signal in signals {
      var (old, new) = (sigaction(), sigaction())
      new.__sigaction_handler.sa_handler = { RawMode.pending.store($0, ordering: .relaxed) }
      sigaction(signal, &new, &old)
      actions.append(old)
    }
    var raw = before
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    raw.c_iflag &= ~tcflag_t(ICRNL | IXON)
    let isRaw = tcsetattr(terminal, TCSANOW, &raw) == 0
    let result = isRaw ? body() : nil
    if isRaw { tcsetattr(terminal, TCSANOW, &before) }
    for (signal, action) in zip(signals, actions) {
      var action = action
      sigaction(signal, &action, nil)
    }
    let signal = pending.exchange(0, ordering: .relaxed)
    // Not `raise`: threads of Swift's pool take no signals.
    if signal != 0 { kill(getpid(), signal) }
    return result
  }
}
