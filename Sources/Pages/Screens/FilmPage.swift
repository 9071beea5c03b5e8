package import Fields
package import Leaflog

/// The film of a plant, played in place or made as a file.
package struct FilmPage: Screen {
  package static let template = "plant-film"

  let page: PageFrame
  let id: String
  let name: String
  let problem: PageProblem?
  let hero: FilmHero?
  let filmURL: String
  let formats: [Option]
  let form: FilmForm
  let paces: [Option]
  let switches: [Option]
  let work: JobList?

  struct FilmHero {
    let heroId: String
    let width: Int
    let height: Int
    let alt: String
    let tint: String
  }

  struct FilmForm {
    let from: FormValue
    let to: FormValue
    let hoursFrom: FormValue
    let hoursTo: FormValue
    let at: FormValue
    let fps: FormValue
    let size: FormValue
  }

  /// - Parameters:
  ///   - name: the plant's name or id.
  ///   - day: the only day whose photos are shown; nil means all days.
  ///   - jobs: jobs of any kind, newest first.
  package init(
    _ context: PageContext, of name: String, on day: LocalDay?, jobs: [JobDocument],
    refusal: Refusal? = nil
  ) throws {
    let (words, library, typed) = (context.words, context.library, refusal?.typed)
    let plant = try library.plants.reference(matching: name)
    let query = TimelineQuery(plant: plant.id, kinds: [.photo], firstDay: day, lastDay: day)
    let id = plant.id.description
    page = try context.frame(words["film"], at: .plants)
    self.id = id
    self.name = plant.name
    problem = refusal?.problem(words)
    hero = try library.timeline.cover(of: query).flatMap { FilmHero($0, in: context) }
    filmURL = PageAddress("/plants/\(id)/frames").with("day", day?.description).text
    func options(_ name: String, _ key: String, _ values: [String], _ standard: String) -> [Option]
    {
      let chosen = typed?[name] ?? standard
      return values.map {
        Option(
          value: $0, label: key.isEmpty ? $0.formatName : words["\(key).\($0)"],
          isChosen: $0 == chosen)
      }
    }
    func field(_ name: String, _ standard: String?) -> FormValue {
      FormValue(typed.map { $0[name] } ?? standard, error: typed?.errors[name])
    }
    formats = options("format", "", ["mp4", "webp", "gif"], "mp4")
    form = FilmForm(
      from: field("from", day?.description), to: field("to", day?.description),
      hoursFrom: field("hoursFrom", nil), hoursTo: field("hoursTo", nil), at: field("at", nil),
      fps: field("fps", "8"), size: field("size", "1280"))
    paces = options(
      "pace", "pace", TimeLapseRequest.Pace.allCases.map(\.rawValue),
      TimeLapseRequest.Pace.even.rawValue)
    switches = ["align", "exposure", "onePerDay", "light", "dateStamp"].map { name in
      let standard = ["align", "exposure"].contains(name)
      return Option(
        value: name, label: words["switch.\(name)"],
        isChosen: typed.map { $0[name] == "true" } ?? standard)
    }
    work = JobList(jobs, in: context) {
      $0.kind == "timelapse" && $0.request["plant"] == .text(id)
    }
  }
}

extension String {
  /// The format as it is usually written.
  fileprivate var formatName: String { self == "webp" ? "WebP" : uppercased() }
}

extension FilmPage.FilmHero {
  /// Nil for an entry other than a photo.
  fileprivate init?(_ photo: Entry, in context: PageContext) {
    guard let summary = photo.photo else { return nil }
    let size = summary.size(within: PhotoSummary.previewSide)
    self.init(
      heroId: photo.id.description, width: size.width, height: size.height,
      alt: context.alt(of: photo), tint: summary.tint)
  }
}

/// The photos of a plant as a page's script plays them: small, and oldest first.
package struct FilmFrames: Shown {
  struct Frame: Shown {
    let id: EntryID
    let label: String

    static let shown = Fields<Frame>([
      .init(adding: "id", .id) { $0.id },
      // `Day 1 · 3 May`
      .init(adding: "label", .text) { $0.label },
    ])
  }

  private let frames: [Frame]

  package static let shown = Fields<FilmFrames>([
    .init(adding: "frames", each: Frame.shown) { $0.frames }
  ])

  /// The largest number of frames, spread evenly over the plant's photos.
  private static let mostFrames = 240

  /// - Parameters:
  ///   - name: the plant's name or id.
  ///   - day: the day of all photos; nil means every day.
  package init(_ context: PageContext, of name: String, on day: LocalDay?) throws {
    let query = TimelineQuery(
      plant: try context.library.plants.reference(matching: name).id, kinds: [.photo],
      firstDay: day,
      lastDay: day, order: .oldestFirst)
    frames = try context.library.timeline.sample(query, count: Self.mostFrames).map {
      Frame(id: $0.id, label: context.ageAndDay(of: $0))
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
