import BlobStorage
import Foundation
import Imaging
import Leaflog
import TestSupport
import Testing

/// The shared pictures that other programs get wrong, imported under each policy.
@Suite(.enabled(if: Fixtures.sharedCases != nil, "no ../shared"))
struct SharedPictureTests {
  /// The right outcome for a file: whether `compact` may make a copy, the warnings besides those about its date, and a plain
  /// picture that looks the same; nil if there is none.
  struct Answer: Sendable, CustomStringConvertible {
    let path: String
    var hasCopy = true
    var warnings: Set<ImportWarning> = []
    var truth: String? = "adobe-rgb-by-exif/srgb_truth.png"

    var description: String { path }
  }

  static let answers: [Answer] = [
    Answer(
      path: "grey-profile-on-colour/rgb_greyicc.jpg", hasCopy: false,
      warnings: [.profileUnreadable]),
    Answer(path: "more-bands/rgb_nir.tif", hasCopy: false),
    Answer(path: "more-bands/bands5.tif", hasCopy: false),
    Answer(path: "hdr-lost/pq8.avif", hasCopy: false),
    // Its middle tones are those of another system gamma.
    Answer(path: "hdr-lost/hlg8.png", hasCopy: false, truth: nil),
    Answer(path: "narrow-16-bits/grey12in16.tif", hasCopy: false, truth: nil),
    Answer(path: "linear-profile/linear16.png", hasCopy: false),
    Answer(path: "premultiplied/prem.avif", hasCopy: false, truth: nil),
    Answer(path: "adobe-rgb-by-exif/adobe_r03.jpg"),
    Answer(path: "grey-limited-range/grey_limited.avif", truth: nil),
    Answer(
      path: "tiff-called-damaged/half.tif", hasCopy: false, warnings: [.noPreview], truth: nil),
    Answer(
      path: "tiff-called-damaged/planar_tiled.tif", hasCopy: false, warnings: [.noPreview],
      truth: nil),
    Answer(path: "avif-called-damaged/draw_points_idat_metasize0.avif", hasCopy: false, truth: nil),
    Answer(path: "copy-loses/dpi.jpg"), Answer(path: "copy-loses/iptc.tif"),
    Answer(path: "copy-loses/text.png"), Answer(path: "bigtiff/big.tif"),
    Answer(path: "date-in-ifd0/date_ifd0.jpg"),
    Answer(path: "iptc-windows-1252/iptc_cp1252.jpg"),
    Answer(path: "place-in-words/place_usercomment.jpg"),
    Answer(path: "turned-later/before.jpg"),
  ]

  @Test(arguments: answers, StoragePolicy.allCases)
  func `a shared picture is shown and kept as it has to be`(
    answer: Answer, policy: StoragePolicy
  ) async throws {
    let folder = URL(fileURLWithPath: (Fixtures.sharedCases ?? "") + "/pictures")
    let file = try Data(contentsOf: folder.appending(path: answer.path))
    let fixture = try LibraryFixture(policy: policy)
    let name = (answer.path as NSString).lastPathComponent
    try fixture.folder.write(file, to: "photos/" + name)
    let outcome = try #require(try await fixture.run().outcomes.of(name))
    let id = try #require(outcome.added?.id)
    let aboutDates: Set<ImportWarning> = [.dateIsFileTime, .dateIsChangeTime]
    #expect(Set(outcome.warnings).subtracting(aboutDates) == answer.warnings)
    let photo = try fixture.library.photos.find(id.description)
    let roles = Set(photo.renditions.map(\.role)).subtracting([.thumbnail])
    // A copy of so small a picture may save too little.
    let allowed: Set<RenditionRole> =
      switch policy {
      case .compact: answer.hasCopy ? [.master, .original] : [.original]
      case .lossless: [.packed, .original]
      case .exact: [.original]
      }
    #expect(roles.count == 1 && roles.isSubset(of: allowed), "\(roles)")
    guard let truth = answer.truth else { return }
    let bytes = try fixture.library.photos.thumbnail(of: photo)
    let shown = try PhotoFile(bytes: ByteBuffer(copying: bytes), format: .jpeg).frame(side: 256)
    let expected = try PhotoFile(
      bytes: ByteBuffer(copying: Data(contentsOf: folder.appending(path: truth))), format: .png
    ).frame(side: 256)
    #expect(try shown.isLike(expected))
  }

  @Test(arguments: StoragePolicy.allCases)
  func `dates and words of shared pictures are read`(policy: StoragePolicy) async throws {
    let folder = (Fixtures.sharedCases ?? "") + "/pictures/"
    func photo(_ path: String) async throws -> Photo {
      let fixture = try LibraryFixture(policy: policy)
      try fixture.folder.write(
        Data(contentsOf: URL(fileURLWithPath: folder + path)), to: "photos/a")
      let id = try #require(try await fixture.run().outcomes.list.first?.added?.id)
      return try fixture.library.photos.find(id.description)
    }
    let big = try await photo("bigtiff/big.tif")
    #expect(big.entry.time.recorded.iso8601.hasPrefix("2024-05-06T07:08:09"))
    let first = try await photo("date-in-ifd0/date_ifd0.jpg")
    #expect(first.entry.time.recorded.iso8601.hasPrefix("2019-03-04T05:06:07"))
    let iptc = try await photo("iptc-windows-1252/iptc_cp1252.jpg")
    #expect(iptc.entry.notes == "„Königin der Nacht“ – 5 €")
    #expect(Set(iptc.entry.tags).isSuperset(of: ["Größe", "50 €"]))
  }
}
