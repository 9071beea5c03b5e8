import ArgumentParser
internal import Foundation
package import Leaflog

/// `leaflog token`
struct TokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "Manage access to the library over the network.",
    discussion: """
      Whoever has the secret of a token can do what it says: by default all that `leaflog serve` \
      offers. Each person, device or program has its own token, which can be revoked separately.
      """,
    subcommands: [TokenAdd.self, TokenList.self, TokenRevoke.self],
    defaultSubcommand: TokenList.self)
}

/// Tokens as lines of text: name, day added, day last used, and what they are for.
private struct TokenText {
  let terminal: Terminal
  /// The library's time zone, in which days are shown.
  private let zone: TimeZone
  private let today: LocalDay
  /// The names of plants by their ids.
  private let plants: [PlantID: String]

  init(terminal: Terminal, in library: Library) throws {
    self.terminal = terminal
    (zone, today) = (library.timeZone, library.today)
    plants = try Dictionary(
      uniqueKeysWithValues: library.plants.references().map { ($0.id, $0.name) })
  }

  func lines(_ tokens: [AccessToken]) -> [String] {
    let rows = tokens.map { token -> [TextTable.Cell] in
      let use = token.lastUsedAt.map { "last used \(day($0).agoText(on: today))" }
      return [
        .init(TextLayout.singleLine(token.name)), "added \(day(token.createdAt))",
        .init(use ?? "never used"), .init(token.calendar.map(Self.words) ?? words(token.grant)),
      ]
    }
    return TextTable(terminal, [.init(limit: 40), .init(), .init(), .init()], rows).lines
  }

  private static func words(_ contents: CalendarContents) -> String {
    contents == .care ? "calendar" : "calendar with health"
  }

  private func words(_ grant: AccessGrant) -> String {
    let plant = grant.scope.plant.map {
      "only " + (plants[$0].map { TextLayout.singleLine($0) } ?? "a plant that is gone")
    }
    let end = grant.lastDay.map { ($0 < today ? "ended " : "until ") + $0.description }
    return [grant.scope.extent.rawValue, plant, end].compactMap(\.self).joined(separator: ", ")
  }

  private func day(_ time: Timestamp) -> LocalDay { EntryTime(.instant(time), in: zone).localDay }
}

/// `leaflog token list`
private struct TokenList: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "All tokens by name, and when each was last used.")

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: .reading)
    let tokens = try library.tokens.all()
    if global.json {
      return context.output.print(
        json: Listing(items: tokens.map { TokenDocument($0) }, next: nil))
    }
    try TokenText(terminal: context.output.terminal, in: library).lines(tokens).forEach(
      context.output.print)
    if tokens.isEmpty, !global.quiet {
      context.error.print("No tokens yet. `leaflog token add NAME` adds one.")
    }
  }
}

/// `leaflog token add`
private struct TokenAdd: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a token, and print its secret once.",
    discussion: """
      Programs send the secret with each request, browsers once, to sign in:

        TOKEN=$(leaflog token add phone)
        curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:8765/api/v1/timeline

      --may limits what it can do: "send" is for a camera, which adds photos and no more, also by \
      `leaflog import --to`; "photos" for somebody who cares for the plants; "read" for a display. The \
      manual says what each includes. The library stores only a digest of the secret. With --calendar, it \
      grants access to nothing but a calendar, to which other programs subscribe at /calendar/SECRET.ics.
      """)

  @Argument(help: "The name of the person, device or program that it is for, which must be unique.")
  var name: String

  @Option(
    help:
      "Only for a calendar: care, or health for one that also has symptoms, episodes, moods and logs."
  )
  var calendar: CalendarContents?

  @OptionGroup var limits: GrantOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard calendar == nil || limits.isEmpty else {
      throw ValidationError("A token for a calendar has no other limits.")
    }
  }

  func run(in context: CommandContext) throws {
    // The tokens are stored beside the catalog, which is not written to.
    let library = try context.openLibrary(for: .reading)
    let added = try library.tokens.add(
      name, calendar: calendar, grant: limits.grant(in: library))
    context.warnOfOpenTokens(of: library)
    if global.json {
      return context.output.print(json: TokenDocument(added.token, secret: added.secret))
    }
    context.output.print(added.secret)
    guard !global.quiet else { return }
    guard calendar == nil else {
      return context.error.print(
        "Subscribe to /calendar/\(added.secret).ics at the address of `leaflog serve`. It will not be shown again."
      )
    }
    context.error.print(
      """
      This is the secret of \(TextLayout.singleLine(added.token.name)); it will not be shown again. \
      Programs send it with each request, as `Authorization: Bearer SECRET`.
      """)
  }
}

/// `leaflog token revoke`
private struct TokenRevoke: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Revoke a token and end its sessions.",
    discussion: """
      Takes effect immediately, even on a running server, and cannot be undone. --undo also puts the photos \
      that were sent with it into the trash; `leaflog undo` brings them back. That is possible even after \
      the token was revoked.
      """)

  @Argument(help: "Its name, its id, or an id prefix.", completion: .tokens)
  var token: String

  @Flag(name: .customLong("undo"), help: "Put the photos that it sent into the trash.")
  var undoes = false

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    let library = try context.openLibrary(for: undoes ? .writingSerially : .reading)
    let revoked = try revoke(in: library)
    if !global.json, !global.quiet, let revoked {
      context.output.print(
        "Revoked \(TextLayout.singleLine(revoked.name)); it no longer grants access.")
    }
    if undoes {
      try EditReport(context).report(
        revoked.map { try library.photos.deleteSent(by: $0.id) } ?? deleteOfFormer(in: library),
        done: "Moved", note: " to the trash", in: library)
    } else if global.json, let revoked {
      context.output.print(json: TokenDocument(revoked))
    }
  }

  /// The token; nil when there is none, and one that was revoked before may be meant.
  private func revoke(in library: Library) throws -> AccessToken? {
    do throws(LeaflogError) { return try library.tokens.revoke(matching: token) } catch {
      guard undoes, error.code == .notFound else { throw error }
      return nil
    }
  }

  /// Puts what a token that was revoked before has sent into the trash.
  private func deleteOfFormer(in library: Library) throws -> EditResult {
    let deleted = try library.photos.deleteSentByFormerToken(matching: token)
    if deleted.changed.isEmpty { _ = try library.tokens.find(matching: token) }
    return deleted
  }
}

extension CalendarContents: ExpressibleByArgument {}
extension AccessScope.Extent: ExpressibleByArgument {}

/// The options for the scope of a new token.
package struct GrantOptions: ParsableArguments {
  @Option(
    help: "What it may do: \(AccessScope.Extent.allCases.map(\.rawValue).joined(separator: ", ")).")
  var may = AccessScope.Extent.everything

  @Option(help: "Only what belongs to this plant; with photos, send or read.", completion: .plants)
  var plant: String?

  @Option(help: ArgumentHelp("The last day on which it is valid.", valueName: "day"))
  var until: DayArgument?

  package init() {}

  /// Whether nothing is limited.
  package var isEmpty: Bool { may == .everything && plant == nil && until == nil }

  package func validate() throws {
    guard plant == nil || may.takesPlant else {
      throw ValidationError("--plant can be given with --may photos, send or read.")
    }
  }

  package func grant(in library: Library) throws -> AccessGrant {
    AccessGrant(
      AccessScope(may, plant: try plant.map { try library.plants.reference(matching: $0).id }),
      until: try until?.day(in: library))
  }
}
