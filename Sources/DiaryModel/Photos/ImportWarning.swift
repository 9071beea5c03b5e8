/// An oddity of a photo that was imported nevertheless.
@nonexhaustive
public enum ImportWarning: String, Sendable, CaseIterable, Comparable {
  /// The decoder complained; parts of the picture may be wrong. Its exact bytes are kept.
  case damaged
  /// The file lacks its end marker, but no pixels are missing. Its exact bytes are kept.
  case missingEndMarker
  /// The name of the file, or that of the folder which its plant is named after, is no UTF-8; its other bytes are
  /// written as `\xF6`.
  case nameEscaped
  /// A date lies in the future and was ignored.
  case dateInFuture
  /// A date came from a camera clock that was never set, and was ignored.
  case dateUnset
  /// The date is one of the first days of a year from which cameras count that were never set. The photo does not begin
  /// its plant's age if there are others.
  case dateMayBeUnset
  /// A date could not be read, such as one in a thirteenth month, and was ignored.
  case dateUnreadable
  /// The time of day of a date could not be read, such as 24:08:19; the day was kept.
  case clockUnreadable
  /// No source has a plausible date: the file's modification time is used as a guess.
  case dateIsFileTime
  /// No source has a plausible date: the time when a program last changed the file, from EXIF, is used as a guess. The
  /// photo is not younger.
  case dateIsChangeTime
  /// No source has a plausible date, and the file's modification time is in the future or of a clock that was never set:
  /// the time of the import is used as a guess.
  case dateIsImportTime
  /// The day is known but not the time of day.
  case dateWithoutTime
  /// The name of the file or its folder has the day, and the time of day is that of the file.
  case timeIsFileTime
  /// Only the month or the year is known.
  case dateWithoutDay
  /// The day is that of GPS, in UTC: where the photo was taken, it may have been the day before or after.
  case dayIsUTC
  /// The clocks were put back over the time of day, and so showed it twice. The file's modification time decides if it is
  /// near one of the two moments, otherwise it is the earlier one.
  case repeatedHour
  /// The file holds a video too (a motion photo), so its exact bytes are kept.
  case motionPhoto
  /// The picture is followed by other data, so the exact bytes are kept.
  case trailingData
  /// The file holds further pictures, such as a depth map or the second view of a stereo camera, so its exact bytes
  /// are kept.
  case furtherPictures
  /// The picture cannot be shown: it takes too much memory, or it is of a kind that is not read. The exact bytes are kept,
  /// unchecked and without a preview.
  case noPreview
  /// The colour profile cannot be read: the colours are treated as sRGB, and the exact bytes are kept.
  case profileUnreadable
  /// The brightness map for HDR screens is not in the compressed copy.
  case gainMapDropped
  /// The XMP of the file or of its sidecar is not well-formed, and was read nevertheless.
  case xmpMended
  /// A sidecar file could not be read.
  case sidecarUnreadable
  /// The losslessly packed file does not restore the same bytes, so the exact bytes are kept.
  case notPackable
  /// The file was to be moved but stays in place: the library has only a compressed copy, the file has
  /// changed, or the system does not allow its removal.
  case notMoved
  /// A sidecar says that the photo is in the bin of the program that it comes from, so it was skipped.
  case inForeignTrash
  /// The library has the same picture with other metadata: another program has written keywords or a caption into the
  /// file, for example.
  case otherMetadata
  /// The library has only a compressed copy of the photo, although exact bytes are wanted.
  case compressedCopy
  /// The photo's sidecar has changed since the library took its facts over.
  case sidecarChanged
  /// Another photo of the library, taken at another time or sent by somebody who may only send, has exactly the same
  /// picture.
  case samePicture

  public static func < (left: ImportWarning, right: ImportWarning) -> Bool {
    left.rawValue < right.rawValue
  }

  /// Whether it is about the photo's own dates.
  package var isAboutDate: Bool {
    isGuessedDate
      || [
        .dateInFuture, .dateUnset, .dateMayBeUnset, .dateUnreadable, .clockUnreadable,
        .dateWithoutTime, .dateWithoutDay, .dayIsUTC, .timeIsFileTime, .repeatedHour,
      ].contains(self)
  }

  /// Whether it is about more than the bytes of the photo's file, and so holds when others replace them.
  package var outlastsBytes: Bool { [.nameEscaped, .samePicture].contains(self) }

  /// Whether it says that the photo's date is a guess.
  package var isGuessedDate: Bool { sourceOfGuess != nil }

  /// The source of the date that it calls a guess; nil for other warnings.
  package var sourceOfGuess: CaptureSource? {
    switch self {
    case .dateIsFileTime, .dateIsImportTime: .mtime
    case .dateIsChangeTime: .exif
    default: nil
    }
  }

  /// Whether it is still true of a photo whose date may have been corrected.
  package func holds(for time: RecordedTime, from source: CaptureSource?) -> Bool {
    switch self {
    case .dateWithoutTime, .dateWithoutDay: self == time.imprecision
    case .dayIsUTC: time.imprecision == .dateWithoutTime && [.gps, .sidecar, .xmp].contains(source)
    default: !isGuessedDate || source == sourceOfGuess
    }
  }

  /// A sentence for people.
  public var explanation: String {
    switch self {
    case .damaged: "the file is damaged; kept exactly as it is"
    case .missingEndMarker: "the file lacks its end marker; kept exactly as it is"
    case .nameEscaped: "its name or its folder's is not UTF-8; other bytes are written as \\xF6"
    case .dateInFuture: "a date in the future was not believed"
    case .dateUnset: "a date that no clock was set to was not believed"
    case .dateMayBeUnset: "the date may be that of a clock that was never set"
    case .timeIsFileTime: "the day is known, the time of day is that of the file"
    case .dateUnreadable: "a date could not be read"
    case .dateIsFileTime: "the date is a guess, from the file's time"
    case .dateIsChangeTime:
      "the date is a guess, from when a program last changed the file; the photo may be older"
    case .dateIsImportTime:
      "the date is a guess, the time of the import, as the file's cannot be right"
    case .dateWithoutTime: "the day is known, the time of day is not"
    case .dateWithoutDay: "only the month or the year is known"
    case .clockUnreadable: "of a date, the day was read, but not the time of day"
    case .dayIsUTC: "the day is in UTC, from GPS; it may differ by one where the photo was taken"
    case .repeatedHour:
      "the clocks went back and showed the time twice; the file's time decided if it was near, else the "
        + "first was taken"
    case .xmpMended: "its XMP is not well-formed; what could be read of it was used"
    case .motionPhoto: "a motion photo; kept exactly, with its video"
    case .trailingData: "more than a picture is in the file; kept exactly as it is"
    case .furtherPictures: "further pictures are in the file; kept exactly, with all of them"
    case .noPreview:
      "too large to be shown, or of a kind that is not read; kept exactly, without a preview"
    case .profileUnreadable:
      "the colour profile cannot be read; taken as sRGB, kept exactly as it is"
    case .gainMapDropped: "the HDR gain map is not in the compressed copy"
    case .sidecarUnreadable: "a sidecar file could not be read"
    case .notMoved: "not moved; the file stays where it is"
    case .inForeignTrash: "in the bin of Google Photos, as its JSON file says"
    case .otherMetadata: "the same picture with other metadata"
    case .compressedCopy: "the library has only a compressed copy of it"
    case .sidecarChanged: "its sidecar is new or has changed"
    case .samePicture:
      "another photo, of another time or from a token that only sends, has exactly the same picture"
    case .notPackable:
      "cannot be packed without loss, or not in the memory there is; kept exactly as it is"
    }
  }
}

extension RecordedTime {
  /// The warning about a date of which no more than a day, a month or a year is known; nil for a time.
  package var imprecision: ImportWarning? {
    switch self {
    case .zoned, .wall, .instant: nil
    case .day: .dateWithoutTime
    case .month, .year: .dateWithoutDay
    }
  }
}

/// File names as text. A name of another system may be no UTF-8: its other bytes are written as `\xF6`, so that different
/// names stay different, and a text leads back to its file.
package enum FileNameText {
  /// The text of a name or path. A backslash that would look like an escape is escaped itself.
  package static func text(of bytes: some Collection<UInt8>) -> String {
    if !bytes.contains(UInt8(ascii: "\\")), let text = String(validating: bytes, as: UTF8.self) {
      return text
    }
    var text = ""
    var rest = Array(bytes)[...]
    while let first = rest.first {
      // The length of a character by its first byte (RFC 3629, 3).
      let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
      if let character = String(validating: rest.prefix(length), as: UTF8.self),
        escaped(rest) == nil
      {
        text.unicodeScalars.append(contentsOf: character.unicodeScalars)
        rest = rest.dropFirst(length)
      } else {
        let digits = String(first, radix: 16, uppercase: true)
        text += "\\x" + (digits.count == 1 ? "0" : "") + digits
        rest.removeFirst()
      }
    }
    return text
  }

  /// Whether the text of a name has escaped bytes.
  package static func isEscaped(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.indices.contains { escaped(bytes[$0...]) != nil }
  }

  /// The byte whose escape the text begins with.
  package static func escaped(_ text: ArraySlice<UInt8>) -> UInt8? {
    let escape = text.prefix(4)
    guard escape.count == 4, escape.starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "x")]),
      escape.dropFirst(2).allSatisfy({ (48...57).contains($0) || (65...70).contains($0) })
    else { return nil }
    return UInt8(String(decoding: escape.dropFirst(2), as: UTF8.self), radix: 16)
  }
}
