import BlobStorage
import Foundation
import Imaging
import Leaflog
import TestSupport
import Testing

/// The shared pictures that other programs get wrong, imported under each policy.
@Suite(.enabled(if: Fixtures.sharedCases != nil, "no ../shared"))
struct SharedPictureTests {
  /// What is right for a file: whether `compact` may make a copy, the warnings besides those about its date, and how far
  /// the mean sample of its thumbnail may be from that of the same picture as a plain one.
  struct Answer: Sendable, CustomStringConvertible {
    let path: String
    var hasCopy = true
    var warnings: Set<ImportWarning> = []
    var truth: String? = "adobe-rgb-by-exif/srgb_truth.png"
    var tolerance = 3.0

    var description: String { path }
  }

  static let answers: [Answer] = [
    Answer(
      path: "grey-profile-on-colour/rgb_greyicc.jpg", hasCopy: false,
      warnings: [.profileUnreadable]),
    Answer(path: "more-bands/rgb_nir.tif", hasCopy: false),
    Answer(path: "more-bands/bands5.tif", hasCopy: false),
    Answer(path: "hdr-lost/pq8.avif", hasCopy: false, tolerance: 5),
    // Its light is that of another system gamma.
    Answer(path: "hdr-lost/hlg8.png", hasCopy: false, tolerance: 20),
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
    let photo = try fixture.library.photos.find(id)
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
    let shown = try PhotoFile(bytes: SharedBytes(copying: bytes), format: .jpeg).frame(side: 256)
    let expected = try PhotoFile(
      bytes: SharedBytes(copying: Data(contentsOf: folder.appending(path: truth))), format: .png
    ).frame(side: 256)
    try #require(shown.size == expected.size)
    let (found, wanted) = (try squares(of: shown), try squares(of: expected))
    let difference = zip(found, wanted).reduce(0) { $0 + abs($1.0 - $1.1) } / Double(wanted.count)
    #expect(difference < answer.tolerance)
  }

  /// The mean samples of squares of 8 pixels, in which what compression changes does not count.
  private func squares(of picture: DecodedPhoto) throws -> [Double] {
    let (samples, size) = (try picture.rgbSamples(), picture.size)
    var means: [Double] = []
    for top in stride(from: 0, to: size.height - 7, by: 8) {
      for left in stride(from: 0, to: size.width - 7, by: 8) {
        for band in 0..<3 {
          var sum = 0
          for y in top..<(top + 8) {
            for x in left..<(left + 8) { sum += Int(samples[3 * (y * size.width + x) + band]) }
          }
          means.append(Double(sum) / 64)
        }
      }
    }
    return means
  }

  @Test(arguments: StoragePolicy.allCases)
  func `dates and words of shared pictures are read`(policy: StoragePolicy) async throws {
    let folder = (Fixtures.sharedCases ?? "") + "/pictures/"
    func photo(_ path: String) async throws -> Photo {
      let fixture = try LibraryFixture(policy: policy)
      try fixture.folder.write(
        Data(contentsOf: URL(fileURLWithPath: folder + path)), to: "photos/a")
      let id = try #require(try await fixture.run().outcomes.list.first?.added?.id)
      return try fixture.library.photos.find(id)
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
