package import DiaryModel

/// The sidecar of a photo (XMP, ISO 16684-1): capture time, original name, notes, plant, tags and favourite, in the properties
/// that darktable, digiKam, Lightroom and Leaflog read. Expat, which reads XMP, cannot write it, so the
/// few properties are written here.
package struct XMPPacket: Sendable {
  /// The namespace of Leaflog's properties, which each of its sidecars has.
  package static let namespace = XMP.leaflogNamespace

  package let time: RecordedTime
  package let notes: String?
  package let plant: String?
  package let tags: [String]
  /// The name of the file that was imported (`xmpMM:PreservedFileName`, as Lightroom writes it).
  package var originalName: String?
  /// Favourites get the best rating.
  package var isFavourite = false
  /// The source of the time, and the warning that it is a guess or that clocks showed it twice.
  package var captureSource: CaptureSource?
  package var guess: ImportWarning?

  package init(time: RecordedTime, notes: String?, plant: String?, tags: [String] = []) {
    self.time = time
    self.notes = notes
    self.plant = plant
    self.tags = tags
  }

  /// The complete file, in UTF-8.
  package var bytes: [UInt8] {
    var attributes: [(String, String)] = []
    attributes.append(("photoshop:DateCreated", time.iso8601))
    // Other programs take a moment in UTC for a wall time in Greenwich.
    if case .instant = time {
      attributes.append((XMP.basisProperty, EntryTime.Basis.instant.rawValue))
    } else {
      attributes.append(("exif:DateTimeOriginal", time.iso8601))
    }
    attributes.append((XMP.capturedProperty, time.iso8601))
    if let captureSource { attributes.append((XMP.sourceProperty, captureSource.rawValue)) }
    if let guess { attributes.append((XMP.guessProperty, guess.rawValue)) }
    if isFavourite { attributes.append(("xmp:Rating", String(XMP.favouriteRating))) }
    if let originalName { attributes.append(("xmpMM:PreservedFileName", originalName)) }
    // Not every plant's name can be the name of a folder.
    if let plant { attributes.append(("leaflog:plant", plant)) }
    let properties = attributes.sorted { $0.0 < $1.0 }
      .map { "\n   \($0)=\"\(Self.escaped($1, isAttribute: true))\"" }.joined()
    let unused = (isFavourite ? [] : ["xmp"]) + (originalName == nil ? ["xmpMM"] : [])
    let declared = XMP.namespaces.filter { !unused.contains($0.key) }.sorted { $0.key < $1.key }
      .map { "\n    xmlns:\($0)=\"\($1)\"" }.joined()
    var elements = ""
    if let notes {
      elements += """

           <dc:description>
            <rdf:Alt><rdf:li xml:lang="x-default">\(Self.escaped(notes))</rdf:li></rdf:Alt>
           </dc:description>
        """
    }
    let subjects = [plant].compactMap { $0 } + tags
    if !subjects.isEmpty {
      let items = subjects.map { "<rdf:li>\(Self.escaped($0))</rdf:li>" }.joined()
      elements += """

           <dc:subject>
            <rdf:Bag>\(items)</rdf:Bag>
           </dc:subject>
        """
    }
    return Array(
      """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/">
       <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about=""\(declared)\(properties)>\(elements)
        </rdf:Description>
       </rdf:RDF>
      </x:xmpmeta>
      <?xpacket end="w"?>

      """.utf8)
  }

  /// Characters that XML 1.0 (2.2) does not allow are left out, and those that readers would change
  /// (2.11 and 3.3.3) are written as references.
  static func escaped(_ text: String, isAttribute: Bool = false) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\r": result += "&#13;"
      case "\t" where isAttribute, "\n" where isAttribute: result += "&#\(scalar.value);"
      case "\t", "\n", "\u{20}"..."\u{D7FF}", "\u{E000}"..."\u{FFFD}",
        "\u{10000}"..."\u{10FFFF}":
        result.unicodeScalars.append(scalar)
      default: break
      }
    }
    return result
  }
}
