internal import Crypto
package import DiaryModel
package import Foundation

/// A commit in the journal: what it did to the rows, with its number, its lineage and a checksum.
///
/// The format, with all numbers little-endian: the bytes `LEAF`, the label's byte count (UInt32), the
/// commit (UInt64), the changeset's byte count (UInt64), milliseconds since 1970 (Int64), the schema's
/// version (UInt32), the lineage (16 bytes); the label as JSON; the changeset; the SHA-256 of everything
/// before it; and the frame's total byte count (UInt64), by which the last frame is found from the end.
package struct Frame: Sendable, Hashable {
  /// The number of commits that the catalog has seen, including this one.
  package let commit: Int
  /// The lineage of commits that it belongs to.
  package let lineage: UUID
  package let schema: UInt32
  package let madeAt: Timestamp
  /// The parts of the commit that are not in its changeset, as JSON of the catalog's; empty for a frame that only marks
  /// the start of a part of the journal, after its commit.
  package let label: Data
  /// The effect on the catalog's rows, in the format of SQLite's session extension.
  package let changeset: Data

  static let magic = Data("LEAF".utf8)
  private static let headCount = 52
  private static let tailCount = 40

  /// The frame as it is written to a file.
  package func encoded() -> Data {
    var data = Self.magic
    data.append(UInt32(label.count))
    data.append(UInt64(commit))
    data.append(UInt64(changeset.count))
    data.append(madeAt.milliseconds)
    data.append(schema)
    data += withUnsafeBytes(of: lineage.uuid) { Data($0) }
    data += label
    data += changeset
    data += Data(SHA256.hash(data: data))
    data.append(UInt64(data.count + 8))
    return data
  }

  /// The counts in a frame's head, before the frame is verified.
  struct Head {
    let commit: Int
    fileprivate let labelCount: Int
    fileprivate let changesetCount: Int
    var byteCount: Int { headCount + labelCount + changesetCount + tailCount }

    /// Nil where no frame begins.
    init?(_ data: Data, at offset: Int) {
      guard data.count - offset >= headCount,
        data[offset..<(offset + magic.count)].elementsEqual(magic),
        let label = Int(exactly: data.number(UInt32.self, at: offset + 4)),
        let commit = Int(exactly: data.number(UInt64.self, at: offset + 8)),
        let changeset = Int(exactly: data.number(UInt64.self, at: offset + 16)),
        changeset <= 1 << 40, commit < .max
      else { return nil }
      (labelCount, self.commit, changesetCount) = (label, commit, changeset)
    }
  }

  /// The frame at an offset; nil when there is no complete, intact one. The data must start at index 0.
  package init?(_ data: Data, at offset: Int = 0) {
    guard let head = Head(data, at: offset), data.count - offset >= head.byteCount else {
      return nil
    }
    let labelStart = offset + Self.headCount
    let labelEnd = labelStart + head.labelCount
    let end = labelEnd + head.changesetCount
    guard data.number(UInt64.self, at: end + 32) == UInt64(head.byteCount),
      SHA256.hash(data: data[offset..<end]) == data[end..<(end + 32)]
    else { return nil }
    commit = head.commit
    madeAt = Timestamp(milliseconds: data.number(Int64.self, at: offset + 24))
    schema = data.number(UInt32.self, at: offset + 32)
    lineage = UUID(uuid: data.number(uuid_t.self, at: offset + 36))
    label = Data(data[labelStart..<labelEnd])
    changeset = Data(data[labelEnd..<end])
  }

  /// A frame that marks the start of a part of the journal, after a commit.
  package init(startAfter commit: Int, lineage: UUID, schema: UInt32, madeAt: Timestamp) {
    self.init(
      commit: commit, lineage: lineage, schema: schema, madeAt: madeAt, label: Data(),
      changeset: Data())
  }

  package init(
    commit: Int, lineage: UUID, schema: UInt32, madeAt: Timestamp, label: Data, changeset: Data
  ) {
    self.commit = commit
    self.lineage = lineage
    self.schema = schema
    self.madeAt = madeAt
    self.label = label
    self.changeset = changeset
  }

  package var isStart: Bool { label.isEmpty }
}

extension Frame {
  /// An item found while reading a journal.
  package enum Finding: Sendable {
    case frame(Frame)
    /// Bytes that are not an intact frame, such as one cut off by a crash during writing, with the commit's
    /// number and label as far as they can still be read.
    case damage(commit: Int?, label: Data?)
  }

  /// Reads a file of frames from its start, continuing after damaged parts. The data must start at
  /// index 0.
  package static func read(_ data: Data, _ body: (Finding) throws -> Void) rethrows {
    var offset = 0
    while offset < data.count {
      let head = Head(data, at: offset)
      if let head, let frame = Frame(data, at: offset) {
        try body(.frame(frame))
        offset += head.byteCount
        continue
      }
      guard let next = nextFrame(data, after: offset) else {
        return try body(damage(head, data, at: offset))
      }
      try body(damage(head, data, at: offset))
      offset = next
    }
  }

  private static func damage(_ head: Head?, _ data: Data, at offset: Int) -> Finding {
    guard let head else { return .damage(commit: nil, label: nil) }
    let start = offset + headCount
    let end = start + head.labelCount
    return .damage(commit: head.commit, label: end <= data.count ? Data(data[start..<end]) : nil)
  }

  /// The last frame of a file of frames; nil when the file does not end with a complete, intact one.
  package static func last(_ data: Data) -> Frame? {
    guard data.count >= tailCount,
      let count = Int(exactly: data.number(UInt64.self, at: data.count - 8)),
      count <= data.count
    else { return nil }
    return Frame(data, at: data.count - count)
  }

  private static func nextFrame(_ data: Data, after offset: Int) -> Int? {
    var from = offset + 1
    while from < data.count, let place = data[from...].range(of: magic)?.lowerBound {
      if Frame(data, at: place) != nil { return place }
      from = place + 1
    }
    return nil
  }
}

extension Data {
  fileprivate mutating func append(_ number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }

  /// The number at an offset, which must be far enough before the end. Little-endian, like the machine.
  fileprivate func number<Number>(_: Number.Type, at offset: Int) -> Number {
    withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Number.self) }
  }
}
