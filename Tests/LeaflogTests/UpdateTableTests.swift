import BlobStorage
import Foundation
import Imaging
import Leaflog
import TestSupport
import Testing

/// The manual's table of what an update takes over.
@Suite struct UpdateTableTests {
  private struct Line: Sendable, CustomStringConvertible {
    let file: String
    /// What is done with the photo, by policy.
    let kept: [StoragePolicy: String]
    /// What holds the turn, the colours, the density and the words.
    let parts: [Part: String]

    var description: String { file }
  }

  private enum Part: String, CaseIterable {
    case turn = "Turn"
    case colours = "Colours"
    case density = "Density"
    case words = "Words"
  }

  /// The lines of the table in the manual.
  private static let lines: [Line] = {
    let path = Fixtures.checkout + "/Sources/Leaflog/Leaflog.docc/Importing.md"
    let text = FileManager.default.contents(atPath: path).map {
      String(decoding: $0, as: UTF8.self)
    }
    let rows = (text ?? "").split(separator: "\n").map { line in
      line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
        .map { $0.trimmingCharacters(in: .whitespaces) }
    }
    guard let head = rows.firstIndex(where: { $0.last == "Words" }) else { return [] }
    let names = rows[head]
    return rows[(head + 2)...].prefix { $0.count == names.count }.map { cells in
      func cell(_ name: String) -> String { names.firstIndex(of: name).map { cells[$0] } ?? "" }
      return Line(
        file: cells[0],
        kept: [
          .compact: cell("`compact`"), .lossless: cell("`lossless`"), .exact: cell("`exact`"),
        ],
        parts: Dictionary(uniqueKeysWithValues: Part.allCases.map { ($0, cell($0.rawValue)) }))
    }
  }()

  @Test func `the table has all containers and policies`() {
    #expect(
      Self.lines.map(\.file) == ["JPEG", "PNG", "TIFF", "WebP", "GIF", "HEIC, AVIF", "JPEG XL"])
    for line in Self.lines {
      #expect(line.kept[.compact] == "new copy")
      #expect(line.kept[.lossless] == (line.file == "JPEG" ? "packed again" : "replaced"))
      #expect(line.kept[.exact] == "replaced")
    }
  }

  @Test(
    .enabled(if: ExifTool.isInstalled), arguments: lines,
    [StoragePolicy.compact, .lossless, .exact])
  private func `an update takes over what the table says`(
    line: Line, policy: StoragePolicy
  ) async throws {
    for container in line.file.split(separator: ", ").map(String.init) {
      for part in Part.allCases {
        let cell = line.parts[part] ?? ""
        guard cell != "none" else { continue }
        // What is in the picture comes last.
        if !cell.hasPrefix("another photo") {
          try await expectTaken(container, part, policy)
        }
        if cell.hasSuffix("another photo") {
          try await expectAnotherPhoto(container, part, policy)
        }
      }
    }
  }

  private func expectTaken(
    _ container: String, _ part: Part, _ policy: StoragePolicy
  ) async throws {
    let note = Comment(rawValue: "\(container), \(part.rawValue), \(policy)")
    let fixture = try LibraryFixture(policy: policy)
    let name = "photos/a." + Self.ending(of: container)
    let path = try fixture.folder.write(Self.file(container), to: name)
    let id = try #require(try await fixture.run().outcomes.list.first?.added?.id, note)
    let before = try fixture.library.photos.find(id)
    let role = try #require(before.renditions.map(\.role).first { $0 != .thumbnail })
    switch policy {
    case .compact where ["JPEG", "PNG"].contains(container): #expect(role == .master, note)
    case .compact: break
    case .lossless where container == "JPEG": #expect(role == .packed, note)
    case .lossless, .exact: #expect(role == .original, note)
    }
    try Self.change(part, of: container, at: path, in: fixture.folder)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    for _ in 1...2 {
      let outcome = try #require(try await fixture.run().outcomes.list.first)
      #expect(outcome.result == .duplicate(id) && outcome.warnings == [.otherMetadata], note)
    }
    #expect(try await fixture.run { $0.updatesPhotos = true }.summary.updated == 1, note)
    let after = try fixture.library.photos.find(id)
    #expect(
      after.entry.photo?.sourceDigest == bytes.withUnsafeBytes { BlobID(hashing: $0) }, note)
    #expect(after.entry.photo?.sourceByteCount == bytes.count, note)
    let kept = try #require(after.renditions.first { $0.role != .thumbnail })
    #expect(kept.role == role, note)
    if role == .original { #expect(kept.blob == after.entry.photo?.sourceDigest, note) }
    try expectShown(part, after, insteadOf: before, note)
    #expect(try await fixture.run().outcomes.list.map(\.warnings) == [[]], note)
    _ = try fixture.library.history.undo(.importPhotos)
    let former = try fixture.library.photos.find(id)
    #expect(former.renditions == before.renditions && former.entry == before.entry, note)
    // What was undone can be taken over again.
    #expect(try await fixture.run().outcomes.list.map(\.warnings) == [[.otherMetadata]], note)
    #expect(try await fixture.run { $0.updatesPhotos = true }.summary.updated == 1, note)
    let again = try fixture.library.photos.find(id)
    #expect(again.renditions == after.renditions && again.entry == after.entry, note)
  }

  private func expectShown(
    _ part: Part, _ after: Photo, insteadOf before: Photo, _ note: Comment
  ) throws {
    let (size, former) = try (
      #require(after.entry.photo?.size), #require(before.entry.photo?.size)
    )
    let isTurned = size == PixelSize(width: former.height, height: former.width)
    #expect(isTurned == (part == .turn), note)
    func shape(_ photo: Photo) -> Bool? {
      photo.renditions.first { $0.role == .thumbnail }.map { $0.size.width > $0.size.height }
    }
    #expect((shape(after) == shape(before)) == (part != .turn), note)
    if part == .words { #expect(after.entry.notes == "aphids", note) }
  }

  private func expectAnotherPhoto(
    _ container: String, _ part: Part, _ policy: StoragePolicy
  ) async throws {
    let note = Comment(rawValue: "\(container), \(part.rawValue), \(policy)")
    let file = try Self.file(container)
    guard container == "HEIC" else {
      // Without a program that changes it, one bit of it stands for the change.
      var changed = file
      let at = try #require(
        container == "AVIF"
          ? changed.firstRange(of: Data("ispe".utf8))?.upperBound
          : changed.firstRange(of: Data([0xFF, 0x0A]))?.upperBound, note)
      changed[at + 3] ^= 1
      #expect(try Self.picture(of: changed) != Self.picture(of: file), note)
      return
    }
    var builder = HEIFBuilder()
    switch part {
    case .turn: builder.quarterTurns = 1
    default: builder.profile = EmbeddedMetadata.profile(ofJPEG: try Fixtures.data(Self.p3))
    }
    let fixture = try LibraryFixture(policy: policy)
    try fixture.folder.write(file, to: "photos/a.heic")
    _ = try await fixture.run()
    try fixture.folder.write(
      Data(builder.file(Fixtures.data("Colour/photo.heic"))), to: "photos/a.heic")
    #expect(try await fixture.run { $0.updatesPhotos = true }.summary.added == 1, note)
  }

  private static let p3 = "Colour/display-p3.jpg"

  private static func picture(of file: Data) throws -> BlobID? {
    let bytes = SharedBytes(copying: file)
    guard case .image(let format) = bytes.withUnsafeBytes({ FileType(head: $0) }) else {
      return nil
    }
    return PictureData.ranges(of: bytes, format).map { BlobID(hashing: $0, of: bytes) }
  }

  private static func ending(of container: String) -> String {
    switch container {
    case "JPEG": "jpg"
    case "TIFF": "tif"
    case "JPEG XL": "jxl"
    default: container.lowercased()
    }
  }

  private static func file(_ container: String) throws -> Data {
    switch container {
    case "JPEG": OrientationTag.set(1, in: try Fixtures.data("Photos/monstera/IMG_0001.jpg"))
    case "PNG": Data(wavyPNG)
    case "TIFF": try Fixtures.data("Colour/sixteen-bit.tif")
    case "WebP": try Fixtures.data("Colour/lossless.webp")
    case "GIF": try Fixtures.data("Colour/animated.gif")
    case "HEIC": Data(HEIFBuilder().file(try Fixtures.data("Colour/photo.heic")))
    case "AVIF": try Fixtures.data("Colour/photo.avif")
    default: try Fixtures.data("Colour/photo.jxl")
    }
  }

  /// A PNG in colour that is worth compressing, wider than high.
  private static var wavyPNG: [UInt8] {
    var rows: [UInt8] = []
    for y in 0..<100 {
      rows.append(0)
      for x in 0..<160 {
        let wave = 60 * sin(Double(x) / 9) * cos(Double(y) / 13)
        let stripe = 40 * sin(Double(x + y) / 5)
        rows += [UInt8(128 + wave), UInt8(100 + stripe), UInt8(90 - wave)]
      }
    }
    return EmbeddedMetadata.png(width: 160, height: 100, isGrey: false, rows: rows)
  }

  /// Changes a part of a file as another program does.
  private static func change(
    _ part: Part, of container: String, at path: String, in folder: TemporaryFolder
  ) throws {
    switch part {
    case .turn: try ExifTool.write(["-IFD0:Orientation#=6"], to: path)
    case .colours:
      let profile = EmbeddedMetadata.profile(ofJPEG: try Fixtures.data(p3))
      let file = try folder.write(Data(profile), to: "p3.icc")
      try ExifTool.write(["-ICC_Profile<=" + file], to: path)
    case .density:
      let tags =
        container == "PNG"
        ? ["-PNG:PixelsPerUnitX=11811", "-PNG:PixelsPerUnitY=11811"]
        : ["-IFD0:XResolution=300", "-IFD0:YResolution=300"]
      try ExifTool.write(tags, to: path)
    case .words: try ExifTool.write(["-XMP-dc:Description=aphids"], to: path)
    }
  }
}
