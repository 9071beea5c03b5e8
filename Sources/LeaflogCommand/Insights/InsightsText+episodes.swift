internal import Leaflog

extension InsightsText {
  /// The number of episodes, their duration, and a line for each on a time axis.
  var episodes: [String] {
    let counts = insights.episodeCounts
    guard !insights.episodes.isEmpty || counts.contains(where: { $0.count > 0 }) else { return [] }
    let began = counts.map { "\($0.days) days: \($0.count)" }.joined(separator: ", ")
    return part(
      "Episodes", TextLayout.wrapped("Started in the last \(began)", to: indented.width))
      + (duration.map(sentence) ?? []) + chart + mucus
  }

  private var duration: String? {
    let active = insights.episodes.count { $0.episode.isActive }
    guard let mean = insights.meanDuration else { return nil }
    let days = number(mean) + (mean.asMean == 1 ? " day" : " days")
    let without = [", excluding the ongoing one", ", excluding ongoing ones"]
    return "Mean duration: \(days)" + (active == 0 ? "" : without[active == 1 ? 0 : 1])
  }

  /// The type, days and length of each episode, and a bar for its place in the span.
  private var chart: [String] {
    let rows = insights.episodes.map { record in
      [
        record.episode.type.words,
        "\(record.days.first) – \(record.days.last?.description ?? "ongoing")",
        record.days.count.map { Quantities.count($0, "day") } ?? "",
      ]
    }
    guard !rows.isEmpty else { return [] }
    let widths = (0..<3).map { index in rows.map { TextLayout.width($0[index]) }.max() ?? 0 }
    let columns = indented.width - widths.reduce(0) { $0 + $1 + 2 }
    let axis = TimeAxis(first: insights.firstDay, last: insights.lastDay, columns: max(columns, 0))
    let names = rows.map { row in
      TextLayout.padded(row[0], to: widths[0]) + "  " + TextLayout.padded(row[1], to: widths[1])
        + "  " + TextLayout.rightAligned(row[2], to: widths[2])
    }
    // Too narrow to show where an episode lies: the days alone have to suffice.
    guard columns >= 12 else {
      return [""] + names.map { "  " + TextLayout.truncated($0, to: indented.width) }
    }
    let bars = zip(names, insights.episodes).map { name, record in
      "  \(name)  " + bar(of: record, axis)
    }
    return [""] + bars + axis.lines(indentation: terminal.width - columns)
  }

  private func bar(of record: EpisodeRecord, _ axis: TimeAxis) -> String {
    let place = axis.columns(
      from: max(record.days.first, insights.firstDay),
      to: min(record.days.last ?? insights.lastDay, insights.lastDay))
    func blank(_ count: Int) -> String {
      terminal.styled(String(repeating: "·", count: count), .dim)
    }
    let bar = String(repeating: "█", count: place.count)
    return blank(place.lowerBound) + terminal.styled(bar, record.episode.isActive ? .red : .green)
      + blank(axis.columns - place.upperBound)
  }

  private var mucus: [String] {
    let noted = insights.episodes.compactMap(\.episode.mucus)
    guard !noted.isEmpty else { return [] }
    let counts = Episode.Mucus.allCases.compactMap { colour in
      let count = noted.count { $0 == colour }
      return count == 0 ? nil : "\(colour.words) \(count)"
    }
    return [""] + sentence("Mucus: \(counts.joined(separator: ", ")). \(Insights.mucusNote)")
  }
}
