internal import CExpat
package import DiaryModel

/// An XML document from a store, as the texts of its elements. Attributes and namespaces are ignored.
final class S3Document {
  /// The texts by element path, such as `ListBucketResult/IsTruncated`; the last one of equal paths wins.
  private(set) var texts: [String: String] = [:]
  /// The objects in a listing.
  private(set) var objects: [S3Object] = []

  private let parser: XML_Parser
  private var path: [String] = []
  private var text: [UInt8] = []

  private static let maxDepth = 8

  /// Nil unless the bytes are one complete document.
  init?(_ bytes: SharedBytes) {
    guard let parser = XML_ParserCreate(nil) else { return nil }
    self.parser = parser
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(
      parser,
      { document, name, _ in S3Document.at(document)?.start(name) },
      { document, _ in S3Document.at(document)?.end() })
    XML_SetCharacterDataHandler(parser) { document, text, count in
      S3Document.at(document)?.text.append(
        contentsOf: UnsafeRawBufferPointer(start: text, count: Int(count)))
    }
    // Entities that expand need a document type declaration, which no store sends.
    XML_SetStartDoctypeDeclHandler(parser) { document, _, _, _, _ in
      guard let document = S3Document.at(document) else { return }
      XML_StopParser(document.parser, 0)
    }
    let status = bytes.withUnsafeBytes {
      XML_Parse(parser, $0.bindMemory(to: XML_Char.self).baseAddress, CInt(clamping: $0.count), 1)
    }
    guard status == XML_STATUS_OK else { return nil }
  }

  deinit { XML_ParserFree(parser) }

  private static func at(_ pointer: UnsafeMutableRawPointer?) -> S3Document? {
    pointer.map { Unmanaged<S3Document>.fromOpaque($0).takeUnretainedValue() }
  }

  private func start(_ name: UnsafePointer<XML_Char>?) {
    guard let name, path.count < Self.maxDepth else {
      XML_StopParser(parser, 0)
      return
    }
    path.append(String(cString: name))
    text = []
  }

  private func end() {
    texts[path.joined(separator: "/")] = String(decoding: text, as: UTF8.self)
    if path.count == 2, path[1] == "Contents" { takeObject() }
    path.removeLast()
    text = []
  }

  /// No blob is larger, and sums of millions of objects do not overflow.
  private static let maxObjectByteCount = 1 << 40

  private func takeObject() {
    let contents = path.joined(separator: "/")
    func take(_ name: String) -> String? { texts.removeValue(forKey: "\(contents)/\(name)") }
    guard let key = take("Key"), let byteCount = take("Size").flatMap({ Int($0) }),
      (0...Self.maxObjectByteCount).contains(byteCount),
      let storedAt = take("LastModified").flatMap({ Timestamp(s3: $0) })
    else {
      XML_StopParser(parser, 0)
      return
    }
    objects.append(S3Object(key: key, byteCount: byteCount, storedAt: storedAt))
  }
}

/// An object in a listing.
package struct S3Object: Sendable, Hashable {
  package let key: String
  package let byteCount: Int
  /// Precise to the second, which is all that stores agree on.
  package let storedAt: Timestamp
}

extension Timestamp {
  /// `2026-11-22T18:40:00.000Z`
  init?(s3 text: String) {
    guard case .zoned(let wall, let offset)? = RecordedTime(text) else { return nil }
    self = wall.timestamp(offset: offset)
  }
}
