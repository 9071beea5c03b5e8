package import Leaflog

/// The photos of a plant as a page's script plays them: small, and oldest first.
package struct FilmFrames: Encodable {
  struct Frame: Encodable {
    let id: String
    /// `Day 1 · 3 May`
    let label: String
  }

  let frames: [Frame]

  /// The largest number of frames, spread evenly over the plant's photos.
  private static let mostFrames = 240

  /// - Parameters:
  ///   - name: the plant's name or id.
  ///   - day: the day of all photos; nil means every day.
  package init(_ context: PageContext, of name: String, on day: LocalDay?) throws {
    let query = TimelineQuery(
      plant: try context.library.plants.reference(name).id, kinds: [.photo], firstDay: day,
      lastDay: day, order: .oldestFirst)
    frames = try context.library.timeline.sample(query, count: Self.mostFrames).map {
      Frame(id: $0.id.description, label: context.ageAndDay(of: $0))
    }
  }
}

extension PageContext {
  /// A photo's moment in its plant's life: `Day 40 · 24 September`
  func ageAndDay(of photo: Entry) -> String {
    .dotted(
      photo.plantDay.map { words.text("dayAge", ["day": reader.number($0)]).capitalizedFirst },
      reader.day(photo.time))
  }
}
