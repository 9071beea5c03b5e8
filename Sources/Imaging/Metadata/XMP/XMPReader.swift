internal import CExpat

/// Reads XMP's RDF with Expat, an element at a time: nesting costs no stack, and unwanted properties
/// no memory.
///
/// Properties are in `rdf:RDF/rdf:Description`, as attributes or as elements; deeper ones, such as those
/// of a source picture, belong to something else.
///
/// A packet that is not well-formed because something stands before it, or because a prefix is not declared, is read
/// once more without namespaces. A prefix then has its usual meaning unless it is declared.
final class XMPReader {
  /// The values by usual prefix and name; of a list, the item in the default language, or the first. Items without
  /// a text do not count: editors leave an empty default beside a text in a language.
  private(set) var values: [String: String] = [:]
  /// All items of `dc:subject`, in order.
  private(set) var subjects: [String] = []

  private let parser: XML_Parser
  private var depth = 0
  private var rdfDepth: Int?
  /// The current property.
  private var property: String?
  /// Its own text; the text of an item is taken when the item ends.
  private var text: [UInt8] = []
  private var item: Item?
  private var hasDefaultItem = false
  private var hasTextItem = false
  private var hasItem = false
  private var isWhole = false
  private var hasDoctype = false
  /// The namespaces of prefixes, with an empty one for names without; nil if Expat knows them.
  private var declared: [String: String]?
  /// Whether the XML is not well-formed, and was read nevertheless.
  var isMended: Bool { declared != nil }

  private struct Item {
    let depth: Int
    let isDefault: Bool
    var text: [UInt8] = []
  }

  private static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  /// The separator between a namespace and a name; Expat rejects namespaces that contain it.
  private static let separator: Character = "\n"
  private static let prefixes = Dictionary(
    uniqueKeysWithValues: XMP.namespaces.map { ($0.value, $0.key) })
  private static let wanted = Set(
    XMP.timeProperties + [
      "dc:description", subjectProperty, "xmp:Rating", "leaflog:plant", XMP.basisProperty,
      XMP.capturedProperty, XMP.sourceProperty, XMP.guessProperty,
    ])
  private static let subjectProperty = "dc:subject"
  /// Further keywords are not read.
  private static let maxSubjectCount = 500

  /// The properties with a photo's capture time, description, keywords and plant; nil when the bytes cannot be read as
  /// XML at all, or declare a document type.
  static func read(_ packet: some Collection<UInt8>) -> XMPReader? {
    guard packet.count <= XMP.maxByteCount, let reader = XMPReader() else { return nil }
    let bytes = Self.withoutPadding(Array(packet))
    if reader.parse(bytes) { return reader }
    guard !reader.hasDoctype, let lenient = XMPReader(isLenient: true),
      lenient.parse(Self.document(in: bytes))
    else { return nil }
    return lenient
  }

  /// The part of a packet that begins with its XML declaration or, without one, with its first element or instruction.
  private static func document(in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let open = UInt8(ascii: "<")
    let declaration = Array("<?xml".utf8)
    var at = bytes.firstIndex(of: open)
    let first = at
    while let index = at {
      let rest = bytes[index...]
      // Not `<?xml-stylesheet`.
      if rest.starts(with: declaration), let next = rest.dropFirst(declaration.count).first,
        next == UInt8(ascii: " ") || next == UInt8(ascii: "\n")
      {
        return rest
      }
      at = rest.dropFirst().firstIndex(of: open)
    }
    return first.map { bytes[$0...] } ?? bytes
  }

  /// Removes the NULs with which files pad packets, and which are not XML. In UTF-16, NUL is half a character.
  private static func withoutPadding(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    let isWide = bytes.prefix(4).contains(0) || bytes.first == 0xFE || bytes.first == 0xFF
    guard !isWide, let last = bytes.lastIndex(where: { $0 != 0 }) else { return bytes[...] }
    return bytes[...last]
  }

  private init?(isLenient: Bool = false) {
    let separator = XML_Char(bitPattern: Self.separator.asciiValue ?? 0)
    guard let parser = isLenient ? XML_ParserCreate(nil) : XML_ParserCreateNS(nil, separator) else {
      return nil
    }
    self.parser = parser
    guard isLenient else { return }
    declared = XMP.namespaces.merging(
      ["rdf": Self.rdf, "xml": "http://www.w3.org/XML/1998/namespace"]
    ) { $1 }
  }

  deinit { XML_ParserFree(parser) }

  private func parse(_ packet: ArraySlice<UInt8>) -> Bool {
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(
      parser,
      { reader, name, attributes in XMPReader.at(reader)?.start(name, attributes) },
      { reader, _ in XMPReader.at(reader)?.end() })
    XML_SetCharacterDataHandler(parser) { reader, text, count in
      XMPReader.at(reader)?.characters(text, Int(count))
    }
    XML_SetStartDoctypeDeclHandler(parser) { reader, _, _, _, _ in
      guard let reader = XMPReader.at(reader) else { return }
      reader.hasDoctype = true
      XML_StopParser(reader.parser, 0)
    }
    let status = packet.withUnsafeBytes { bytes in
      XML_Parse(
        parser, bytes.bindMemory(to: XML_Char.self).baseAddress, CInt(clamping: bytes.count), 1)
    }
    // Trailing bytes, such as a camera's padding, are not an error in the document.
    return status == XML_STATUS_OK || isWhole
  }

  private static func at(_ pointer: UnsafeMutableRawPointer?) -> XMPReader? {
    pointer.map { Unmanaged<XMPReader>.fromOpaque($0).takeUnretainedValue() }
  }

  private func start(
    _ element: UnsafePointer<XML_Char>?,
    _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
  ) {
    depth += 1
    declare(attributes)
    let element = element.map { expanded(String(cString: $0)) }
    guard let rdfDepth else {
      if element == Self.rdf + "\n" + "RDF" { self.rdfDepth = depth }
      return
    }
    switch depth - rdfDepth {
    case 1: each(attributes) { keep(Self.wantedName($0), $1) }
    case 2:
      property = element.flatMap { Self.wantedName($0) }
      (text, item, hasItem, hasTextItem, hasDefaultItem) = ([], nil, false, false, false)
    default:
      guard property != nil, item == nil, let name = element else { return }
      guard name == Self.rdf + "\n" + "li" || name == Self.rdf + "\n" + "value" else { return }
      var isDefault = false
      each(attributes) { name, value in
        if name == "http://www.w3.org/XML/1998/namespace\nlang", value == "x-default" {
          isDefault = true
        }
      }
      item = Item(depth: depth, isDefault: isDefault)
    }
  }

  private func characters(_ characters: UnsafePointer<XML_Char>?, _ count: Int) {
    guard let rdfDepth, property != nil, let characters else { return }
    let bytes = UnsafeRawBufferPointer(start: characters, count: count)
    if item?.depth == depth {
      item?.text.append(contentsOf: bytes)
    } else if depth == rdfDepth + 2 {
      text.append(contentsOf: bytes)
    }
  }

  private func end() {
    defer {
      depth -= 1
      isWhole = depth == 0
    }
    if let item, item.depth == depth {
      self.item = nil
      if property == Self.subjectProperty { addSubject(item.text) }
      let hasText = !String(decoding: item.text, as: UTF8.self).trimmingSpaces().isEmpty
      if hasText, !hasTextItem || item.isDefault && !hasDefaultItem {
        text = item.text
        hasTextItem = true
        hasDefaultItem = item.isDefault
      }
      // An item takes the place of what stands beside it, even without a text.
      if !hasTextItem { text = [] }
      hasItem = true
    } else if let rdfDepth, depth == rdfDepth + 2, let property {
      if property == Self.subjectProperty, !hasItem { addSubject(text) }
      keep(property, String(decoding: text, as: UTF8.self))
      self.property = nil
    } else if depth == rdfDepth {
      rdfDepth = nil
    }
  }

  private func addSubject(_ text: [UInt8]) {
    let subject = String(decoding: text, as: UTF8.self).trimmingSpaces()
    if !subject.isEmpty, subjects.count < Self.maxSubjectCount { subjects.append(subject) }
  }

  private func keep(_ property: String?, _ value: String) {
    let value = value.trimmingSpaces()
    if let property, !value.isEmpty, values[property] == nil { values[property] = value }
  }

  /// A wanted property under its usual prefix; nil for any other.
  private static func wantedName(_ name: String) -> String? {
    guard let end = name.firstIndex(of: separator), let prefix = prefixes[String(name[..<end])]
    else { return nil }
    let full = prefix + ":" + name[name.index(after: end)...]
    return wanted.contains(full) ? full : nil
  }

  private func each(
    _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?, _ body: (String, String) -> Void
  ) {
    guard var next = attributes else { return }
    while let name = next[0], let value = next[1] {
      body(expanded(String(cString: name), isAttribute: true), String(cString: value))
      next += 2
    }
  }

  /// Notes the namespaces that an element declares, if Expat does not. They hold for the rest of the packet: no program
  /// gives a prefix two meanings.
  private func declare(_ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?) {
    guard declared != nil, var next = attributes else { return }
    while let name = next[0], let value = next[1] {
      let parts = String(cString: name).split(separator: ":", maxSplits: 1)
      if parts.first == "xmlns", declared?.count ?? 0 < Self.maxPrefixCount {
        declared?[parts.count > 1 ? String(parts[1]) : ""] = String(cString: value)
      }
      next += 2
    }
  }

  private static let maxPrefixCount = 1000

  /// A name with its namespace, as Expat writes it.
  private func expanded(_ name: String, isAttribute: Bool = false) -> String {
    guard let declared else { return name }
    guard let colon = name.firstIndex(of: ":") else {
      // The namespace of names without a prefix does not hold for attributes (Namespaces in XML, 6.2).
      return isAttribute ? name : declared[""].map { $0 + "\n" + name } ?? name
    }
    return (declared[String(name[..<colon])] ?? "") + "\n" + name[name.index(after: colon)...]
  }
}
