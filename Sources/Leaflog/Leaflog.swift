// The public API uses the model's types, such as entries, plants and days.
@_exported public import DiaryModel
@_exported public import Fields

/// Version, licence, privacy notice and disclaimer.
public enum About {
  /// The version of Leaflog.
  public static let version = "0.1.0"

  /// The licence's name (SPDX).
  public static let licence = "MIT"

  /// The copyright notice.
  public static let copyright = "Copyright (c) 2026 The Leaflog authors"

  /// The privacy notice.
  public static let privacy = """
    Your data stays on this device: photos, diary and settings are kept in the library's folder and \
    nowhere else, unless you choose an object store for them or send photos to a service. There is no \
    account, no analytics and no advertising. Leaflog uses the network only if you opt in: for that store \
    or service, with the setting quotes.source at zenquotes to ask zenquotes.io for the quote of the day, \
    which sends nothing of the diary, and for reminders on a device, which go encrypted through its \
    browser's push service.
    """

  /// The medical disclaimer.
  public static let disclaimer = """
    Leaflog is not medical advice. It records and counts what you write down; it diagnoses nothing and \
    says nothing about causes. Ask a doctor about your health.
    """
}
