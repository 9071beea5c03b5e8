import DiaryModel
import Foundation
import Imaging
import TestSupport
import Testing

@Suite struct FilmTests {
  /// A canvas of one shade for each frame.
  private func canvas(_ shade: UInt8, _ size: PixelSize) throws -> PixelCanvas {
    try PixelCanvas(size: size, grey: shade)
  }

  private let shades: [UInt8] = [0, 60, 120, 180, 240]

  private func pixel(_ path: String) throws -> Int {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    return Int(try photoFile(data).decode().frame(side: 64).pixel(x: 3, y: 5)[0])
  }

  @Test func `a GIF has its frames in order`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.gif")
    let size = PixelSize(width: 50, height: 30)
    let writer = GIFWriter(path: path, size: size, delays: shades.map { _ in 100 })
    for shade in shades { try writer.write(canvas(shade, size).pixels()) }
    try writer.finish()
    let file = try photoFile(Data(contentsOf: URL(fileURLWithPath: path)))
    #expect(file.pageCount == 5)
    #expect(file.storedSize == size)
    #expect(try pixel(path) <= 4)  // the first
  }

  @Test func `a GIF that cannot be written says so and ends`() throws {
    let size = PixelSize(width: 50, height: 30)
    let writer = GIFWriter(path: "/nowhere/at/all.gif", size: size, delays: [100, 100, 100])
    #expect(throws: ImagingError.self) {
      for _ in 0..<3 { try writer.write(canvas(9, size).pixels()) }
      try writer.finish()
    }
  }

  @Test func `a GIF that is given up ends too`() throws {
    let folder = try TemporaryFolder()
    let size = PixelSize(width: 50, height: 30)
    let writer = GIFWriter(path: folder.file("a.gif"), size: size, delays: [100, 100, 100])
    try writer.write(canvas(9, size).pixels())
    writer.abandon()
    #expect(throws: ImagingError.self) { try writer.finish() }
  }

  @Test func `an animated WebP has its frames, and each its delay`() throws {
    let size = PixelSize(width: 51, height: 33)
    let film = WebPAnimation(size: size)
    let frames = try shades.enumerated().map {
      try film.frame(canvas($1, size), delay: 100 + $0)
    }
    var bytes = film.header(byteCount: 0) + frames.joined()
    bytes.replaceSubrange(
      0..<film.header(byteCount: 0).count, with: film.header(byteCount: bytes.count))
    let file = try photoFile(bytes)
    #expect(file.pageCount == 5)
    #expect(file.storedSize == size)
    // Nothing but what RFC 9649 says lies between the chunks.
    var at = 12
    var delays: [Int] = []
    while at < bytes.count {
      func integer(_ start: Int, _ count: Int) -> Int {
        bytes[start..<(start + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
      }
      if bytes[at..<(at + 4)].elementsEqual("ANMF".utf8) { delays.append(integer(at + 20, 3)) }
      at += 8 + integer(at + 4, 4) + integer(at + 4, 4) % 2
    }
    #expect(at == bytes.count)
    #expect(delays == [100, 101, 102, 103, 104])
  }

  @Test(arguments: Answers.all.orientation)
  func `a frame is upright`(answer: Answers.Picture) throws {
    let frame = try photoFile(Fixtures.data("Orientation/" + answer.path)).frame(side: 100)
    let (width, height) = (frame.size.width, frame.size.height)
    #expect((width > height) == (answer.uprightSize[0] > answer.uprightSize[1]))
    #expect(max(width, height) == 100)
    let pixel = try frame.pixel(x: width / 4, y: height / 4)
    let difference = zip(pixel, answer.quadrants.topLeft).map { abs(Int($0) - $1) }.max()
    #expect(try #require(difference) <= answer.tolerance + 3)
  }

  @Test(arguments: Answers.all.colour)
  func `a frame is in sRGB, of three bands`(answer: Answers.Picture) throws {
    let frame = try photoFile(Fixtures.data("Colour/" + answer.path)).frame(side: 64)
    let pixel = try frame.pixel(x: 3 * frame.size.width / 4, y: frame.size.height / 4)
    #expect(pixel.count == 3)
    let difference = zip(pixel, answer.quadrants.topRight).map { abs(Int($0) - $1) }.max()
    #expect(try #require(difference) <= answer.tolerance + 4)
  }

  @Test func `drawing stays on the canvas`() throws {
    var canvas = try canvas(100, PixelSize(width: 10, height: 8))
    let patch = try PixelCanvas(size: PixelSize(width: 6, height: 6), grey: 200).picture()
    for (x, y) in [(-3, -3), (8, 6), (-20, 2), (2, 30)] {
      try canvas.draw(patch, x: x, y: y, opacity: 0.5)
    }
    let picture = try canvas.picture()
    #expect(try picture.pixel(x: 0, y: 0)[0] == 150)
    #expect(try picture.pixel(x: 9, y: 7)[0] == 150)
    #expect(try picture.pixel(x: 5, y: 4)[0] == 100)
  }

  @Test func `text is drawn, whatever it says`() throws {
    for text in ["2025-04-02", "<b>&amp;", "बीज 🌱"] {
      var canvas = try canvas(0, PixelSize(width: 200, height: 40))
      try canvas.draw(TextMask(text, height: 24), x: 2, y: 2, grey: 255)
      #expect(try canvas.pixels().contains { $0 > 200 })
    }
  }
}
