import ArgumentParser
internal import Leaflog

/// Options that choose photos by their time of day and their light.
struct HourOptions: ParsableArguments {
  @Option(help: "Only photos of this part of the day, over midnight, too: 08:00-18:00.")
  var between: PhotoHours.Span?

  @Option(
    help: "One photo a day: the nearest to this time of day within 30 minutes, such as 12:00.")
  var at: TimeOfDay?

  @Flag(help: "Only photos that are not dark.")
  var light = false

  var hours: PhotoHours {
    var hours = PhotoHours()
    (hours.between, hours.at, hours.isLight) = (between, at, light)
    return hours
  }

  /// Whether any is given.
  var isGiven: Bool { between != nil || at != nil || light }
}

extension TimeOfDay: ExpressibleByArgument {
  init?(argument: String) { self.init(argument) }
}

extension PhotoHours.Span: ExpressibleByArgument {
  init?(argument: String) { self.init(argument) }
}
