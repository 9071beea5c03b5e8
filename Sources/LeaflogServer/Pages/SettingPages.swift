internal import Hummingbird
internal import Leaflog
internal import Pages

/// Settings, reminders, and the about page.
enum SettingPages {
  static func add(to serving: PageServing) {
    serving.show("me/about", .anyToken) { context, _ in try AboutPage(context) }
    serving.show("me/accessibility", .anyToken) { context, _ in try AccessibilityPage(context) }
    serving.show("me/settings", .readDiary) { context, _ in try SettingsPage(context) }
    serving.take("me/settings", .administer, set) { context, _, refusal in
      try SettingsPage(context, refusal: refusal)
    }
    serving.answer(.post, "me/appearance", .anyToken, setAppearance)
    serving.show("me/reminders", .readDiary) { context, _ in try RemindersPage(context) }
    serving.take("me/reminders", .administer, remind) { context, _, refusal in
      try RemindersPage(context, refusal: refusal)
    }
  }

  /// Sets the fields that the form has; other pages send only some of them.
  private static func set(_ call: FormCall) throws -> String {
    var values: [LibrarySetting: String] = [:]
    let policy = ("policy", LibrarySetting.policy, "error.value")
    for (field, setting, fault) in SettingsPage.fields + [policy] where call.form[field] != nil {
      let value = call.text(field) ?? ""
      guard call.library.settings.accepts(value, for: setting) else {
        throw FormFault(field, fault)
      }
      values[setting] = value
    }
    try call.writer().settings.set(values)
    return "/me/settings"
  }

  /// Sets the look of the pages on the device that asks, for a year.
  @Sendable private static func setAppearance(
    _ request: Request, _ context: LeaflogRequestContext,
    _ visit: @Sendable (Library) throws -> PageContext
  ) async throws -> Response {
    let form = try await request.form(context.bodies)
    let appearance = Appearance(
      cookie: "\(form["theme"] ?? "").\(form["accent"] ?? "")")
    var response = Response(
      status: .seeOther, headers: [.location: "/me/settings", .cacheControl: "no-store"])
    response.setCookie(
      Cookie(
        name: Appearance.cookieName, value: appearance.cookie, maxAge: 365 * 86_400, path: "/",
        httpOnly: true, sameSite: .lax))
    return response
  }

  private static func remind(_ call: FormCall) throws -> String {
    let parts = (call.form.values["part"] ?? []).joined(separator: ", ")
    let time = call.text("time") ?? ""
    guard call.library.settings.accepts(time, for: .reminderTime) else {
      throw FormFault("time", "error.timeOfDay")
    }
    guard call.library.settings.accepts(parts, for: .reminderParts) else {
      throw FormFault("part", "error.partsMissing")
    }
    let contact = call.text("contact") ?? ""
    guard call.library.settings.accepts(contact, for: .pushContact) else {
      throw FormFault("contact", "error.pushContact")
    }
    try call.writer().settings.set([
      .reminder: call.form["reminder"] == "on" ? "on" : "off", .reminderTime: time,
      .reminderParts: parts, .reminderNames: call.form["names"] == "on" ? "on" : "off",
      .pushContact: contact,
    ])
    return "/me/reminders"
  }
}
