internal import Leaflog

extension EntityTag {
  /// The tag of a thing's version, for `ETag` and `If-Match` (RFC 9110, 13.1.1).
  init(version thing: some Versioned) { self.init(digest: thing.versionDigest) }
}
