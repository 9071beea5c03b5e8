import DiaryModel
import Foundation
import Imaging
import Testing

@Suite struct SidecarTests {
  private func xmp(_ attributes: String, _ elements: String = "") -> String {
    """
    <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/">
    <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
      xmlns:e="http://ns.adobe.com/exif/1.0/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
      xmlns:dc="http://purl.org/dc/elements/1.1/" \(attributes)>\(elements)</rdf:Description></rdf:RDF>
    </x:xmpmeta><?xpacket end="w"?>
    """
  }

  @Test func `a date is read from an attribute under any prefix`() {
    let facts = XMP.facts(Array(xmp(#"e:DateTimeOriginal="2023-04-05T06:07:08+02:00""#).utf8))
    #expect(facts?.time?.iso8601 == "2023-04-05T06:07:08+02:00")
  }

  @Test func `a date and notes are read from elements`() {
    let packet = xmp(
      #"xmp:CreateDate="2001-01-01T00:00:01""#,
      """
      <e:DateTimeOriginal>2023-04-05T06:07</e:DateTimeOriginal><dc:description><rdf:Alt>
      <rdf:li xml:lang="x-default">first &amp; best flower 🌼</rdf:li></rdf:Alt></dc:description>
      """)
    let facts = XMP.facts(Array(packet.utf8))
    #expect(facts?.time?.iso8601 == "2023-04-05T06:07:00")
    #expect(facts?.notes == "first & best flower 🌼")
  }

  @Test func `UTF-16 is read`() throws {
    let packet = xmp(#"e:DateTimeOriginal="2023-04-05T06:07:08Z""#)
    let data = try #require(packet.data(using: .utf16))
    #expect(XMP.facts(data)?.time?.iso8601 == "2023-04-05T06:07:08Z")
  }

  @Test func `entity bombs and broken XML are refused`() {
    let bomb = """
      <?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>
      <x:xmpmeta xmlns:x="adobe:ns:meta/">&b;</x:xmpmeta>
      """
    #expect(XMP.facts(Array(bomb.utf8)) == nil)
    #expect(XMP.facts(Array(bomb.data(using: .utf16LittleEndian)!)) == nil)
    #expect(XMP.facts(Array("<x:xmpmeta".utf8)) == nil)
  }

  @Test func `names that are no UTF-8 are refused`() {
    let packet = Array(xmp(#"e:DateTimeOriginal="2023-04-05T06:07:08Z""#).utf8)
    let (head, tail) = packet.split(behind: "rdf:Descrip")
    #expect(XMP.facts(head + tail) != nil)
    #expect(XMP.facts(head + [0xF4] + tail) == nil)
    #expect(XMP.facts(Array("<rdf:Descrip".utf8) + [0xF4] + Array("tion/>".utf8)) == nil)
  }

  @Test func `depth, breadth and length cost no more than their bytes`() {
    let inner = { (elements: String) in
      XMP.facts(Array(xmp(#"e:DateTimeOriginal="2023-04-05T06:07:08Z""#, elements).utf8))
    }
    let nested =
      String(repeating: "<e:a>", count: 200_000) + String(repeating: "</e:a>", count: 200_000)
    #expect(inner(nested)?.time?.iso8601 == "2023-04-05T06:07:08Z")
    #expect(inner(String(repeating: "<e:a/>", count: 200_000))?.time != nil)
    let attributes = (0..<50_000).map { "e:a\($0)='x'" }.joined(separator: " ")
    #expect(inner("<e:a \(attributes)/>")?.time != nil)
    let long = String(repeating: "leaf ", count: 1_000_000)
    #expect(inner("<dc:description>\(long)</dc:description>")?.notes?.utf8.count == 4_999_999)
  }

  @Test func `padding behind the document is passed over`() {
    let packet = Array(xmp(#"e:DateTimeOriginal="2023-04-05T06:07:08Z""#).utf8)
    #expect(XMP.facts(packet + [0, 0, 0])?.time != nil)
    #expect(XMP.facts(packet + [0x20, 0x0A, 0xFF, 0xFE])?.time != nil)
  }

  @Test func `CreateDate is the last of the dates, and read where it is the only one`() {
    let created = #"xmp:CreateDate="2001-01-01T00:00:01""#
    #expect(XMP.facts(Array(xmp(created).utf8))?.time?.iso8601 == "2001-01-01T00:00:01")
    let both = xmp(created + #" e:GPSTimeStamp="2023-04-05T06:07:08+02:00""#)
    #expect(XMP.facts(Array(both.utf8))?.time?.iso8601 == "2023-04-05T04:07:08Z")
  }

  @Test func `the properties of another picture are not taken`() {
    let packet = xmp(
      "",
      """
      <dc:relation><rdf:Bag><rdf:li rdf:parseType="Resource">
      <rdf:Description e:DateTimeOriginal="1999-04-05T06:07"><xmp:CreateDate>1999-04-05T06:07</xmp:CreateDate>
      </rdf:Description></rdf:li></rdf:Bag></dc:relation>
      """)
    #expect(XMP.facts(Array(packet.utf8)) == SidecarFacts())
  }

  @Test func `the default language's notes are taken`() {
    let packet = xmp(
      "",
      """
      <dc:description><rdf:Alt><rdf:li xml:lang="de">Blatt</rdf:li>
      <rdf:li xml:lang="x-default">leaf</rdf:li></rdf:Alt></dc:description>
      """)
    #expect(XMP.facts(Array(packet.utf8))?.notes == "leaf")
  }

  @Test(arguments: [
    #"<rdf:li xml:lang="x-default"/><rdf:li xml:lang="de">Blatt</rdf:li>"#,
    #"<rdf:li xml:lang="x-default"> </rdf:li><rdf:li xml:lang="de">Blatt</rdf:li>"#,
    #"<rdf:li xml:lang="de">Blatt</rdf:li><rdf:li xml:lang="x-default"/>"#,
    #"<rdf:li xml:lang="fr"/><rdf:li xml:lang="de">Blatt</rdf:li><rdf:li xml:lang="en">leaf</rdf:li>"#,
  ])
  func `an empty text in the default language gives way to one in another`(items: String) {
    let packet = xmp("", "<dc:description><rdf:Alt>\(items)</rdf:Alt></dc:description>")
    #expect(XMP.facts(Array(packet.utf8))?.notes == "Blatt")
  }

  @Test(arguments: [
    // A prefix that is not declared, on an attribute and on an element.
    ("", #"e:DateTimeOriginal="2025-02-14T10:00:00" foo:Credit="x""#, ""),
    ("", #"e:DateTimeOriginal="2025-02-14T10:00:00""#, "<foo:Credit>x</foo:Credit>"),
    // One of those that Leaflog reads.
    ("", #"exif:DateTimeOriginal="2025-02-14T10:00:00""#, ""),
    // Something before the XML declaration.
    ("\n<?xml version=\"1.0\"?>", #"e:DateTimeOriginal="2025-02-14T10:00:00""#, ""),
    (
      "<?xpacket begin=\"\"?><?xml version=\"1.0\"?>", #"e:DateTimeOriginal="2025-02-14T10:00:00""#,
      ""
    ),
    ("\u{1}junk", #"e:DateTimeOriginal="2025-02-14T10:00:00""#, ""),
  ])
  func `a packet that is not well-formed is read as far as it can be`(
    start: String, attributes: String, elements: String
  ) {
    let notes = "<d:description xmlns:d='http://purl.org/dc/elements/1.1/'>leaf</d:description>"
    let facts = XMP.facts(Array((start + xmp(attributes, notes + elements)).utf8))
    #expect(facts?.time?.iso8601 == "2025-02-14T10:00:00" && facts?.notes == "leaf")
    #expect(facts?.isMended == true)
    let whole = XMP.facts(Array(xmp(#"e:DateTimeOriginal="2025-02-14T10:00:00""#, notes).utf8))
    #expect(whole?.isMended == false && whole?.notes == "leaf")
  }

  @Test func `a document type is refused, whatever stands before it`() {
    let text = "\n<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'c'>]>" + xmp("foo:b='c'")
    #expect(XMP.facts(Array(text.utf8)) == nil)
  }

  @Test func `within a packet, too, a property completes a part of a date`() {
    let facts = XMP.facts(
      Array(
        xmp(
          #"e:DateTimeOriginal="2025-02-14T24:10:00" xmp:CreateDate="2025-02-14T09:10:00""#
        ).utf8))
    #expect(facts?.time?.iso8601 == "2025-02-14T09:10:00" && facts?.isPartlyRead == true)
    let day = XMP.facts(Array(xmp(#"e:GPSTimeStamp="2025-02-14""#).utf8))
    #expect(day?.time?.iso8601 == "2025-02-14" && day?.isDayInUTC == true)
  }

  @Test(arguments: [
    ("2024-13-01T10:00", true), ("yesterday", true), ("202", true), ("", false),
    ("0000-00-00T00:00:00", false),
  ])
  func `a date that cannot be read is told`(text: String, isUnreadable: Bool) {
    let facts = XMP.facts(
      Array(xmp(#"e:DateTimeOriginal="\#(text)" xmp:CreateDate="2001-01-01T00:00:01""#).utf8))
    #expect(facts?.hasUnreadableTime == isUnreadable)
    #expect(facts?.time?.iso8601 == "2001-01-01T00:00:01")
  }

  @Test(arguments: [
    "2025-05-06T07:08:09.250+05:30", "2025-05-06T07:08:09", "2025-05-06", "1978-05", "1978",
  ])
  func `a written file is read again`(time: String) throws {
    let notes = "a <leaf> & \"two\"\r\nlines \u{1}🌼"
    let packet = XMPPacket(
      time: try #require(RecordedTime(time)), notes: notes, plant: "my 'plant'\n\t<2>")
    let facts = try #require(XMP.facts(packet.bytes))
    #expect(facts.time?.iso8601 == time)
    #expect(facts.notes == "a <leaf> & \"two\"\r\nlines 🌼")
    #expect(facts.plant == "my 'plant'\n\t<2>")
    let instant = RecordedTime.instant(Timestamp(milliseconds: 1_700_000_000_000))
    let moment = XMPPacket(time: instant, notes: nil, plant: nil)
    #expect(XMP.facts(moment.bytes) == SidecarFacts(time: instant, isExported: true))
  }

  @Test(arguments: [
    "<dc:subject><rdf:Bag><rdf:li>aphids</rdf:li><rdf:li> new  pot </rdf:li></rdf:Bag></dc:subject>",
    "<dc:subject><rdf:Seq><rdf:li>aphids</rdf:li><rdf:li/><rdf:li>new  pot</rdf:li></rdf:Seq></dc:subject>",
  ])
  func `keywords are read from lists`(subject: String) {
    #expect(XMP.facts(Array(xmp("", subject).utf8))?.tags == ["aphids", "new  pot"])
  }

  @Test func `a single keyword is read, and the best rating is a favourite's`() {
    #expect(XMP.facts(Array(xmp("", "<dc:subject>aphids</dc:subject>").utf8))?.tags == ["aphids"])
    for (rating, isFavourite) in [("5", true), ("5.0", true), ("4", false), ("-1", false)] {
      let facts = XMP.facts(Array(xmp(#"xmp:Rating="\#(rating)""#).utf8))
      #expect(facts == SidecarFacts(isFavourite: isFavourite))
    }
    #expect(XMP.facts(Array(xmp("", "<xmp:Rating>5</xmp:Rating>").utf8))?.isFavourite == true)
  }

  @Test func `an export's plant is no tag, unless it is one besides`() throws {
    let time = try #require(RecordedTime("2025-05-06"))
    for tags in [[], ["aphids"], ["fern"], ["aphids", "fern"]] {
      let packet = XMPPacket(time: time, notes: nil, plant: "fern", tags: tags)
      #expect(XMP.facts(packet.bytes)?.tags == tags)
    }
  }

  @Test func `where an exported date came from is read, until the date is changed`() throws {
    var packet = XMPPacket(
      time: try #require(RecordedTime("2025-05-06T07:08:09")), notes: nil, plant: nil)
    (packet.captureSource, packet.guess) = (.exif, .dateIsChangeTime)
    packet.isFavourite = true
    let facts = try #require(XMP.facts(packet.bytes))
    #expect(facts.captureSource == .exif && facts.guess == .dateIsChangeTime && facts.isFavourite)
    let text = String(decoding: packet.bytes, as: UTF8.self)
    let edited = text.replacing(
      #"exif:DateTimeOriginal="2025-05-06T07:08:09""#,
      with: #"exif:DateTimeOriginal="2025-05-07T07:08:09""#)
    let changed = try #require(XMP.facts(Array(edited.utf8)))
    #expect(changed.time?.iso8601 == "2025-05-07T07:08:09")
    #expect(changed.captureSource == nil && changed.guess == nil)
  }

  @Test func `Takeout's JSON is read`() {
    let json = """
      {"title": "a.jpg", "description": "three tomatoes", "photoTakenTime": {"timestamp": "1696573800"}}
      """
    let facts = Takeout.facts(Array(json.utf8))
    #expect(facts?.time?.iso8601 == "2023-10-06T06:30:00Z")
    #expect(facts?.notes == "three tomatoes")
    #expect(Takeout.facts(Array(#"{"name": "package"}"#.utf8)) == nil)
    #expect(Takeout.facts(Array("[1, 2".utf8)) == nil)
  }

  @Test(arguments: [
    (#""1696573800""#, "2023-10-06T06:30:00Z"), ("1696573800", "2023-10-06T06:30:00Z"),
    (#"" 1696573800 ""#, "2023-10-06T06:30:00Z"), ("1696573800.25", "2023-10-06T06:30:00.250Z"),
    (#""-86400""#, "1969-12-31T00:00:00Z"), ("1.6965738e9", "2023-10-06T06:30:00Z"),
  ])
  func `Takeout's numbers are read as text and as numbers`(number: String, iso: String) {
    let json = #"{"photoTakenTime": {"timestamp": \#(number)}, "description": 3}"#
    let facts = Takeout.facts(Array(json.utf8))
    #expect(facts?.time?.iso8601 == iso)
    #expect(facts?.notes == nil)
  }

  @Test func `Takeout's favourites and its bin are read`() {
    func facts(_ members: String) -> SidecarFacts? {
      Takeout.facts(Array(#"{"title": "a.jpg", "description": "", \#(members)}"#.utf8))
    }
    #expect(facts(#""favorited": true"#) == SidecarFacts(isFavourite: true))
    #expect(facts(#""trashed": true"#) == SidecarFacts(isTrashed: true))
    #expect(facts(#""favorited": false, "trashed": "no""#) == SidecarFacts())
  }

  @Test(arguments: [
    "9223372036854775807", "-9223372036854775808", "9223372036854775808", "253402300800", "soon",
  ])
  func `a moment that no clock tells is unreadable`(timestamp: String) {
    let json = #"{"photoTakenTime": {"timestamp": "\#(timestamp)"}}"#
    #expect(Takeout.facts(Array(json.utf8)) == SidecarFacts(hasUnreadableTime: true))
  }
}

extension [UInt8] {
  /// In two, behind the first occurrence of a text.
  fileprivate func split(behind text: String) -> ([UInt8], [UInt8]) {
    let end = firstRange(of: Array(text.utf8))?.upperBound ?? count
    return (Array(self[..<end]), Array(self[end...]))
  }
}
