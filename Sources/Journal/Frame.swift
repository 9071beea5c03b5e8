package import DiaryModel
package import Foundation
internal import Hashing

/// A commit in the journal: what it did to the rows, with its number, its lineage and the frame before it.
///
/// The way of a commit:
///
/// 1. The catalog records what a transaction does to its rows as a changeset, which is bytes here. Before COMMIT the
///    frame is made from it: it names the head before it, and its hash is the new head.
/// 2. The same transaction stores the head among those of all commits, and the frame's bytes in one row, in place of
///    those of the commit before. So no commit is without a frame: after a crash, the next process finds it there.
/// 3. After COMMIT the frame is appended to the newest file in the library's folder, and synced. A frame that cannot be
///    written, or that is too large for the row, is replaced by a snapshot of the catalog.
/// 4. With an object store, the frame is put there under a name with its number and its head, and one listing shows
///    whether anybody else has put another successor of the same commit, or has become the owner. Only then is the
///    commit acknowledged.
/// 5. Backups and replicas copy frames as stored bytes. A frame that does not name the head of the catalog that it is
///    to be applied to is refused.
///
/// A head that stands among those of a catalog is an ancestor, even when its frame is gone. One that does not is that of
/// a fork: of a copy of the library that went another way. A restore, a repair and the like begin a lineage on purpose:
/// its first frame names the heads that it replaces, which are ancestors from then on.
///
/// A frame also carries the sum of the catalog's state after it, over all recorded rows and the heads before it. By it, a
/// catalog, a snapshot, a backup or a replica proves that it is what its newest frame says.
///
/// The format, with all numbers little-endian: the bytes `LEAF`, the label's byte count (UInt32), the commit (UInt64),
/// the changeset's byte count (UInt64), milliseconds since 1970 (Int64), the schema's version (UInt32), the lineage (16
/// bytes), the head before it (32 bytes), the sum of the state after it (32 bytes); the label as JSON; the changeset; the SHA-256 of everything before it, which
/// is the head; and the frame's total byte count (UInt64), by which the last frame is found from the end.
package struct Frame: Sendable, Hashable {
  /// The number of commits that the catalog has seen, including this one.
  package let commit: Int
  /// The lineage of commits that it belongs to.
  package let lineage: UUID
  /// The version of the catalog's schema after it; zero for a start frame.
  package let schema: UInt32
  package let madeAt: Timestamp
  /// The head of the commit before it; for a start frame, that of its own commit.
  package let parent: Head
  /// The sum of all recorded rows after it and of the heads before it; zero for a start frame.
  package let state: StateSum
  /// The frame as it is stored. It is copied, and never encoded again.
  package let bytes: Data
  private let labelCount: Int

  /// The hash of everything before the hash itself.
  private let hash: Head

  /// The head after this frame. A start frame marks a place and is no link of the chain.
  package var head: Head { isStart ? parent : hash }

  /// The parts of the commit that are not in its changeset, as JSON of the catalog's; empty for a frame that only marks
  /// the start of a part of the journal, after its commit.
  package var label: Data {
    Data(bytes[Self.headCount..<(Self.headCount + labelCount)])
  }

  /// The effect on the catalog's rows, in the format of SQLite's session extension.
  package var changeset: Data {
    Data(bytes[(Self.headCount + labelCount)..<(bytes.count - Self.tailCount)])
  }

  package var isStart: Bool { labelCount == 0 }

  static let magic = Data("LEAF".utf8)
  private static let headCount = 116
  private static let tailCount = 40

  package init(
    commit: Int, lineage: UUID, schema: UInt32, madeAt: Timestamp, after parent: Head,
    state: StateSum, label: Data, changeset: Data
  ) {
    (self.commit, self.lineage, self.schema) = (commit, lineage, schema)
    (self.madeAt, self.parent, labelCount) = (madeAt, parent, label.count)
    self.state = state
    var data = Self.magic
    data.append(UInt32(label.count))
    data.append(UInt64(commit))
    data.append(UInt64(changeset.count))
    data.append(madeAt.milliseconds)
    data.append(schema)
    data += withUnsafeBytes(of: lineage.uuid) { Data($0) }
    data += parent.bytes
    data += state.bytes
    data += label
    data += changeset
    hash = Head(hashing: data)
    data += hash.bytes
    data.append(UInt64(data.count + 8))
    bytes = data
  }

  /// A frame that marks the start of a part of the journal, after a commit.
  package init(
    startAfter commit: Int, _ head: Head, lineage: UUID, madeAt: Timestamp
  ) {
    self.init(
      commit: commit, lineage: lineage, schema: 0, madeAt: madeAt, after: head,
      state: .zero, label: Data(), changeset: Data())
  }

  /// The counts in a frame, before it is verified.
  struct Counts {
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
    guard let counts = Counts(data, at: offset), data.count - offset >= counts.byteCount else {
      return nil
    }
    let end = offset + counts.byteCount - Self.tailCount
    let hash = Head(hashing: data[offset..<end])
    guard data.number(UInt64.self, at: end + 32) == UInt64(counts.byteCount),
      Head(data[end..<(end + 32)]) == hash,
      let parent = Head(data[(offset + 52)..<(offset + 84)]),
      let state = StateSum(data[(offset + 84)..<(offset + Self.headCount)])
    else { return nil }
    (self.hash, self.parent, self.state) = (hash, parent, state)
    (commit, labelCount) = (counts.commit, counts.labelCount)
    madeAt = Timestamp(milliseconds: data.number(Int64.self, at: offset + 24))
    schema = data.number(UInt32.self, at: offset + 32)
    lineage = UUID(uuid: data.number(uuid_t.self, at: offset + 36))
    bytes = Data(data[offset..<(offset + counts.byteCount)])
  }
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
      let counts = Counts(data, at: offset)
      if let counts, let frame = Frame(data, at: offset) {
        try body(.frame(frame))
        offset += counts.byteCount
        continue
      }
      guard let next = nextFrame(data, after: offset) else {
        return try body(damage(counts, data, at: offset))
      }
      try body(damage(counts, data, at: offset))
      offset = next
    }
  }

  private static func damage(_ counts: Counts?, _ data: Data, at offset: Int) -> Finding {
    guard let counts else { return .damage(commit: nil, label: nil) }
    let start = offset + headCount
    let end = start + counts.labelCount
    return .damage(commit: counts.commit, label: end <= data.count ? Data(data[start..<end]) : nil)
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

/// The hash of a frame, which stands for the frame and, as each frame names the one before it, for everything that led
/// to it: the identity of a commit.
package struct Head: Sendable, Hashable, CustomStringConvertible {
  /// 32 bytes: a SHA-256.
  package let bytes: Data

  /// The head of a library without a commit.
  package static let none = Head(unchecked: Data(count: byteCount))
  package static let byteCount = 32

  /// Nil unless there are 32 bytes.
  package init?(_ bytes: some DataProtocol) {
    guard bytes.count == Self.byteCount else { return nil }
    self.init(unchecked: Data(bytes))
  }

  /// Nil unless there are 64 hexadecimal digits.
  package init?(hex: some StringProtocol) {
    let digits = hex.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
    guard digits.count == 2 * Self.byteCount, hex.utf8.count == digits.count else { return nil }
    self.init(
      unchecked: Data(
        stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }))
  }

  /// The SHA-256 of some bytes.
  init(hashing data: Data) { self.init(unchecked: Data(SHA256.digest(of: data))) }

  private init(unchecked bytes: Data) { self.bytes = bytes }

  package var hex: String {
    bytes.reduce(into: "") { text, byte in
      for digit in [byte >> 4, byte & 15] { text += String(digit, radix: 16) }
    }
  }

  package var description: String { hex }
}

extension Head: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let head = try Head(hex: container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "It is not a frame's hash.")
    }
    self = head
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(hex)
  }
}
