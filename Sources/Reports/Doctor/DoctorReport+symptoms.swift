internal import DiaryModel

extension DoctorReport {
  /// The table of all symptom entries of the span.
  var symptomTable: any Block {
    let heading = Heading(text: "Symptom entries")
    guard !symptomEntries.isEmpty else {
      return Stack(blocks: [
        heading,
        Paragraph(
          text: "No symptoms in this span.", style: TextStyle.label.with(color: .quiet)),
      ])
    }
    return Stack(blocks: [
      heading,
      Table(
        columns: [
          .init(title: "Time", share: 3.6), .init(title: "Symptom", share: 2.4),
          .init(title: "Severity", share: 1.8), .init(title: "Note", share: 3.2),
          .init(title: "Medication", share: 2.3), .init(title: "Tags", share: 1.7),
        ], rows: symptomEntries.compactMap(row), style: .label, spaceBefore: 2),
    ])
  }

  private func row(_ entry: Entry) -> Table.Row? {
    guard case .symptom(let symptom) = entry.content else { return nil }
    return Table.Row(cells: [
      "\(entry.time.localDay)\(clock(entry.time))", symptom.name, symptom.severity.inWords,
      entry.notes ?? "", symptom.medications.joined(separator: ", "),
      entry.tags.joined(separator: ", "),
    ])
  }
}

extension DoctorReport {
  /// The time of day after its day, with the offset where that differs from the library's zone.
  private func clock(_ time: EntryTime) -> String {
    guard time.basis != .day else { return "" }
    let clock = " \(padded(time.wall.hour, 2)):\(padded(time.wall.minute, 2))"
    guard zone.offset(atWall: time.wall) != time.offset else { return clock }
    return "\(clock) \(time.offset == .utc ? "+00:00" : time.offset.description)"
  }
}

extension Severity {
  /// `3 of 5`, or a label with its number: `moderate (3)`.
  fileprivate var inWords: String {
    label.map { "\($0) (\(decimal(value)))" } ?? "\(decimal(value)) of 5"
  }
}
