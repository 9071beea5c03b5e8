import ArgumentParser
internal import Foundation
internal import Leaflog

/// `leaflog token`
struct TokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "Manage access to the library over the network.",
    discussion: """
      Anybody with the secret of a token can do everything that `leaflog serve` offers. Each person, \
      device or program has its own token, which can be revoked separately.
      """,
    subcommands: [TokenAdd.self, TokenList.self, TokenRevoke.self],
    defaultSubcommand: TokenList.self)
}

/// Tokens as lines of text: name, day added, and day last used.
struct TokenText {
  let terminal: Terminal
  /// The library's time zone, in which days are shown.
  private let zone: TimeZone
  private let today: LocalDay

  init(terminal: Terminal, in library: Library) {
    self.terminal = terminal
    (zone, today) = (library.timeZone, library.today)
  }

  func lines(_ tokens: [AccessToken]) -> [String] {
    let rows = tokens.map { token -> [TextTable.Cell] in
      let use = token.lastUsedAt.map { "last used \(day($0).agoText(on: today))" }
      return [
        .init(TextLayout.singleLine(token.name)), "added \(day(token.createdAt))",
        .init(use ?? "never used"),
      ]
    }
    return TextTable(terminal, [.init(limit: 40), .init(), .init()], rows).lines
  }

  private func day(_ time: Timestamp) -> LocalDay { EntryTime(.instant(time), in: zone).localDay }
}
