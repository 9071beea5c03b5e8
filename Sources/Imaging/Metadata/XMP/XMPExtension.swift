/// An XMP packet with the texts of a PNG in it (XMP specification part 1, Dublin Core), as a JPEG has no other place for
/// most of them. What the packet says itself counts.
struct XMPExtension {
  /// The packet; nil when there is nothing to say.
  private(set) var packet: [UInt8]?
  /// Whether all texts are in it: not every packet can be extended.
  private(set) var isComplete = true

  init(_ texts: PNGTexts, packet: [UInt8]?) {
    self.packet = packet
    let text = packet.map { String(validating: $0, as: UTF8.self) }
    let known = (text ?? nil) ?? ""
    let properties = Self.properties(texts).filter { !known.contains($0.name) }.map(\.element)
    guard !properties.isEmpty else { return }
    let prefixes = ["dc", "xmp"].compactMap { prefix in
      XMP.namespaces[prefix].map { (name: "xmlns:\(prefix)", namespace: $0) }
    }
    let description =
      "  <rdf:Description rdf:about=\"\""
      + prefixes.map { " \($0.name)=\"\($0.namespace)\"" }.joined() + ">\n"
      + properties.joined() + "  </rdf:Description>\n "
    guard packet != nil else {
      self.packet = Array(Self.packet(description).utf8)
      return
    }
    // Properties under other prefixes may be the same ones.
    let isUsual = prefixes.allSatisfy { known.contains($0.name) || !known.contains($0.namespace) }
    guard isUsual, let end = known.firstRange(of: "</rdf:RDF>") else {
      isComplete = false
      return
    }
    self.packet = Array((known[..<end.lowerBound] + description + known[end.lowerBound...]).utf8)
  }

  private static func properties(_ texts: PNGTexts) -> [(name: String, element: String)] {
    func list(_ name: String, _ kind: String, _ items: [(attributes: String, text: String)]) -> (
      String, String
    )? {
      guard !items.isEmpty else { return nil }
      let items = items.map { "<rdf:li\($0.attributes)>\(XMPPacket.escaped($0.text))</rdf:li>" }
      return (name, "   <\(name)><rdf:\(kind)>\(items.joined())</rdf:\(kind)></\(name)>\n")
    }
    /// The first is for readers of any language.
    func languages(_ texts: [PNGTexts.Text]) -> [(String, String)] {
      var found: Set<String> = []
      return texts.enumerated().compactMap { index, text in
        let language = index == 0 ? "x-default" : XMPPacket.escaped(text.language)
        guard !language.isEmpty, found.insert(language).inserted else { return nil }
        return (" xml:lang=\"\(language)\"", text.text)
      }
    }
    return [
      list("dc:creator", "Seq", texts.authors.map { ("", $0) }),
      list("dc:description", "Alt", languages(texts.descriptions)),
      list("dc:rights", "Alt", languages(texts.copyrights)),
      list("dc:title", "Alt", languages(texts.titles)),
      texts.created.map { ("xmp:CreateDate", "   <xmp:CreateDate>\($0)</xmp:CreateDate>\n") },
    ].compactMap { $0 }
  }

  private static func packet(_ description: String) -> String {
    """
    <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/">
     <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    \(description)</rdf:RDF>
    </x:xmpmeta>
    <?xpacket end="w"?>

    """
  }
}
