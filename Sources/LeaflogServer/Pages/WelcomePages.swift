internal import Leaflog
internal import Pages

/// The first page.
enum WelcomePages {
  static func add(to serving: PageServing) {
    serving.show("welcome", .administer, isFirst: true) { context, address in
      try WelcomePage(context, browserZone: address["zone"])
    }
    serving.take("welcome", .administer, acknowledge) { context, _, refusal in
      try WelcomePage(context, refusal: refusal)
    }
  }

  private static func acknowledge(_ call: FormCall) throws -> String {
    guard call.flag(Acknowledgement.acknowledged.rawValue) else {
      throw Problem(.unprocessableContent, "Read and acknowledge the note first.")
    }
    let settings = try call.writer().settings
    var values = [LibrarySetting.reportName: call.text("name") ?? ""]
    // A page that was left open must not bring back the zone of that time.
    if let zone = call.text("timeZone"), zone != call.text("zoneShown") { values[.timeZone] = zone }
    try settings.set(values)
    try settings.set(.disclaimer, to: Acknowledgement.acknowledged.rawValue)
    return call.text("next") == "photos" ? "/add" : "/"
  }
}
