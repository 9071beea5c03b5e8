internal import Fields
internal import Language
internal import Reports

/// The language of a report, by its tag (RFC 5646): `en` or `de`, or one of them with a region, such as `de-AT`.
public struct ReportLanguage: Sendable, Hashable, LosslessStringConvertible {
  /// The tag, with its region in capitals.
  public let description: String

  /// English, with the days of ISO 8601.
  public static let english = ReportLanguage(known: "en")

  /// The tags without a region.
  package static let known = Words.languages

  /// The tags as a regular expression (ECMA-262).
  package static var pattern: String {
    "^(\(known.joined(separator: "|")))(-([A-Za-z]{2}|[0-9]{3}))?$"
  }

  /// Nil for a language in which there are no reports, and for a tag of another form.
  public init?(_ tag: String) {
    guard let match = tag.wholeMatch(of: /([a-z]{2})(?:-([A-Za-z]{2}|[0-9]{3}))?/),
      Self.known.contains(String(match.1))
    else { return nil }
    description = "\(match.1)" + (match.2.map { "-\($0.uppercased())" } ?? "")
  }

  private init(known tag: String) { description = tag }

  var wording: ReportWording {
    guard let wording = ReportWording(description) else {
      preconditionFailure("each known language has a catalog of words")
    }
    return wording
  }
}

extension ReportLanguage: WrittenValue {
  package init?(written text: String) { self.init(text) }
}
