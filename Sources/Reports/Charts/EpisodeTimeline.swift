package import DiaryModel

/// Episodes as bars over time, a row for each type.
package struct EpisodeTimeline: Chart {
  package let title: String
  package let firstDay: LocalDay
  package let lastDay: LocalDay
  package let episodes: [EpisodeRecord]
  package let wording: ReportWording

  package init(
    title: String, firstDay: LocalDay, lastDay: LocalDay, episodes: [EpisodeRecord],
    wording: ReportWording
  ) {
    self.wording = wording
    self.title = title
    self.firstDay = firstDay
    self.lastDay = lastDay
    self.episodes = episodes
  }

  package var summary: String {
    episodes.isEmpty
      ? wording["noEpisodes"] : episodes.map { words($0) }.joined(separator: "; ")
  }

  private func words(_ record: EpisodeRecord) -> String {
    let (type, first) = (wording.name(record.episode.type), wording.day(record.days.first))
    guard let last = record.days.last else {
      return wording.text("episodeFrom", ["type": type, "first": first])
    }
    return wording.text(
      "episodeFromTo", ["type": type, "first": first, "last": wording.day(last)])
  }

  private static let rowHeight = 19.0
  private static let barHeight = 10.0
  private static let legendHeight = 18.0

  package func pieces(width: Double, shaper: TextShaper) -> [Piece] {
    guard !episodes.isEmpty else { return [nothing(wording["noEpisodes"], shaper)] }
    let lanes = lanes
    let nameWidth = (lanes.map { shaper.width($0.name, .label) }.max() ?? 0) + 10
    func axis(_ origin: Point) -> TimeAxis {
      TimeAxis(
        first: firstDay, last: lastDay, x: origin.x + nameWidth, width: width - nameWidth,
        wording: wording)
    }
    var pieces = lanes.map { lane in
      Piece(height: Self.rowHeight) { canvas, origin in
        let axis = axis(origin)
        axis.drawGrid(on: canvas, top: origin.y, bottom: origin.y + Self.rowHeight)
        let name = shaper.shape(lane.name, .label)
        canvas.draw(
          name, at: Point(origin.x, origin.y + (Self.rowHeight - name.lineHeight) / 2))
        for record in lane.episodes {
          draw(record, axis, origin.y + (Self.rowHeight - Self.barHeight) / 2, canvas)
        }
      }
    }
    pieces.append(
      Piece(height: TimeAxis.height + Self.legendHeight) { canvas, origin in
        axis(origin).draw(on: canvas, at: origin.y)
        drawLegend(canvas, Point(origin.x + nameWidth, origin.y + TimeAxis.height + 6))
      })
    // Concurrent episodes of one type can make more rows than a page holds.
    return pieces.keptTogether()
  }

  /// The rows: a type has more than one only if episodes of it overlap.
  private var lanes: [(name: String, episodes: [EpisodeRecord])] {
    Episode.Illness.allCases.flatMap { type in
      let own = episodes.filter { $0.episode.type == type }.sorted { $0.days.first < $1.days.first }
      var rows: [[EpisodeRecord]] = []
      for record in own {
        if let free = rows.firstIndex(where: { row in
          row.last.map { !$0.days.overlaps(record.days) } ?? true
        }) {
          rows[free].append(record)
        } else {
          rows.append([record])
        }
      }
      return rows.enumerated().map { ($0.offset == 0 ? wording.name(type) : "", $0.element) }
    }
  }

  private func draw(_ record: EpisodeRecord, _ axis: TimeAxis, _ y: Double, _ canvas: Canvas) {
    let color = record.episode.severity.map { Color.severity(Double($0)) } ?? .quiet
    let start = axis.start(of: record.days.first)
    let end = axis.start(of: (record.days.last ?? lastDay).advanced(by: 1))
    let isOngoing = record.days.last == nil
    let tip = isOngoing ? 5.0 : 0
    canvas.fill(
      Rectangle(x: start, y: y, width: max(2.5, end - start - tip), height: Self.barHeight), color,
      radius: 1.5)
    if isOngoing {
      canvas.triangle(
        Point(end - tip, y), Point(end, y + Self.barHeight / 2),
        Point(end - tip, y + Self.barHeight),
        color)
    }
  }

  private func drawLegend(_ canvas: Canvas, _ origin: Point) {
    var x = origin.x
    func word(_ text: String) {
      let shaped = canvas.shaper.shape(text, .small)
      canvas.draw(shaped, at: Point(x, origin.y))
      x += shaped.lineWidth + 6
    }
    word(wording["severityFromOne"])
    for value in 1...5 {
      canvas.fill(
        Rectangle(x: x, y: origin.y + 1.5, width: 12, height: 8), .severity(Double(value)))
      x += 13
    }
    x += 4
    word("5")
    if episodes.contains(where: { $0.episode.severity == nil }) {
      x += 8
      canvas.fill(Rectangle(x: x, y: origin.y + 1.5, width: 12, height: 8), .quiet)
      x += 17
      word(wording["notSaid"])
    }
    if episodes.contains(where: \.episode.isActive) {
      x += 8
      canvas.triangle(
        Point(x, origin.y + 1.5), Point(x + 5, origin.y + 5.5), Point(x, origin.y + 9.5), .quiet)
      x += 10
      word(wording["ongoing"])
    }
  }
}
