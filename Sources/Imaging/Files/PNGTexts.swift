internal import DiaryModel

/// The texts of a PNG's chunks (PNG 3, 11.3.3) that a compressed copy keeps, wherever they are in the file, compressed or
/// not.
struct PNGTexts {
  /// A text in a language; that is empty when the file does not say it.
  typealias Text = (language: String, text: String)

  private(set) var titles: [Text] = []
  private(set) var descriptions: [Text] = []
  private(set) var copyrights: [Text] = []
  private(set) var authors: [String] = []
  /// ISO 8601.
  private(set) var created: String?
  private(set) var comments: [[UInt8]] = []

  private static let keywords: Set = [
    "title", "description", "copyright", "author", "artist", "creation time", "comment",
  ]
  /// Longer texts do not fit into a JPEG, however they begin; nor do more of them.
  private static let maxByteCount = 1 << 17

  /// No texts.
  init() {}

  init(_ png: SharedBytes) {
    PNGMetadata.forEachText(png, Self.keywords, upTo: Self.maxByteCount) {
      keyword, language, text in
      switch keyword {
      case "title": titles.append((language, text))
      case "description": descriptions.append((language, text))
      case "copyright": copyrights.append((language, text))
      case "author", "artist": if !authors.contains(text) { authors.append(text) }
      case "creation time": created = created ?? DateText.pngText(text).time?.iso8601
      default: comments.append(Array(text.utf8))
      }
    }
  }
}

extension PNGMetadata {
  /// The density of the pixels.
  static func density(_ png: SharedBytes) -> PixelDensity {
    png.withUnsafeBytes { bytes in
      var density: PixelDensity?
      forEachChunk(of: bytes) { type, data in
        if density == nil, type == "pHYs" { density = PixelDensity(pHYs: data) }
      }
      return density ?? PixelDensity()
    }
  }

  /// The IPTC data sets or Photoshop's image resources in text chunks. ImageMagick gives either name to both.
  static func resources(_ png: SharedBytes) -> [[UInt8]] {
    var found: [[UInt8]] = []
    forEachText(png, ["raw profile type iptc", "raw profile type 8bim"], upTo: 1 << 20) {
      rawProfile($2).map { found.append($0) }
    }
    return found
  }

  /// Visits the texts with some keywords, in whatever case these are written.
  ///
  /// - Parameter byteCount: the number of bytes that are read of a text, and about that of all of them.
  static func forEachText(
    _ png: SharedBytes, _ keywords: Set<String>, upTo byteCount: Int,
    _ body: (_ keyword: String, _ language: String, _ text: String) -> Void
  ) {
    var left = byteCount
    png.withUnsafeBytes { bytes in
      forEachChunk(of: bytes) { type, data in
        guard left > 0, ["tEXt", "zTXt", "iTXt"].contains(type),
          let end = data.prefix(80).firstIndex(of: 0),
          case let keyword = String(decoding: data[..<end], as: UTF8.self).lowercased(),
          keywords.contains(keyword), let text = text(type, data[(end + 1)...], upTo: byteCount),
          !text.isEmpty
        else { return }
        left -= text.utf8.count
        // Compression or none, its method, a language.
        let language =
          type == "iTXt" ? data[(end + 1)...].dropFirst(2).prefix { $0 != 0 } : data.prefix(0)
        body(keyword, String(decoding: language, as: UTF8.self), text)
      }
    }
  }
}
