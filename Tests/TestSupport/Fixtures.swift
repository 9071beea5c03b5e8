package import Foundation

/// The files in Fixtures, described in Fixtures/SOURCES.md.
package enum Fixtures {
  package static let folder = checkout + "/Fixtures"

  package static let checkout = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  package static func path(_ name: String) -> String { folder + "/" + name }

  package static func data(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path(name)))
  }

  /// Photos that exist beside the checkout on some machines; elsewhere, tests that need them are skipped, visibly.
  package static let sharedPhotos = shared("photos")
  /// Files that went wrong in other programs; as the photos.
  package static let sharedCases = shared("cases")

  private static func shared(_ name: String) -> String? {
    let path = URL(fileURLWithPath: checkout).deletingLastPathComponent().path + "/shared/" + name
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }
}

/// The contents of Fixtures/answers.json.
package struct Answers: Decodable, Sendable {
  package struct Photo: Decodable, Sendable {
    package let path: String
    package let plant: String
    package let capturedAt: String
    package let captureSource: String
  }

  package struct Picture: Decodable, Sendable, CustomStringConvertible {
    package struct Quadrants: Decodable, Sendable {
      package let topLeft: [Int]
      package let topRight: [Int]
      package let bottomLeft: [Int]
      package let bottomRight: [Int]
    }

    package let path: String
    /// The width and height.
    package let uprightSize: [Int]
    /// The sRGB colours at their centres.
    package let quadrants: Quadrants
    /// The tolerance per channel.
    package let tolerance: Int

    package var description: String { path }
  }

  package let photos: [Photo]
  package let orientation: [Picture]
  package let colour: [Picture]

  private enum CodingKeys: String, CodingKey {
    case photos = "Photos"
    case orientation = "Orientation"
    case colour = "Colour"
  }

  package static let all: Answers = {
    do { return try JSONDecoder().decode(Answers.self, from: Fixtures.data("answers.json")) } catch
    {
      fatalError("Fixtures/answers.json: \(error)")
    }
  }()
}
