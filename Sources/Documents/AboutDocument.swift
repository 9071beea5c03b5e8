internal import Leaflog

/// Version, licence, privacy, and what Leaflog is not, in JSON.
package struct AboutDocument: Encodable {
  private let version = About.version
  private let licence = About.licence
  private let copyright = About.copyright
  private let privacy = About.privacy
  private let disclaimer = About.disclaimer

  package init() {}

  private enum CodingKeys: CodingKey { case version, licence, copyright, privacy, disclaimer }
}
