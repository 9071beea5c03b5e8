/// The corrections of an XMP packet for a compressed copy, in place, so that nothing in it moves: what it says about a
/// gain map and other pictures that the copy lacks becomes blanks, and the orientation that of the copy. A packet in
/// UTF-16, which none of the writers of these properties uses, stays as it is.
struct XMPEdits {
  /// Whether the copy is upright whatever the original's orientation was.
  let isUpright: Bool

  /// Adobe's gain map, and Google's directory of a file's pictures with its items.
  private static let gone = [
    "http://ns.adobe.com/hdr-gain-map/1.0/", "http://ns.google.com/photos/1.0/container/",
    "http://ns.google.com/photos/1.0/container/item/",
  ]
  private static let tiff = "http://ns.adobe.com/tiff/1.0/"

  func apply(to packet: inout ArraySlice<UInt8>) {
    let corrections = packet.withUnsafeBytes { bytes -> [(Range<Int>, [UInt8])] in
      let isAffected = (Self.gone + (isUpright ? [Self.tiff] : [])).contains {
        bytes.offset(of: Array($0.utf8), from: 0) != nil
      }
      return isAffected ? edits(bytes) : []
    }
    let start = packet.startIndex
    for (range, bytes) in corrections {
      packet.replaceSubrange((start + range.lowerBound)..<(start + range.upperBound), with: bytes)
    }
  }

  /// A start or end tag, with the places of its attributes.
  private struct Tag {
    let range: Range<Int>
    let name: String
    var isEnd = false
    var isEmpty = false
    var attributes: [(name: String, value: Range<Int>, range: Range<Int>)] = []
  }

  private func edits(_ bytes: UnsafeRawBufferPointer) -> [(Range<Int>, [UInt8])] {
    let tags = Self.tags(bytes)
    var (gone, tiff): (Set<String>, Set<String>) = ([], [])
    for attribute in tags.flatMap(\.attributes) where attribute.name.hasPrefix("xmlns:") {
      let prefix = String(attribute.name.dropFirst("xmlns:".count))
      let namespace = String(decoding: bytes[attribute.value], as: UTF8.self)
      if Self.gone.contains(namespace) { gone.insert(prefix) }
      if namespace == Self.tiff { tiff.insert(prefix) }
    }
    var edits: [(Range<Int>, [UInt8])] = []
    func blank(_ range: Range<Int>) {
      edits.append((range, Array(repeating: 0x20, count: range.count)))
    }
    func prefix(_ name: String) -> String {
      name.split(separator: ":").first.map(String.init) ?? ""
    }
    func setUpright(_ value: Range<Int>) {
      guard isUpright, value.count == 1 else { return }
      edits.append((value, [UInt8(ascii: "1")]))
    }
    var index = 0
    while index < tags.count {
      let tag = tags[index]
      if gone.contains(prefix(tag.name)), !tag.isEnd {
        let last = Self.end(of: index, in: tags)
        blank(tag.range.lowerBound..<tags[last].range.upperBound)
        index = last + 1
        continue
      }
      for attribute in tag.attributes {
        let parts = attribute.name.split(separator: ":").map(String.init)
        if gone.contains(parts[0] == "xmlns" ? parts.last ?? "" : prefix(attribute.name)) {
          blank(attribute.range)
        } else if parts.count == 2, tiff.contains(parts[0]), parts[1] == "Orientation" {
          setUpright(attribute.value)
        }
      }
      if !tag.isEnd, tiff.contains(prefix(tag.name)), tag.name.hasSuffix(":Orientation"),
        index + 1 < tags.count
      {
        setUpright(tag.range.upperBound..<tags[index + 1].range.lowerBound)
      }
      index += 1
    }
    return edits
  }

  /// The index of the tag that ends the element that begins at an index; the last one when nothing ends it.
  private static func end(of index: Int, in tags: [Tag]) -> Int {
    var depth = 0
    for place in index..<tags.count {
      depth += tags[place].isEnd ? -1 : tags[place].isEmpty ? 0 : 1
      if depth == 0 { return place }
    }
    return tags.count - 1
  }

  /// The tags of a packet, without comments, instructions and character data.
  private static func tags(_ bytes: UnsafeRawBufferPointer) -> [Tag] {
    var found: [Tag] = []
    var at = 0
    let skipped = [("<!--", "-->"), ("<?", "?>"), ("<![CDATA[", "]]>"), ("<!", ">")]
    while let start = bytes.offset(of: [0x3C], from: at) {
      if let (_, end) = skipped.first(where: { bytes.holds($0.0, at: start) }) {
        at =
          bytes.offset(of: Array(end.utf8), from: start).map { $0 + end.utf8.count } ?? bytes.count
        continue
      }
      guard let tag = tag(at: start, in: bytes) else { break }
      found.append(tag)
      at = tag.range.upperBound
    }
    return found
  }

  private static func tag(at start: Int, in bytes: UnsafeRawBufferPointer) -> Tag? {
    let isEnd = bytes.holds("/", at: start + 1)
    var at = start + (isEnd ? 2 : 1)
    func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
    func name() -> String {
      let begin = at
      while at < bytes.count, !isSpace(bytes[at]), !"=/>".utf8.contains(bytes[at]) { at += 1 }
      return String(decoding: bytes[begin..<at], as: UTF8.self)
    }
    let element = name()
    var attributes: [(name: String, value: Range<Int>, range: Range<Int>)] = []
    while at < bytes.count {
      let byte = bytes[at]
      if byte == UInt8(ascii: ">") {
        let isEmpty = bytes[at - 1] == UInt8(ascii: "/")
        return Tag(
          range: start..<(at + 1), name: element, isEnd: isEnd, isEmpty: isEmpty,
          attributes: attributes)
      }
      guard !isSpace(byte), byte != UInt8(ascii: "/") else {
        at += 1
        continue
      }
      let begin = at
      let attribute = name()
      while at < bytes.count, isSpace(bytes[at]) || bytes[at] == UInt8(ascii: "=") { at += 1 }
      guard at < bytes.count, at > begin, [0x22, 0x27].contains(bytes[at]),
        let end = bytes.offset(of: [bytes[at]], from: at + 1)
      else { return nil }
      attributes.append((attribute, (at + 1)..<end, begin..<(end + 1)))
      at = end + 1
    }
    return nil
  }
}
