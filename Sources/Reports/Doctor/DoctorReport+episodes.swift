internal import DiaryModel

extension DoctorReport {
  /// Every episode with all its details.
  var episodes: any Block {
    guard !insights.episodes.isEmpty else {
      return Stack(blocks: [
        Heading(text: "Episodes"),
        Paragraph(
          text: "No episodes in this span.", style: TextStyle.label.with(color: .quiet)),
      ])
    }
    var blocks: [any Block] = [Heading(text: "Episodes")]
    if insights.episodes.contains(where: { $0.episode.mucus != nil }) {
      blocks.append(
        Paragraph(
          text: "Mucus: " + Insights.mucusNote.prefix(1).lowercased()
            + Insights.mucusNote.dropFirst(), style: .small, spaceBefore: 2, keepsWithNext: true))
    }
    blocks.append(
      Table(
        columns: [
          .init(title: "Type", share: 2), .init(title: "From", share: 2),
          .init(title: "To", share: 2), .init(title: "Duration", share: 2),
          .init(title: "Severity", share: 2),
        ], rows: insights.episodes.map(row)))
    return Stack(blocks: blocks)
  }

  private func row(_ record: EpisodeRecord) -> Table.Row {
    let episode = record.episode
    let details: [(String, String?)] = [
      ("Symptoms", episode.symptoms.map(\.words).joinedOrNil),
      ("Worst time", episode.worstTime?.words), ("Mucus", episode.mucus?.words),
      ("Medications", episode.medications.joinedOrNil), ("Doctor visit", episode.doctorVisit),
      ("Test result", episode.testResult), ("Notes", record.notes),
    ]
    return Table.Row(
      cells: [
        episode.type.words.capitalizedFirst, record.days.first.description,
        record.days.last?.description ?? "ongoing",
        record.days.count.map { counted($0, "day") } ?? "ongoing",
        episode.severity.map { "\($0) of 5" } ?? "–",
      ], weight: .bold,
      details: details.compactMap { name, text in text?.tidied.map { (name, $0) } },
      continuedTitle: "\(episode.type.words.capitalizedFirst), \(record.days.first), continued")
  }
}

extension [String] {
  fileprivate var joinedOrNil: String? { isEmpty ? nil : joined(separator: ", ") }
}
