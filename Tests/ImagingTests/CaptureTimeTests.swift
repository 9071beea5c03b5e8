import DiaryModel
import Foundation
import Imaging
import TestSupport
import Testing

@Suite struct EXIFTests {
  private func original(_ date: String, subSecond: String? = nil, offset: String? = nil) -> String?
  {
    var builder = TIFFBuilder()
    builder.exif = [(0x9003, .ascii(date))]
    if let subSecond { builder.exif.append((0x9291, .ascii(subSecond))) }
    if let offset { builder.exif.append((0x9011, .ascii(offset))) }
    return EXIF(block: builder.block).original?.iso8601
  }

  @Test(arguments: [
    ("2024:05:06 07:08:09", "2024-05-06T07:08:09"), ("2024-05-06 07:08:09", "2024-05-06T07:08:09"),
    ("2024-05-06T07:08:09Z", "2024-05-06T07:08:09"),
    ("2024:05:06 07:08:09 PM", "2024-05-06T19:08:09"),
    ("2024:05:06 12:08:09 AM", "2024-05-06T00:08:09"), ("2024:05:06", "2024-05-06"),
    ("2024:05:06 00:00:00", "2024-05-06T00:00:00"), ("2024:05:06   :  :  ", "2024-05-06"),
    ("2024:05:06 7:08:09", "2024-05-06T07:08:09"),
    ("2024-05-06T07:08:09+02:00", "2024-05-06T07:08:09+02:00"),
    ("2024:05:06 07:08:09.25 -07:00", "2024-05-06T07:08:09.250-07:00"),
    ("2024年05月06日 07:08:09", "2024-05-06T07:08:09"),
    (" 2024:05:06 07:08:09 ", "2024-05-06T07:08:09"),
    // The forms that programs write instead.
    ("2015:8:2 1:2:3", "2015-08-02T01:02:03"), ("2013.12.24 14.05.06", "2013-12-24T14:05:06"),
    ("2013:12:24 02:05 PM", "2013-12-24T14:05:00"), ("2018:06:22 14:05 PM", "2018-06-22T14:05:00"),
    ("2013-12-24 2:05:06 p.m.", "2013-12-24T14:05:06"),
    ("2012:10:03 下午03:23:45", "2012-10-03T15:23:45"),
    ("2012:10:03 上午 12:23:45", "2012-10-03T00:23:45"),
    ("2013년 12월 24일 오후 2:05:06", "2013-12-24T14:05:06"),
    ("2013/12/24 午前2時05分06秒", "2013-12-24T02:05:06"),
    ("Thu Aug 16 14:50:41 2013", "2013-08-16T14:50:41"),
    ("Mon Jan  2 15:04:05 CET 2006\n", "2006-01-02T15:04:05"),
    ("2024:05:06 07:08:09 AAAAAAAA", "2024-05-06T07:08:09"),
    ("2024:05:06 07-08-09", "2024-05-06T07:08:09"), ("20240506 070809", "2024-05-06T07:08:09"),
    ("２０１５：０８：２２ ١٠:١١:١٢", "2015-08-22T10:11:12"),
    ("22.05.2015 14:05", "2015-05-22T14:05:00"), ("05/22/2015 2:05:06 PM", "2015-05-22T14:05:06"),
    ("2021: 5:  3 9: 5: 0", "2021-05-03T09:05:00"),
    // Only a part is known.
    ("1978", "1978"), ("1978:05", "1978-05"), ("1978:05:00 00:00:00", "1978-05"),
    ("1978:00:00 00:00:00", "1978"), ("1978:05:   :  :  ", "1978-05"),
    ("2021:  : 3  9: 5: 0", "2021"), ("05/06/2015 10:11:12", "2015"),
    // Padded with blanks.
    ("2021: 5: 3  9: 5: 0", "2021-05-03T09:05:00"), ("2021:05: 3 19:45: 7", "2021-05-03T19:45:07"),
    ("2021: 5: 3", "2021-05-03"), ("2021: 5:13   :  :  ", "2021-05-13"),
  ])
  func `dates as software writes them are read`(text: String, iso: String) {
    #expect(original(text) == iso)
  }

  @Test(arguments: [
    "", "    :  :     :  :  ", "0000:00:00 00:00:00", "2024:13:01 12:00:00", "2023:02:29 12:00:00",
    "12024:05:06 07:08:09", "2024:05:06'); DROP TABLE photo;--", "24:05:06 07:08:09", "now",
    "2021: 53 09:05:00", "1978 roses", "31/31/2015 10:11:12",
  ])
  func `a text that is no date is none`(text: String) {
    #expect(original(text) == nil)
  }

  @Test(arguments: [
    "2015:08:22 24:08:19", "2015:08:22 25:61", "2015:08:22 10:11:60", "2015-08-22T10:60:00",
    "2015:08:22 10", "2015:08:22  9:  : 0", "2015:08:22 ??03:23:45", "2015:08:22 noon",
  ])
  func `a day is kept if its time of day cannot be read`(text: String) {
    var builder = TIFFBuilder()
    builder.exif = [(0x9003, .ascii(text))]
    let exif = EXIF(block: builder.block)
    #expect(exif.original?.iso8601 == "2015-08-22")
    #expect(exif.partlyRead == [.original] && exif.unreadable.isEmpty)
  }

  @Test(
    arguments: [
      ([0xCF, 0xC2, 0xCE, 0xE7], 15), ([0xC9, 0xCF, 0xCE, 0xE7], 3),  // GBK
      ([0xA4, 0x55, 0xA4, 0xC8], 15), ([0xBF, 0xC0, 0xC8, 0xC4], 15),  // Big5, EUC-KR
      ([0x8C, 0xDF, 0x8C, 0xE3], 15), ([0xB8, 0xE1, 0xC1, 0xB0], 3),  // Shift-JIS, EUC-JP
    ] as [([UInt8], Int)])
  func `the half of a day is read in the encodings of its languages`(word: [UInt8], hour: Int) {
    var builder = TIFFBuilder()
    let text = Array("2012:10:03 ".utf8) + word + Array("03:23:45\0".utf8)
    builder.exif = [(0x9003, .bytes(text))]
    #expect(
      EXIF(block: builder.block).original?.iso8601 == "2012-10-03T\(hour == 3 ? "03" : "15"):23:45")
  }

  @Test(arguments: [
    ("2024:13:01 12:00:00", true), ("now", true), ("2024:05:06 25:00:00", false), ("", false),
    ("    :  :     :  :  ", false), ("0000:00:00 00:00:00", false), ("2024:05:06", false),
  ])
  func `a date that cannot be read is known from one that is not there`(
    text: String, isUnreadable: Bool
  ) {
    var builder = TIFFBuilder()
    builder.exif = [(0x9003, .ascii(text)), (0x9004, .ascii(text))]
    let dates: Set<EXIF.Date> = isUnreadable ? [.original, .digitized] : []
    #expect(EXIF(block: builder.block).unreadable == dates)
  }

  @Test(arguments: [
    ("+05:30", "2024-05-06T07:08:09.123+05:30"), ("-12:00", "2024-05-06T07:08:09.123-12:00"),
    ("Z", "2024-05-06T07:08:09.123Z"), ("+0200", "2024-05-06T07:08:09.123+02:00"),
    ("   :", "2024-05-06T07:08:09.123"), ("nonsense", "2024-05-06T07:08:09.123"),
    // No place has these.
    ("+18:00", "2024-05-06T07:08:09.123"), ("+02:07", "2024-05-06T07:08:09.123"),
  ])
  func `the offset of the original is taken as it was written`(offset: String, iso: String) {
    #expect(original("2024:05:06 07:08:09", subSecond: "123", offset: offset) == iso)
  }

  @Test func `OffsetTime is not the offset of the original`() {
    var builder = TIFFBuilder()
    builder.exif = [(0x9003, .ascii("2024:05:06 07:08:09")), (0x9010, .ascii("+09:00"))]
    #expect(EXIF(block: builder.block).original?.iso8601 == "2024-05-06T07:08:09")
  }

  @Test func `either byte order is read, with and without the marker`() {
    var builder = TIFFBuilder()
    builder.isLittleEndian = false
    builder.exif = [(0x9004, .ascii("2024:05:06 07:08:09")), (0x9012, .ascii("+01:00"))]
    #expect(EXIF(block: builder.block).digitized?.iso8601 == "2024-05-06T07:08:09+01:00")
    let marked = Array("Exif\0\0".utf8) + builder.block
    #expect(EXIF(block: marked).digitized?.iso8601 == "2024-05-06T07:08:09+01:00")
  }

  @Test func `DateTime has a fraction and an offset of its own`() {
    var builder = TIFFBuilder()
    builder.main = [(0x0132, .ascii("2024:05:06 07:08:09"))]
    #expect(EXIF(block: builder.block).changed?.iso8601 == "2024-05-06T07:08:09")
    builder.exif = [
      (0x9003, .ascii("2024:05:05 10:00:00")), (0x9010, .ascii("+09:00")), (0x9290, .ascii("25")),
    ]
    let exif = EXIF(block: builder.block)
    #expect(exif.changed?.iso8601 == "2024-05-06T07:08:09.250+09:00")
    #expect(exif.original?.iso8601 == "2024-05-05T10:00:00")
    builder.main = [(0x0132, .ascii("2024:13:06 07:08:09"))]
    #expect(EXIF(block: builder.block).unreadable == [.changed])
  }

  @Test func `GPS time is UTC`() {
    var builder = TIFFBuilder()
    builder.gps = [(0x1D, .ascii("2024:05:06")), (0x07, .rationals([(7, 1), (8, 1), (95, 10)]))]
    #expect(EXIF(block: builder.block).gps?.iso8601 == "2024-05-06T07:08:09.500Z")
    builder.gps = [(0x1D, .ascii("2024:05:06")), (0x07, .rationals([(7, 0), (8, 1), (9, 1)]))]
    #expect(EXIF(block: builder.block).gps?.iso8601 == "2024-05-06")
    #expect(EXIF(block: builder.block).partlyRead.isEmpty)
    builder.gps = [(0x1D, .ascii("2024:05:06")), (0x07, .rationals([(25, 1), (8, 1), (9, 1)]))]
    #expect(EXIF(block: builder.block).gps?.iso8601 == "2024-05-06")
    #expect(EXIF(block: builder.block).partlyRead == [.gps])
    builder.gps = [(0x1D, .ascii("2024:05:06"))]
    #expect(EXIF(block: builder.block).gps?.iso8601 == "2024-05-06")
    // A receiver that does not know the seconds.
    builder.gps = [(0x1D, .ascii("2024:05:06")), (0x07, .rationals([(7, 1), (8, 1), (0, 0)]))]
    #expect(EXIF(block: builder.block).gps?.iso8601 == "2024-05-06T07:08:00Z")
    builder.gps = [(0x1D, .ascii("2024:13:06")), (0x07, .rationals([(7, 1), (8, 1), (0, 1)]))]
    #expect(EXIF(block: builder.block).gps == nil)
    #expect(EXIF(block: builder.block).unreadable == [.gps])
  }

  @Test func `no prefix of a block makes the reader fail`() {
    var builder = TIFFBuilder()
    builder.main = [(0x010F, .ascii("A camera of long standing"))]
    builder.exif = [(0x9003, .ascii("2024:05:06 07:08:09"))]
    builder.gps = [(0x1D, .ascii("2024:05:06")), (0x07, .rationals([(7, 1), (8, 1), (9, 1)]))]
    let block = builder.block
    for count in 0..<block.count { _ = EXIF(block: block.prefix(count)) }
    for index in block.indices {
      var damaged = block
      damaged[index] = 0xFF
      _ = EXIF(block: damaged)
    }
    #expect(EXIF(block: block).original != nil)
  }

  @Test func `a directory that points to itself is read once`() {
    var builder = TIFFBuilder()
    builder.main = [(0x8769, .long(8)), (0x8825, .long(8))]
    #expect(EXIF(block: builder.block) == EXIF())
  }
}

@Suite struct FileNameDateTests {
  @Test(arguments: [
    ("IMG_20210724_114040.jpg", "2021-07-24T11:40:40"),
    ("20210521T132131+0100.jpg", "2021-05-21T13:21:31+01:00"),
    ("20210521T132131Z.jpg", "2021-05-21T13:21:31Z"),
    ("PXL_20210518_205931163.jpg", "2021-05-18T20:59:31.163Z"),
    ("2021-05-21 13.21.31.jpg", "2021-05-21T13:21:31"),
    ("WhatsApp Image 2021-05-21 at 13.21.31.jpeg", "2021-05-21T13:21:31"),
    ("Screenshot_20210521-132131_App.png", "2021-05-21T13:21:31"),
    ("signal-2021-05-21-132131.jpg", "2021-05-21T13:21:31"),
    ("20210521132131.jpg", "2021-05-21T13:21:31"),
    ("20210521_132131(1).jpg", "2021-05-21T13:21:31"),
    ("2021_05_21_13_21_31.jpg", "2021-05-21T13:21:31"),
    ("cam1-2021-05-21T13:21:31-0700.jpg", "2021-05-21T13:21:31-07:00"),
    ("plant7_20210521_132131.jpg", "2021-05-21T13:21:31"),
    ("pxl_20210518_205931163.jpg", "2021-05-18T20:59:31.163Z"),
    ("2021-05-21_13-14-51_UTC.jpg", "2021-05-21T13:14:51Z"),
    ("2021-05-21 13:14:51 +0200.jpg", "2021-05-21T13:14:51+02:00"),
    ("Zrzut ekranu 2021-05-21 o 13.14.51.png", "2021-05-21T13:14:51"),
    ("Imagem do WhatsApp de 2021-05-21 à(s) 13.14.51_0a2b.jpg", "2021-05-21T13:14:51"),
    ("plant7_1_2021_05_21_13_21_31.jpg", "2021-05-21T13:21:31"),
    ("2021-05-21T13-21-31.123Z.jpg", "2021-05-21T13:21:31.123Z"),
    // Sizes, counters and numbers of cameras are no offsets.
    ("20210521_132131-1024x768.jpg", "2021-05-21T13:21:31"),
    ("20210521_132131-1200.jpg", "2021-05-21T13:21:31"),
    ("20210521-132131-0001.jpg", "2021-05-21T13:21:31"),
    ("20210521T132131-0001.jpg", "2021-05-21T13:21:31"),
    ("20210521T132131-1200x900.jpg", "2021-05-21T13:21:31"),
    ("20210521T132131+1500.jpg", "2021-05-21T13:21:31"),
    // Twelve hours, and other languages.
    ("WhatsApp Image 2021-05-21 at 10.33.22 PM.jpeg", "2021-05-21T22:33:22"),
    ("Screenshot 2021-05-21 at 12.33.22\u{202F}AM.png", "2021-05-21T00:33:22"),
    ("Screenshot 2021-05-21 at 9.12.10 PM.png", "2021-05-21T21:12:10"),
    ("Screenshot 2021-05-21 at 12.12.10 PM (2).png", "2021-05-21T12:12:10"),
    ("WhatsApp Bild 2021-05-21 um 14.33.22.jpg", "2021-05-21T14:33:22"),
    ("20210521_103322 pmerian.jpg", "2021-05-21T10:33:22"),
    ("Screenshot 2023-09-28 at 3.36.25 p.m..png", "2023-09-28T15:36:25"),
    ("Captura de pantalla 2024-08-08 a las 11.31.38 p. m..png", "2024-08-08T23:31:38"),
    ("Captura de Tela 2024-08-08 às 11.31.38.png", "2024-08-08T11:31:38"),
    ("Capture d’écran 2024-08-08 a\u{300} 11.31.38.png", "2024-08-08T11:31:38"),
    ("WhatsApp_Image_2021-05-21_at_10.33.22_PM.jpeg", "2021-05-21T22:33:22"),
    ("WhatsApp Image 2021-05-21 at 10.33.22 PM copy.jpeg", "2021-05-21T22:33:22"),
    ("WhatsApp Bild 2021-05-21 um 12.33.22 am Fenster.jpg", "2021-05-21T12:33:22"),
    ("2021-05-21 10.33.22 PM.jpg", "2021-05-21T22:33:22"),
    // Neither halves of a day nor Z.
    ("20210521_123322 am Fenster.png", "2021-05-21T12:33:22"),
    ("20210521_123322_am_Teich.png", "2021-05-21T12:33:22"),
    ("20210521_103322pm_1.jpg", "2021-05-21T22:33:22"),
    ("2021-05-21 01.14.51 PM (2).jpg", "2021-05-21T13:14:51"),
    ("2021-05-21T13-14-51-123Z.jpg", "2021-05-21T13:14:51.123Z"),
    ("20210522_103322_PM2.5.png", "2021-05-22T10:33:22"),
    ("20210523_132131Zinnia.png", "2021-05-23T13:21:31"),
    // Offsets that no place has.
    ("20210521T132131-0000.jpg", "2021-05-21T13:21:31"),
    ("20210521T132131-0030.jpg", "2021-05-21T13:21:31"),
    ("20210521T132131+0045.jpg", "2021-05-21T13:21:31"),
    ("20210521T132131-0330.jpg", "2021-05-21T13:21:31-03:30"),
    ("20210521T132131+0545.jpg", "2021-05-21T13:21:31+05:45"),
    ("2021-05-21T13:21:31.123456+00:00.jpg", "2021-05-21T13:21:31.123Z"),
    ("2021-05-21T13:21:31,5-07:00.jpg", "2021-05-21T13:21:31.500-07:00"),
    // Milliseconds since 1970, as messengers write them.
    ("1589365431123.jpg", "2020-05-13T10:23:51.123Z"),
    ("mmexport1589365431123.jpg", "2020-05-13T10:23:51.123Z"),
    ("FB_IMG_1589365431123.jpg", "2020-05-13T10:23:51.123Z"),
    ("1589365431123-1.jpg", "2020-05-13T10:23:51.123Z"),
    ("1589365431000(2).jpg", "2020-05-13T10:23:51Z"),
    // Seconds, as cameras and scripts write them.
    ("1589365431.jpg", "2020-05-13T10:23:51Z"), ("cam1_1589365431.jpg", "2020-05-13T10:23:51Z"),
    ("1589365431-02.jpg", "2020-05-13T10:23:51Z"),
    // Other separators, and letters for units.
    ("img_2026-03-01--12-10-00.jpg", "2026-03-01T12:10:00"),
    ("2026-03-01_-_12.10.00.jpg", "2026-03-01T12:10:00"),
    ("2026-03-01 - 12-10-00.jpg", "2026-03-01T12:10:00"),
    ("20260301__121000.jpg", "2026-03-01T12:10:00"),
    ("frame_2026-03-01_12h10m00s.jpg", "2026-03-01T12:10:00"),
    ("frame_2026-03-01_12h10m05s_cam2.jpg", "2026-03-01T12:10:05"),
    ("2026-03-01_12h10m.jpg", "2026-03-01T12:10:00"), ("20260301-12h10.jpg", "2026-03-01T12:10:00"),
    ("2026-03-01 12h10min.jpg", "2026-03-01T12:10:00"),
    // Hours and minutes alone.
    ("2021-05-03 14.05.jpg", "2021-05-03T14:05:00"),
    ("2021-05-03 14.05 (2).jpg", "2021-05-03T14:05:00"),
    ("20210503 14.05.jpg", "2021-05-03T14:05:00"),
    ("2021-05-03 14:05 roses.jpg", "2021-05-03T14:05:00"),
    ("2021-05-03T14:05.jpg", "2021-05-03T14:05:00"),
    ("20210503T1405.jpg", "2021-05-03T14:05:00"),
    ("20210503T1405+0200.jpg", "2021-05-03T14:05:00+02:00"),
    ("2021-05-03T14-05.jpg", "2021-05-03T14:05:00"),
    ("Foto 2021-05-03 um 14.05.jpg", "2021-05-03T14:05:00"),
    ("Photo 2021-05-03 at 2.05 PM.jpg", "2021-05-03T14:05:00"),
    ("2021-05-03 02.05 PM.jpg", "2021-05-03T14:05:00"),
  ])
  func `a name's time is read`(name: String, iso: String) {
    #expect(FileNameDate(name: name)?.recorded.iso8601 == iso)
  }

  @Test(arguments: [
    ("IMG-20210521-WA0003.jpg", "2021-05-21"), ("2021-05-21.jpg", "2021-05-21"),
    ("basil 2021.05.21 before lunch.png", "2021-05-21"),
    // Half of the day in a language that is not known here.
    ("Στιγμιότυπο 2021-05-21, 3.36.25 μ.μ..png", "2021-05-21"),
    ("Screenshot 2021-05-21 at 3.36.25 em.png", "2021-05-21"),
    // Afternoon or initials.
    ("IMG_20210521_011451_PM.jpg", "2021-05-21"),
    ("2021-05-21_01-14-51_PM-edited.jpg", "2021-05-21"),
    // Counters, ranges, prices and lengths rather than hours and minutes.
    ("20210503_1405.jpg", "2021-05-03"), ("2021-05-03_10-12.jpg", "2021-05-03"),
    ("2021-05-03 10-12.jpg", "2021-05-03"),
    ("2021-05-03 12.50 cm.jpg", "2021-05-03"),
    ("2021-05-03 12.50cm.jpg", "2021-05-03"),
    ("2021-05-03 25.10.jpg", "2021-05-03"),
    ("2021-05-03 12.75.jpg", "2021-05-03"),
    ("2021-05-03 2.05.jpg", "2021-05-03"),
    ("2021-05-03 12.5.jpg", "2021-05-03"),
    ("2021-05-03 at 12.345.jpg", "2021-05-03"),
    ("2021-05-03T1405x900.jpg", "2021-05-03"),
  ])
  func `a name may tell the day alone`(name: String, iso: String) {
    #expect(FileNameDate(name: name)?.recorded.iso8601 == iso)
  }

  @Test(arguments: [
    "IMG_0001.JPG", "DSC01234.ARW", "20211321.jpg", "20210230_101010.jpg", "123456789012345678.jpg",
    "IMG_99999999.jpg", "monstera.jpg", "2021.jpg", "12021-05-21.jpg",
    "2021-05_21.jpg", "", "31-02-2021.jpg", "13-14-2021.jpg", "v1.2.2021.jpg", "1.21.05.2021.jpg",
    "21-05_2021.jpg", "21-05-1821.jpg", "121-05-2021.jpg", "21-05-20210.jpg",
    // Before 2008 and after 2033 they are numbers of goods.
    "1199999999.jpg", "2000000000.jpg", "4006381333.jpg", "1589365431a.jpg", "1199999999999.jpg",
    "2000000000000.jpg", "4006381333931.jpg",
    "15893654311234.jpg", "1589365431123a.jpg", "3f1589365431123.jpg",
  ])
  func `a number that is no date is none`(name: String) {
    #expect(FileNameDate(name: name) == nil)
    #expect(FileNameDate(name: name, order: .dayFirst) == nil)
  }

  @Test(arguments: [
    ("21-05-2021.jpg", "2021-05-21"), ("IMG 21.05.2021 roses.jpg", "2021-05-21"),
    ("21_05_2021_12_30_15.png", "2021-05-21T12:30:15"), ("05-21-2021.jpg", "2021-05-21"),
    ("WhatsApp Image 21-05-2021 at 13.14.51.jpeg", "2021-05-21T13:14:51"),
    ("5.5.2021.jpg", "2021-05-05"), ("05-06-2021.jpg", "2021"), ("5.6.2021 2.jpg", "2021"),
  ])
  func `a year may be last, where the numbers tell which is the day`(name: String, iso: String) {
    #expect(FileNameDate(name: name)?.recorded.iso8601 == iso)
  }

  @Test func `the other names of a folder tell which number is the day, if they agree`() throws {
    let name = "05-06-2021 12.30.jpg"
    for (others, iso) in [
      (["21-05-2021.jpg", "30.4.2021.jpg", "IMG_1.jpg"], "2021-06-05T12:30:00"),
      (["05-21-2021.jpg"], "2021-05-06T12:30:00"), (["21-05-2021.jpg", "05-21-2021.jpg"], "2021"),
      (["01-02-2021.jpg", "2021-05-21.jpg"], "2021"),
    ] {
      let order = FileNameDate.order(ofNames: others + [name])
      #expect(FileNameDate(name: name, order: order)?.recorded.iso8601 == iso)
      // It never changes what a name says itself.
      #expect(FileNameDate(name: "05-21-2021.jpg", order: order)?.recorded.iso8601 == "2021-05-21")
    }
  }
}

@Suite struct FolderDateTests {
  @Test(arguments: [
    ("2026-11-25", "10-00-00.jpg", "2026-11-25T10:00:00"),
    ("2026/11/25", "10-00-00.jpg", "2026-11-25T10:00:00"),
    ("20261125", "cam1_10h00m05s.jpg", "2026-11-25T10:00:05"),
    ("2026-11/25", "100005.jpg", "2026-11-25T10:00:05"),
    ("2026.11.25", "10_00_05-3.jpg", "2026-11-25T10:00:05"),
    ("tomato/2026/11/25/10", "10-15.jpg", "2026-11-25T10:15:00"),
    ("2026/2026-11/2026-11-25", "IMG_0001.jpg", "2026-11-25"),
    ("2026-11-25", "000123.jpg", "2026-11-25"), ("2026-11-25", "frame_0007.jpg", "2026-11-25"),
    // The name's own date comes first.
    ("2026-11-25", "20261124_235959.jpg", "2026-11-24T23:59:59"),
    ("2026-11-25", "1589365431.jpg", "2020-05-13T10:23:51Z"),
    ("2026-11-25 Balcony", "IMG_0001.jpg", "2026-11-25"),
    ("20261125_Balcony", "10-00-00.jpg", "2026-11-25T10:00:00"),
  ])
  func `the date of a folder joins the time of a name`(
    folders: String, name: String, iso: String
  ) {
    let date = FileNameDate(name: name, in: folders.split(separator: "/").map(String.init))
    #expect(date?.recorded.iso8601 == iso)
  }

  @Test(arguments: [
    "2026-11", "2026", "tomato", "11/25", "tomato/7", "2026-13-25", "2026/13/25", "2026-02-30",
    "2026-11-25basil", "1234-05-06", "20261125/basil", "2026-11 basil", "1984 rose",
    "2026-11-25 basil/leaf",
  ])
  func `folders that are no day have none`(folders: String) {
    let folders = folders.split(separator: "/").map(String.init)
    #expect(FileNameDate(name: "10-00-00.jpg", in: folders) == nil)
  }

  @Test(arguments: [
    ("tomato/2026-11-25", 1, nil), ("tomato/2026/11/25", 3, nil),
    ("tomato/2026/2026-11/2026-11-25", 1, nil), ("tomato/2026-11-25/10", 2, nil),
    ("tomato/2026", 1, nil), ("2026-11-25 Balcony", 1, "Balcony"),
    ("2026-11 – Balcony", 1, "Balcony"),
    ("20261125_Old oak", 1, "Old oak"), ("2026_11_25 Balcony", 1, "Balcony"),
  ])
  func `a folder's date leaves the rest of its name`(folders: String, depth: Int, name: String?) {
    let date = FolderDate(folders: folders.split(separator: "/").map(String.init))
    #expect(date?.depth == depth && date?.name == name)
  }

  @Test(arguments: [
    "tray/7", "2026/tomato", "1984 rose", "2026-13-01 basil", "2026-11-25 ",
    "20261125_103000", "2026-11-25_2026-11-26",
  ])
  func `other folders are no date`(folders: String) {
    #expect(FolderDate(folders: folders.split(separator: "/").map(String.init)) == nil)
  }
}

@Suite struct CaptureTimeEvidenceTests {
  private let now = Timestamp(milliseconds: 1_760_000_000_000)  // October 2025

  private func evidence() throws -> CaptureTimeEvidence {
    var evidence = CaptureTimeEvidence(modified: Timestamp(milliseconds: 1_700_000_000_000))
    evidence.sidecar = RecordedTime("2025-01-01T10:00")
    evidence.exif.original = RecordedTime("2025-01-02T10:00")
    evidence.exif.digitized = RecordedTime("2025-01-03T10:00")
    evidence.embeddedXMP = RecordedTime("2025-01-04T10:00")
    evidence.iptc.created = RecordedTime("2025-01-08T10:00")
    evidence.iptc.digitized = RecordedTime("2025-01-09T10:00")
    evidence.exif.changed = RecordedTime("2025-01-10T10:00")
    evidence.exif.gps = RecordedTime("2025-01-05T10:00Z")
    evidence.takeout = RecordedTime("2025-01-06T10:00Z")
    evidence.fileName = FileNameDate(name: "20250107_100000.jpg")
    return evidence
  }

  @Test(arguments: [
    ("2025-01-02T10:00:00-07:00", "2025-01-02T10:00:00-07:00", CaptureSource.exif),
    ("2025-01-02T10:00:00.900", "2025-01-02T10:00:00.900", .exif),
    ("2025-01-02T10:00:01-07:00", "2025-01-02T10:00:00", .sidecar),
    ("2025-01-02T10:00:00", "2025-01-02T10:00:00", .sidecar),
  ])
  func `a sidecar takes no offset and no fraction from what EXIF says`(
    exif: String, iso: String, source: CaptureSource
  ) throws {
    var evidence = CaptureTimeEvidence(modified: now)
    evidence.sidecar = RecordedTime("2025-01-02T10:00:00")
    evidence.exif.original = RecordedTime(exif)
    let time = evidence.resolve(now: now).0
    #expect(time.recorded.iso8601 == iso && time.source == source)
  }

  @Test func `a day alone gives way to its time of day, or stays a day with a warning`() throws {
    var evidence = CaptureTimeEvidence(modified: now)
    evidence.sidecar = RecordedTime("2025-01-02")
    let (alone, warnings) = evidence.resolve(now: now)
    #expect(alone.recorded.iso8601 == "2025-01-02" && warnings == [.dateWithoutTime])
    evidence.exif.original = RecordedTime("2025-01-02T10:00:00")
    let (fuller, none) = evidence.resolve(now: now)
    #expect(fuller.recorded.iso8601 == "2025-01-02T10:00:00" && none.isEmpty)
    evidence.exif.original = RecordedTime("2025-01-03T10:00:00")
    #expect(evidence.resolve(now: now).0.source == .sidecar)
  }

  @Test func `a sidecar that only knows when the file was made does not overrule EXIF`() throws {
    var evidence = CaptureTimeEvidence(modified: now)
    evidence.exif.original = RecordedTime("2025-01-02T10:00:00")
    let time = RecordedTime("2025-01-03T10:00:00")
    evidence.take(SidecarFacts(time: time, isCaptureTime: false), from: .sidecar)
    #expect(evidence.resolve(now: now).0.source == .exif)
    evidence.exif.original = nil
    evidence.exif.digitized = RecordedTime("2025-01-02T10:00:00")
    #expect(evidence.resolve(now: now).0.source == .sidecar)
  }

  @Test(arguments: [
    "1970-01-01T00:07:12", "1970-01-02T00:10:21", "1970-01-31T23:59:59", "1969-12-31T16:00:00",
    "1980-01-01T12:00:00", "1980-01-06T00:00:37Z",
  ])
  func `a clock that was never set is no evidence, however long it has run`(text: String) throws {
    #expect(
      CaptureTimeEvidence.doubt(about: try #require(RecordedTime(text)), now: now) == .dateUnset)
  }

  @Test func `dates in January 1970 are believed from people, not from a file's time`() throws {
    var evidence = CaptureTimeEvidence(modified: Timestamp(milliseconds: 86_400_000 * 3))
    #expect(evidence.resolve(now: now).0.recorded == .instant(now))
    #expect(evidence.resolve(now: now).1 == [.dateIsImportTime])
    // Where the present is not known either, the file's is all there is.
    let unknown = evidence.resolve(now: Timestamp(milliseconds: .max))
    #expect(unknown.0.recorded == .instant(evidence.modified))
    evidence.sidecar = RecordedTime("1970-01-20T12:00:00")
    #expect(evidence.resolve(now: now).0.source == .sidecar)
    evidence.sidecar = nil
    evidence.exif.original = RecordedTime("1970-01-20T12:00:00")
    #expect(evidence.resolve(now: now).0.source == .mtime)
  }

  @Test(arguments: [
    ("2000-01-01T00:00:09", true), ("2000-01-09T05:00:00", true), ("2001-01-01T00:00:00", true),
    ("2010-01-01T00:00:05", true), ("2000-01-10T00:00:00", false), ("2002-01-01T00:00:00", false),
  ])
  func `the first days of years from which cameras count are doubtful`(
    text: String, isDoubtful: Bool
  ) {
    var evidence = CaptureTimeEvidence(modified: now)
    evidence.exif.original = RecordedTime(text)
    let (time, warnings) = evidence.resolve(now: now)
    #expect(time.recorded.iso8601 == text)
    #expect(warnings == (isDoubtful ? [.dateMayBeUnset] : []))
    evidence.sidecar = evidence.exif.original
    #expect(evidence.resolve(now: now).1.isEmpty)
  }

  @Test func `a day takes the time of day of a file of that day`() throws {
    let day = try #require(LocalDay("2025-05-06"))
    let modified = try #require(LocalDateTime(day: day, hour: 7, minute: 8))
    var evidence = CaptureTimeEvidence(modified: now)
    for (name, time, warning) in [
      ("tl_20250506_1210.jpg", "2025-05-06T07:08:00", ImportWarning.timeIsFileTime),
      ("tl_20250507_1210.jpg", "2025-05-07", .dateWithoutTime),
    ] {
      evidence.fileName = FileNameDate(name: name)
      evidence.fileName?.take(timeOfFile: modified)
      let (found, warnings) = evidence.resolve(now: now)
      #expect(found.recorded.iso8601 == time)
      #expect(found.source == .filename)
      #expect(warnings == [warning])
    }
  }

  @Test func `a sidecar takes no offset that puts it in the future`() throws {
    var evidence = CaptureTimeEvidence(modified: now)
    evidence.sidecar = RecordedTime("2025-10-09T20:53:00")
    evidence.exif.original = RecordedTime("2025-10-09T20:53:00+00:00")
    let (time, warnings) = evidence.resolve(now: now)  // 08:53 UTC
    #expect(time.recorded.iso8601 == "2025-10-09T20:53:00" && warnings.isEmpty)
  }

  @Test func `the most trusted source wins, one after the other`() throws {
    var evidence = try evidence()
    var order: [CaptureSource] = []
    var days: [Int] = []
    let takeAway: [(inout CaptureTimeEvidence) -> Void] = [
      { $0.sidecar = nil }, { $0.exif.original = nil }, { $0.exif.digitized = nil },
      { $0.embeddedXMP = nil }, { $0.iptc.created = nil }, { $0.iptc.digitized = nil },
      { $0.exif.gps = nil }, { $0.takeout = nil }, { $0.fileName = nil }, { $0.exif.changed = nil },
    ]
    for remove in takeAway {
      let (time, warnings) = evidence.resolve(now: now)
      order.append(time.source)
      days.append(EntryTime(time.recorded, in: .gmt).localDay.civil.day)
      #expect(warnings == (evidence.fileName == nil ? [.dateIsChangeTime] : []))
      remove(&evidence)
    }
    let (last, warnings) = evidence.resolve(now: now)
    #expect(
      order == [.sidecar, .exif, .exif, .xmp, .iptc, .iptc, .gps, .takeout, .filename, .exif])
    #expect(days == [1, 2, 3, 4, 8, 9, 5, 6, 7, 10])
    #expect(last.source == .mtime)
    #expect(last.recorded.iso8601 == "2023-11-14T22:13:20Z")
    #expect(warnings == [.dateIsFileTime])
  }

  @Test func `a packet that only knows when the file was made does not overrule IPTC data`() throws
  {
    var evidence = CaptureTimeEvidence(modified: now)
    evidence.iptc.created = RecordedTime("2025-01-02")
    evidence.iptc.digitized = RecordedTime("2025-01-03T10:00")
    let time = RecordedTime("2025-01-04T10:00")
    evidence.take(SidecarFacts(time: time, isCaptureTime: false), from: .xmp)
    let (found, warnings) = evidence.resolve(now: now)
    #expect(found.recorded.iso8601 == "2025-01-02" && warnings == [.dateWithoutTime])
    evidence.iptc.created = nil
    evidence.iptc.unreadable = [.created]
    let (packet, doubts) = evidence.resolve(now: now)
    #expect(packet.recorded.iso8601 == "2025-01-04T10:00:00" && doubts == [.dateUnreadable])
    evidence.take(SidecarFacts(time: time), from: .xmp)
    #expect(evidence.resolve(now: now).1.isEmpty)
  }

  @Test func `sources that agree with a date of which a part is known complete it`() throws {
    var evidence = CaptureTimeEvidence(modified: now)
    evidence.sidecar = RecordedTime("2024")
    func expect(_ iso: String, _ source: CaptureSource, _ warnings: Set<ImportWarning>) {
      let (found, doubts) = evidence.resolve(now: now)
      #expect(found.recorded.iso8601 == iso && found.source == source && doubts == warnings)
    }
    expect("2024", .sidecar, [.dateWithoutDay])
    // Neither a moment in UTC, nor another year, nor a guess.
    evidence.exif.gps = .instant(Timestamp(milliseconds: 1_714_644_000_000))  // 2024-05-02T10:00Z
    evidence.exif.digitized = RecordedTime("2025-05-02T10:00")
    evidence.exif.changed = RecordedTime("2024-05-02T10:00")
    expect("2024", .sidecar, [.dateWithoutDay])
    evidence.iptc.created = RecordedTime("2024-05")
    expect("2024-05", .iptc, [.dateWithoutDay])
    evidence.fileName = FileNameDate(name: "2024-05-02.jpg")
    expect("2024-05-02", .filename, [.dateWithoutTime])
    evidence.fileName = FileNameDate(name: "2024-06-02.jpg")
    expect("2024-05", .iptc, [.dateWithoutDay])
    evidence.exif.original = RecordedTime("2024-05-02T11:00+02:00")
    expect("2024-05-02T11:00:00+02:00", .exif, [])
  }

  @Test func `the date in a sidecar that Leaflog exported is all that was known`() {
    var evidence = CaptureTimeEvidence(modified: now)
    evidence.exif.original = RecordedTime("2024-05-02T10:00")
    for (isExported, iso) in [(false, "2024-05-02T10:00:00"), (true, "2024")] {
      let facts = SidecarFacts(time: RecordedTime("2024"), isExported: isExported)
      evidence.take(facts, from: .sidecar)
      #expect(evidence.resolve(now: now).0.recorded.iso8601 == iso)
    }
  }

  @Test func `a day whose time of day cannot be read is kept, and said`() {
    var evidence = CaptureTimeEvidence(modified: now)
    evidence.exif.original = RecordedTime("2016-02-02")
    evidence.exif.partlyRead = [.original]
    evidence.exif.gps = .instant(Timestamp(milliseconds: 1_454_369_296_000))
    let (found, warnings) = evidence.resolve(now: now)
    #expect(found.recorded.iso8601 == "2016-02-02" && found.source == .exif)
    #expect(warnings == [.clockUnreadable, .dateWithoutTime])
  }

  @Test func `a day from GPS says that it is UTC's`() {
    var evidence = CaptureTimeEvidence(modified: now)
    evidence.exif.gps = RecordedTime("2021-05-01")
    let (found, warnings) = evidence.resolve(now: now)
    #expect(found.recorded.iso8601 == "2021-05-01" && found.source == .gps)
    #expect(warnings == [.dateWithoutTime, .dayIsUTC])
    evidence.fileName = FileNameDate(name: "IMG_20210501_101112.jpg")
    let (fuller, doubts) = evidence.resolve(now: now)
    #expect(fuller.recorded.iso8601 == "2021-05-01T10:11:12" && doubts.isEmpty)
  }

  @Test func `the sidecar of a RAW file dates its JPEG only if nothing else does`() {
    var evidence = CaptureTimeEvidence(modified: now)
    evidence.sidecar = RecordedTime("2024-05-02T10:00")
    evidence.isSidecarOfOther = true
    #expect(evidence.resolve(now: now).0.source == .sidecar)
    evidence.exif.changed = RecordedTime("2024-06-02T10:00")
    #expect(evidence.resolve(now: now).0.source == .sidecar)
    evidence.fileName = FileNameDate(name: "20240503_100000.jpg")
    #expect(evidence.resolve(now: now).0.source == .filename)
    evidence.exif.original = RecordedTime("2024-05-04T10:00")
    #expect(evidence.resolve(now: now).0.recorded.iso8601 == "2024-05-04T10:00:00")
  }

  @Test func `a file's time in the future is not the photo's`() {
    for (ahead, isUsed) in [(59_000, true), (61_000, false), (.max - 1, false)] as [(Int64, Bool)] {
      let modified = now.advanced(byMilliseconds: ahead)
      let (time, warnings) = CaptureTimeEvidence(modified: modified).resolve(now: now)
      #expect(time.recorded == .instant(isUsed ? modified : now) && time.source == .mtime)
      #expect(warnings == [isUsed ? .dateIsFileTime : .dateIsImportTime])
    }
  }

  @Test func `a date that could not be read is passed over, and said`() throws {
    var evidence = try evidence()
    evidence.exif.original = nil
    evidence.exif.unreadable = [.original]
    evidence.take(SidecarFacts(hasUnreadableTime: true), from: .takeout)
    evidence.take(SidecarFacts(time: RecordedTime("2025-01-01T10:00")), from: .sidecar)
    // What is less trusted than the date that was found is of no account.
    #expect(evidence.resolve(now: now).1.isEmpty)
    evidence.sidecar = nil
    let (time, warnings) = evidence.resolve(now: now)
    #expect(time.recorded.iso8601 == "2025-01-03T10:00:00")
    #expect(warnings == [.dateUnreadable])
    var nothing = CaptureTimeEvidence(modified: now)
    nothing.take(SidecarFacts(hasUnreadableTime: true), from: .xmp)
    #expect(nothing.resolve(now: now).1 == [.dateUnreadable, .dateIsFileTime])
  }

  @Test(arguments: [
    ("2099-09-29T10:10", ImportWarning.dateInFuture), ("1970-01-01T00:00", .dateUnset),
    ("1980-01-01T00:00", .dateUnset), ("1825-12-31T10:00", .dateUnset),
  ])
  func `a date that cannot be is passed over, and said`(text: String, warning: ImportWarning) throws
  {
    var evidence = try evidence()
    evidence.sidecar = RecordedTime(text)
    let (time, warnings) = evidence.resolve(now: now)
    #expect(time.source == .exif)
    #expect(warnings == [warning])
  }

  @Test func `the first photograph was taken in 1826`() throws {
    var evidence = try evidence()
    evidence.sidecar = RecordedTime("1826-06-01T12:00")
    #expect(evidence.resolve(now: now).0.recorded.iso8601 == "1826-06-01T12:00:00")
  }

  @Test func `a clock east of here may be ahead, a recorded offset may not`() throws {
    var evidence = try evidence()
    evidence.sidecar = RecordedTime("2025-10-09T20:53")  // 08:53 UTC is now
    #expect(evidence.resolve(now: now).0.source == .sidecar)
    evidence.sidecar = RecordedTime("2025-10-09T20:53Z")
    #expect(evidence.resolve(now: now).0.source == .exif)
    evidence.sidecar = RecordedTime("2025-10-09T20:53+12:00")
    #expect(evidence.resolve(now: now).0.source == .sidecar)
  }
}
