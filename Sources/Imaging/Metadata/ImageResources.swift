/// Photoshop's image resources for a compressed copy: those about the photo, and not about its file.
enum ImageResources {
  static let iptc = 0x0404
  /// IPTC, the mark of copyright, a web address, and the digest of the IPTC.
  private static let kept: Set<Int> = [iptc, 0x040A, 0x040B, 0x0425]
  private static let signature = Array("8BIM".utf8)

  /// The resources without all that describes the file, such as its resolution or thumbnail, which the copy says
  /// elsewhere or has no more; nil when nothing is left.
  ///
  /// - Parameter iptc: data sets, which take the place of those in the resources.
  static func ofCopy(iptc: [UInt8]?, _ resources: [UInt8]?) -> [UInt8]? {
    var result: [UInt8] = []
    if let iptc { result += resource(Self.iptc, iptc) }
    resources?.withUnsafeBytes { bytes in
      for resource in all(in: bytes)
      where kept.contains(resource.number) && !(resource.number == Self.iptc && iptc != nil) {
        result += Self.resource(resource.number, bytes[resource.data])
      }
    }
    return result.isEmpty ? nil : result
  }

  /// The resources in a block: a signature, a number, a name and a length, each part padded to an even number of bytes.
  static func all(in bytes: UnsafeRawBufferPointer) -> [(number: Int, data: Range<Int>)] {
    var found: [(number: Int, data: Range<Int>)] = []
    var at = 0
    while bytes.holds("8BIM", at: at), let number = bytes.integer(at: at + 4, size: 2),
      let nameByteCount = bytes.integer(at: at + 6, size: 1)
    {
      let lengthAt = at + 6 + (nameByteCount + 2) / 2 * 2
      guard let count = bytes.integer(at: lengthAt, size: 4), case let start = lengthAt + 4,
        count <= bytes.count - start
      else { break }
      found.append((number, start..<(start + count)))
      at = start + count + count % 2
    }
    return found
  }

  private static func resource(_ number: Int, _ data: some Collection<UInt8>) -> [UInt8] {
    func bytes(_ value: Int, _ size: Int) -> [UInt8] {
      (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    // Without a name.
    return signature + bytes(number, 2) + [0, 0] + bytes(data.count, 4) + data
      + [UInt8](repeating: 0, count: data.count % 2)
  }
}

extension PhotoFile {
  /// The resources for a compressed copy of a TIFF or PNG, whose IPTC may be alone or among resources.
  var resourcesOfCopy: [UInt8]? {
    switch format {
    case .tiff:
      guard let tags = TIFFStructure(bytes)?.metadata else { return nil }
      let iptc = tags[0x83BB].map { IPTC.bytes(of: $0) }
      return ImageResources.ofCopy(iptc: iptc, tags[0x8649].map { Array($0.bytes) })
    case .png:
      let blocks = PNGMetadata.resources(bytes)
      let iptc = blocks.first { $0.first == IPTC.tagMarker }
      return ImageResources.ofCopy(iptc: iptc, blocks.first { $0.first != IPTC.tagMarker })
    // A JPEG's are copied with all its segments, and the others have none.
    case .jpeg, .webp, .gif, .heic, .avif, .jxl: return nil
    }
  }
}
