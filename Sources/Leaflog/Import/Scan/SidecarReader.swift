internal import BlobStorage
internal import Imaging
internal import SystemPackage

/// Reads capture times from the sidecars of photos, listing each folder once.
struct SidecarReader {
  private var folders: [FilePath: [FolderEntry]] = [:]
  private var names: [FilePath: SidecarNames] = [:]

  /// The capture time in a sidecar of the file; nil when none has a date.
  ///
  /// - Throws: when the folder or a sidecar cannot be read.
  mutating func captureTime(beside file: FilePath) throws -> CaptureTime? {
    let folder = file.removingLastComponent()
    let entries = try folders[folder] ?? FolderEntry.list(folder)
    folders[folder] = entries
    // The photo itself may be gone; only its name counts.
    guard let name = file.lastComponent else { return nil }
    let photo = entries.first { $0.component == name } ?? FolderEntry(name)
    let sidecars = names[folder] ?? SidecarNames(entries)
    names[folder] = sidecars
    let xmp = try facts(sidecars.xmpSidecar(of: photo), in: folder) { XMP.facts($0) }
    if let time = xmp?.time { return CaptureTime(recorded: time, source: .sidecar) }
    let takeout = try facts(sidecars.takeoutSidecar(of: photo), in: folder) { Takeout.facts($0) }
    return takeout?.time.map { CaptureTime(recorded: $0, source: .takeout) }
  }

  /// Which number is the day in the names of the file's folder that have the year last; nil if they do not tell, or if
  /// the folder is gone.
  mutating func dayOrder(beside file: FilePath) -> DayOrder? {
    let folder = file.removingLastComponent()
    guard let entries = try? folders[folder] ?? FolderEntry.list(folder) else { return nil }
    folders[folder] = entries
    return FileNameDate.order(ofNames: entries.lazy.map(\.text))
  }

  private func facts(
    _ sidecar: FolderEntry?, in folder: FilePath, _ parse: ([UInt8]) -> SidecarFacts?
  ) throws -> SidecarFacts? {
    guard let sidecar else { return nil }
    let path = folder.appending(sidecar.component)
    guard let facts = try SidecarNames.read(path, parse) else {
      throw LeaflogError.invalid("\(path) is not a sidecar that can be read.")
    }
    return facts
  }
}

extension SidecarNames {
  /// Reads and parses a sidecar; nil when it does not parse, or is larger than a few megabytes.
  static func read(_ path: FilePath, _ parse: ([UInt8]) -> SidecarFacts?) throws -> SidecarFacts? {
    let reader = try FileReader(path)
    guard reader.byteCount < 4 << 20 else { return nil }
    return try reader.read(0..<reader.byteCount).withUnsafeBytes { parse(Array($0)) }
  }
}
