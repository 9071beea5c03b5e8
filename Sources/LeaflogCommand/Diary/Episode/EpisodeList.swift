import ArgumentParser
internal import Leaflog

/// `leaflog episode list`
struct EpisodeList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Episodes, most recent first, and how long they took.")

  @OptionGroup var list: ListOptions
  @OptionGroup var global: GlobalOptions

  func run() throws {
    let library = try global.openLibrary(for: .reading)
    let page = try list.page(of: .episode, in: library)
    // A narrow terminal has no room for both days in a line.
    guard !global.json, !page.elements.isEmpty, Terminal.output.width >= 64 else {
      return list.tell(page, in: library, global, nothing: "No episodes in that span.")
    }
    for entry in page.elements { Output.result(line(entry)) }
    if let next = page.next, !global.quiet {
      Output.error("There is more: repeat it with --before \(next)")
    }
  }

  private func line(_ entry: Entry) -> String {
    guard case .episode(let episode) = entry.content else { return "" }
    let days = episode.days(from: entry.time.localDay)
    let duration = days.count.map { Quantities.count($0, "day") } ?? "ongoing"
    let end = days.last.map { "– \($0)" } ?? ""
    var line = "\(days.first) \(TextLayout.padded(end, to: 12))  "
    line += TextLayout.rightAligned(duration, to: 8) + "  "
    line += Terminal.output.styled(TextLayout.padded(episode.type.words, to: 7), .green) + "  "
    var parts: [String] = []
    if let severity = episode.severity { parts.append("\(severity) of 5") }
    parts += [episode.symptoms.map(\.words).listed, entry.notes].compactMap { $0 }
    let room = max(8, Terminal.output.width - TextLayout.width(line) - 10)
    let text = TextLayout.truncated(TextLayout.singleLine(parts.joined(separator: " · ")), to: room)
    line += TextLayout.padded(text, to: room)
    return line + "  " + Terminal.output.styled(entry.id.short, .dim)
  }
}
