import ArgumentParser
internal import Documents
internal import Leaflog

/// `leaflog about`
struct AboutCommand: LeaflogSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "about", abstract: "Show version, licence, privacy notice and disclaimer.")

  @OptionGroup var global: GlobalOptions

  func run(in context: CommandContext) throws {
    if global.json { return context.output.print(json: AboutDocument()) }
    context.output.print("Leaflog \(About.version), licence: \(About.licence). \(About.copyright)")
    for text in [About.privacy, About.disclaimer] {
      context.output.print("")
      TextLayout.wrapped(text, to: context.output.terminal.width).forEach(context.output.print)
    }
  }
}

/// The notice shown with the first entry about somebody's health, and only then.
enum HealthNotice {
  /// Shows the notice on standard error unless it was acknowledged, and records that it was seen.
  static func show(in library: Library, _ context: CommandContext) throws {
    guard !context.options.quiet, try !library.settings.isDisclaimerAcknowledged() else { return }
    let text = "\(About.disclaimer) \(About.privacy) `leaflog about` shows this again."
    TextLayout.wrapped(text, to: context.error.terminal.width).forEach(context.error.print)
    try library.settings.set(.disclaimer, to: "acknowledged")
  }
}
