/// A position on a timeline and the direction to continue in: an opaque token.
///
/// The position is a day, a moment and a sequence number, never an offset, so that entries added or removed
/// between two pages make none appear twice or go missing.
public struct Cursor: Hashable, Sendable {
  /// The direction of a page that starts here.
  public enum Heading: UInt8, Sendable {
    /// Towards the past.
    case older = 0
    /// Towards the present and beyond.
    case newer = 1

    /// The opposite direction.
    public var reversed: Heading { self == .older ? .newer : .older }
  }

  package let day: LocalDay
  package let instant: Timestamp
  package let sequence: Int64
  /// The direction to continue in.
  public let heading: Heading

  /// - Parameter day: clamped to the days that a token can hold.
  package init(day: LocalDay, instant: Timestamp, sequence: Int64, heading: Heading) {
    self.day = LocalDay(dayNumber: Int(Int32(clamping: day.dayNumber)))
    self.instant = instant
    self.sequence = sequence
    self.heading = heading
  }

  /// The position just before a time; entries at or after it are newer. That of a day is before all its entries.
  public static func time(_ time: EntryTime, heading: Heading) -> Cursor {
    let (day, moment) = time.place
    return Cursor(day: day, instant: moment, sequence: .min, heading: heading)
  }

  /// The same position, facing `heading`.
  public func facing(_ heading: Heading) -> Cursor {
    Cursor(day: day, instant: instant, sequence: sequence, heading: heading)
  }

  /// The position from which a day's entries are read first in a direction.
  package static func day(_ day: LocalDay, heading: Heading) -> Cursor {
    let start = LocalDateTime(startOf: heading == .newer ? day : day.advanced(by: 1))
    return Cursor(
      day: start.day, instant: start.timestamp(offset: .first), sequence: .min, heading: heading)
  }

  /// The position just before this one in reading direction, so that the entry here is read first.
  package func including(_ heading: Heading) -> Cursor {
    let isAtEnd = sequence == (heading == .older ? .max : .min)
    let step: Int64 = isAtEnd ? 0 : heading == .older ? 1 : -1
    return Cursor(day: day, instant: instant, sequence: sequence + step, heading: heading)
  }

  /// The same position, facing the opposite direction.
  public var reversed: Cursor { facing(heading.reversed) }
}

extension Cursor: LosslessStringConvertible {
  private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)  // Crockford's
  private static let characterCount = 34  // 168 bits in groups of five
  /// The last digit has three bits.
  package static let pattern = "0[0-7][0-9a-hjkmnp-tv-z]{31}[048cgmrw]"

  /// 34 digits and lower-case letters.
  public var description: String {
    var bits: [UInt8] = [heading.rawValue]
    withUnsafeBytes(of: Int32(clamping: day.dayNumber).bigEndian) { bits.append(contentsOf: $0) }
    withUnsafeBytes(of: instant.milliseconds.bigEndian) { bits.append(contentsOf: $0) }
    withUnsafeBytes(of: sequence.bigEndian) { bits.append(contentsOf: $0) }
    var text = ""
    var buffer: UInt = 0
    var bitCount = 0
    for byte in bits + [0] {
      buffer = buffer << 8 | UInt(byte)
      bitCount += 8
      while bitCount >= 5, text.utf8.count < Self.characterCount {
        bitCount -= 5
        text.append(Character(UnicodeScalar(Self.alphabet[Int(buffer >> UInt(bitCount) & 31)])))
      }
      buffer &= (1 << UInt(bitCount)) - 1
    }
    return text
  }

  /// Nil unless the text was made by `description`.
  public init?(_ text: String) {
    guard text.utf8.count == Self.characterCount else { return nil }
    var bytes: [UInt8] = []
    var buffer: UInt = 0
    var bitCount = 0
    for character in text.utf8 {
      guard let value = Self.alphabet.firstIndex(of: character) else { return nil }
      buffer = buffer << 5 | UInt(value)
      bitCount += 5
      if bitCount >= 8 {
        bitCount -= 8
        bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt(bitCount)))
        buffer &= (1 << UInt(bitCount)) - 1
      }
    }
    guard bytes.count == 21, let heading = Heading(rawValue: bytes[0]) else { return nil }
    func integer(_ slice: ArraySlice<UInt8>) -> Int64 {
      Int64(bitPattern: slice.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
    self.init(
      day: LocalDay(dayNumber: Int(Int32(truncatingIfNeeded: integer(bytes[1..<5])))),
      instant: Timestamp(milliseconds: integer(bytes[5..<13])), sequence: integer(bytes[13..<21]),
      heading: heading)
    // The last digit has two bits more than the position.
    guard description == text else { return nil }
  }

  /// Whether a text is meant to be a cursor, be it one or not: nothing else that names a place is a single word as long.
  package static func isMeant(by text: String) -> Bool {
    text.utf8.count > 20 && text.utf8.allSatisfy(alphabet.contains)
      && text.utf8.count != EntryID.digitCount
  }
}

/// A page of a listing.
public struct Page<Element: Sendable>: Sendable {
  /// The elements, in the requested order.
  public let elements: [Element]
  /// Continues in reading direction; nil at the end.
  public let next: Cursor?
  /// Goes back; nil at the start.
  public let previous: Cursor?

  package init(elements: [Element], next: Cursor?, previous: Cursor?) {
    self.elements = elements
    self.next = next
    self.previous = previous
  }
}
