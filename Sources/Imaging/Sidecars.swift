internal import Foundation
internal import FoundationXML
package import DiaryModel

/// What a file beside a photo, or a packet inside it, says of the photo.
package struct SidecarFacts: Sendable, Equatable {
  package var time: RecordedTime?
  package var notes: String?
  /// The plant's name, in sidecars that Leaflog exported.
  package var plant: String?

  package init(time: RecordedTime? = nil, notes: String? = nil, plant: String? = nil) {
    self.time = time
    self.notes = notes
    self.plant = plant
  }
}

/// XMP (ISO 16684-1): when a photo was taken and what was written about it.
package enum XMP {
  /// The properties that say when, most trusted first, with the EXIF tags they stand for
  /// (XMP specification part 2).
  private static let timeProperties = [
    "exif:DateTimeOriginal", "photoshop:DateCreated", "xmp:CreateDate", "exif:GPSTimeStamp",
  ]
  /// What Leaflog writes into the sidecars of an export.
  package static let leaflogNamespace = "urn:leaflog:1.0"

  private static let namespaces = [
    leaflogNamespace: "leaflog",
    "http://ns.adobe.com/exif/1.0/": "exif", "http://ns.adobe.com/photoshop/1.0/": "photoshop",
    "http://ns.adobe.com/xap/1.0/": "xmp", "http://purl.org/dc/elements/1.1/": "dc",
  ]

  /// Nil when the bytes are not well-formed XML, or declare a document type: XMP never does, and
  /// entity bombs have to.
  package static func facts(_ packet: some Collection<UInt8>) -> SidecarFacts? {
    let data = Data(packet)
    let declaration = ["<!DOCTYPE", "<!ENTITY"]
    for encoding in [String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian] {
      if declaration.contains(where: { data.range(of: $0.data(using: encoding) ?? Data()) != nil })
      {
        return nil
      }
    }
    let reader = Reader()
    let parser = XMLParser(data: data)
    parser.shouldProcessNamespaces = true
    parser.shouldReportNamespacePrefixes = true
    parser.delegate = reader
    // On Linux the parser calls a document well-formed that just ends.
    guard parser.parse(), reader.isWhole else { return nil }
    let time = timeProperties.lazy.compactMap { property in
      reader.values[property].flatMap { DateText.timestamp($0) }.map {
        property == "exif:GPSTimeStamp" ? $0.withoutPlace : $0
      }
    }.first
    return SidecarFacts(
      time: time, notes: reader.values["dc:description"],
      plant: reader.values["leaflog:plant"])
  }

  /// Collects simple properties, written as attributes or as elements, and the first item of lists.
  private final class Reader: NSObject, XMLParserDelegate {
    var values: [String: String] = [:]
    /// Whether every element that began has ended.
    var isWhole: Bool { depth == 0 && hasBegun }
    private var depth = 0
    private var hasBegun = false
    private var property: String?
    private var text = ""
    private var prefixes: [String: String] = [:]

    func parser(_: XMLParser, didStartMappingPrefix prefix: String, toURI uri: String) {
      if let known = namespaces[uri] { prefixes[prefix] = known }
    }

    func parser(
      _: XMLParser, didStartElement element: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      depth += 1
      hasBegun = true
      for (name, value) in attributes {
        let parts = name.split(separator: ":", maxSplits: 1).map(String.init)
        if parts.count == 2, let known = prefixes[parts[0]] { keep("\(known):\(parts[1])", value) }
      }
      if let known = namespaceURI.flatMap({ namespaces[$0] }) { property = "\(known):\(element)" }
      text = ""
    }

    func parser(_: XMLParser, foundCharacters characters: String) { text += characters }

    func parser(
      _: XMLParser, didEndElement element: String, namespaceURI: String?, qualifiedName: String?
    ) {
      depth -= 1
      if let property { keep(property, text) }
      text = ""
      if namespaceURI.flatMap({ namespaces[$0] }) != nil { property = nil }
    }

    private func keep(_ property: String, _ value: String) {
      let value = value.trimmingSpaces()
      if !value.isEmpty, values[property] == nil { values[property] = value }
    }
  }
}

extension RecordedTime {
  /// GPS tells UTC and nothing of a place's clocks.
  fileprivate var withoutPlace: RecordedTime {
    if case .zoned(let wall, let offset) = self { return .instant(wall.timestamp(offset: offset)) }
    return self
  }
}

/// The JSON file that Google Takeout writes for each photo.
package enum Takeout {
  private struct Document: Decodable {
    struct Moment: Decodable {
      var timestamp: String
    }
    var description: String?
    var photoTakenTime: Moment?
  }

  /// Nil when the bytes are not such a document.
  package static func facts(_ json: some Collection<UInt8>) -> SidecarFacts? {
    guard let document = try? JSONDecoder().decode(Document.self, from: Data(json)),
      document.photoTakenTime != nil || document.description != nil
    else { return nil }
    let seconds = document.photoTakenTime.flatMap { Int64($0.timestamp) }
    let notes = document.description?.trimmingSpaces()
    return SidecarFacts(
      time: seconds.map { .instant(Timestamp(milliseconds: $0 * 1000)) },
      notes: notes?.isEmpty == false ? notes : nil)
  }
}
