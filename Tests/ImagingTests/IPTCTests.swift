import DiaryModel
import Imaging
import TestSupport
import Testing

@Suite struct IPTCTests {
  private func created(_ date: String, _ time: String?) -> IPTC {
    var values: [(UInt8, String)] = [(0x37, date)]
    if let time { values.append((0x3C, time)) }
    return IPTC(block: EmbeddedMetadata.iptc(values))
  }

  @Test(
    arguments: [
      ("20210521", "131451+0200", "2021-05-21T13:14:51+02:00"),
      ("20210521", "131451-0330", "2021-05-21T13:14:51-03:30"),
      ("20210521", "131451", "2021-05-21T13:14:51"), ("20210521", nil, "2021-05-21"),
      ("2021:05:21", "13:14:51+02:00", "2021-05-21T13:14:51+02:00"),
      ("2021-05-21", "13:14:51", "2021-05-21T13:14:51"),
      // Programs that know no offset write this one.
      ("20210521", "131451+0000", "2021-05-21T13:14:51"),
      ("20210521", "131451Z", "2021-05-21T13:14:51"),
      // No place has it.
      ("20210521", "131451+1700", "2021-05-21T13:14:51"),
      // Unknown, and not to be read.
      ("20210521", "000000+0000", "2021-05-21"), ("20210521", "noon", "2021-05-21"),
      ("20210521", "251451+0200", "2021-05-21"), ("20210521 ", "131451 ", "2021-05-21T13:14:51"),
      // Zeros stand for a day and a month that are not known (IIM 4.2, 2:55).
      ("20210500", "131451+0200", "2021-05"), ("20210000", nil, "2021"), ("2021", nil, "2021"),
    ] as [(String, String?, String)])
  func `a date is read with its time of day and offset`(date: String, time: String?, iso: String) {
    let iptc = created(date, time)
    #expect(iptc.created?.iso8601 == iso)
    #expect(iptc.unreadable.isEmpty && iptc.digitized == nil)
    let isPartlyRead = ["noon", "251451+0200"].contains(time)
    #expect(iptc.partlyRead == (isPartlyRead ? [.created] : []))
  }

  @Test(arguments: [
    ("20211321", true), ("202105211", true), ("now", true),
    ("00000000", false), ("", false), ("        ", false),
  ])
  func `a date that cannot be read is known from one that is not there`(
    date: String, isUnreadable: Bool
  ) {
    let iptc = created(date, "131451+0200")
    #expect(iptc.created == nil)
    #expect(iptc.unreadable == (isUnreadable ? [.created] : []))
  }

  @Test func `the date of digitization is another`() {
    let iptc = IPTC(
      block: EmbeddedMetadata.iptc([(0x3E, "20210522"), (0x3F, "080910+0100"), (0x37, "18900401")]))
    #expect(iptc.digitized?.iso8601 == "2021-05-22T08:09:10+01:00")
    #expect(iptc.created?.iso8601 == "1890-04-01")
  }

  @Test func `the data is found among Photoshop's resources, over several segments of a JPEG`()
    throws
  {
    let data = EmbeddedMetadata.iptc([(0x37, "20210521")])
    let resources = EmbeddedMetadata.resources(iptc: data)
    #expect(IPTC(block: resources).created?.iso8601 == "2021-05-21")
    let marker = Array("Photoshop 3.0\0".utf8)
    let plain = try Fixtures.data("Colour/srgb.jpg")
    #expect(try photoFile(plain).iptc == IPTC())
    // Each is put before the other segments.
    let second = EmbeddedMetadata.jpeg(plain, marker: 0xED, marker + resources.dropFirst(20))
    let both = EmbeddedMetadata.jpeg(second, marker: 0xED, marker + resources.prefix(20))
    #expect(try photoFile(both).iptc.created?.iso8601 == "2021-05-21")
  }

  @Test func `texts are in UTF-8, or else in Windows-1252`() {
    func text(_ bytes: [UInt8], isMarked: Bool = false) -> String? {
      let mark: [UInt8] = isMarked ? [0x1C, 1, 90, 0, 3, 0x1B, 0x25, 0x47] : []
      return IPTC(block: mark + [0x1C, 2, 120, 0, UInt8(bytes.count)] + bytes).caption
    }
    #expect(text([0x84, 0x4B, 0xF6, 0x93, 0x20, 0x96, 0x20, 0x35, 0x20, 0x80]) == "„Kö“ – 5 €")
    // All characters but five, as Python's codec has them.
    let known = (0x80..<0xA0 as Range<UInt8>)
      .filter { ![0x81, 0x8D, 0x8F, 0x90, 0x9D].contains($0) }
    let characters = text([0x2E] + known + [0x2E])
    #expect(characters == ".€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ.")
    #expect(text([0xC3, 0xB6]) == "ö" && text([0xC3, 0xB6], isMarked: true) == "ö")
    #expect(text([0x4B, 0xF6, 0x80], isMarked: true) == "K\u{FFFD}\u{FFFD}")
  }

  @Test func `the tags of a TIFF are read, in either order of bytes`() throws {
    let data = EmbeddedMetadata.iptc([(0x37, "20210521")])
    let padded = data + [UInt8](repeating: 0, count: (4 - data.count % 4) % 4)
    let swapped = stride(from: 0, to: padded.count, by: 4)
      .flatMap { padded[$0..<($0 + 4)].reversed() }
    let longs = stride(from: 0, to: swapped.count, by: 4).map { at in
      swapped[at..<(at + 4)].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    let file = Array(try Fixtures.data("Colour/rgb.tif"))
    let resources = EmbeddedMetadata.resources(iptc: data)
    for (tag, value) in [
      (0x83BB, .bytes(data)), (0x83BB, .longs(longs)), (0x8649, .bytes(resources)),
    ] as [(UInt16, TIFFBuilder.Value)] {
      var builder = TIFFBuilder()
      builder.main = [(tag, value)]
      #expect(try photoFile(builder.added(to: file)).iptc.created?.iso8601 == "2021-05-21")
    }
  }

  @Test func `no prefix and no damage makes the reader fail`() {
    let data = EmbeddedMetadata.iptc([(0x37, "20210521"), (0x3C, "131451+0200")])
    for block in [data, EmbeddedMetadata.resources(iptc: data)] {
      for count in 0..<block.count { _ = IPTC(block: block.prefix(count)) }
      for index in block.indices {
        for byte: UInt8 in [0, 0x7F, 0x80, 0x88, 0xFF] {
          var damaged = block
          damaged[index] = byte
          _ = IPTC(block: damaged)
        }
      }
    }
    // The lengths of extended data sets.
    for size: UInt8 in [0, 1, 7, 8, 9, 0xFF] {
      let length = [UInt8](repeating: 0xFF, count: Int(size))
      #expect(IPTC(block: [0x1C, 2, 0x37, 0x80, size] + length + data) == IPTC())
    }
    let extended = [0x1C, 2, 0x37, 0x80, 2, 0, 8] + Array("20210521".utf8)
    #expect(IPTC(block: extended).created?.iso8601 == "2021-05-21")
  }
}
