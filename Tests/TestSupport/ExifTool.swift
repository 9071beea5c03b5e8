internal import Foundation

/// ExifTool, an independent reader of metadata (Debian's libimage-exiftool-perl).
package enum ExifTool {
  private static let path = "/usr/bin/exiftool"

  /// Tests that need it are skipped, visibly, where it is not installed.
  package static let isInstalled = FileManager.default.isExecutableFile(atPath: path)

  /// The names of tags that reveal a location, in any group.
  private static let telling = [
    "GPS", "Location", "City", "State", "Country", "Sub-location", "Sublocation", "Latitude",
    "Longitude", "Landmark", "GeoTiff", "ModelTiePoint",
  ]

  /// The tags that reveal a location, in a file or the files of a folder, as `file: [Group] Tag: value`.
  package static func places(in path: String) throws -> [String] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.path)
    process.arguments = ["-a", "-G1", "-n", "-j", "-r", "-q", "-q", path]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let files = try JSONSerialization.jsonObject(with: data) as? [[String: Any]] ?? []
    return files.flatMap { file in
      file.compactMap { tag, value in
        let name = tag.split(separator: ":").last ?? ""
        let isPlace = Self.telling.contains { name.contains($0) }
        return isPlace ? "\(file["SourceFile"] ?? ""): \(tag): \(value)" : nil
      }
    }
  }

  /// Writes tags into a file, such as `-XMP-dc:Subject=leaf`, as programs that retag photos do.
  package static func write(_ tags: [String], to path: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.path)
    process.arguments = tags + ["-overwrite_original", "-m", "-q", "-q", path]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
  }
}
