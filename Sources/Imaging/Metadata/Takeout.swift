internal import DiaryModel
internal import Foundation

/// The JSON file that Google Takeout writes for each photo.
package enum Takeout {
  /// A value of any other type than the expected one counts as absent, and does not spoil the others.
  private struct Document: Decodable {
    /// The text of the time at which the photo was taken, in seconds since 1970.
    var takenTime: String?
    var description: String?
    var isFavourite = false
    var isTrashed = false
    /// Whether the object has any member that Takeout writes.
    let isTakeout: Bool

    private enum Key: String, CodingKey {
      case description, photoTakenTime, favorited, trashed, timestamp
    }

    init(from decoder: any Decoder) throws {
      let object = try decoder.container(keyedBy: Key.self)
      description = try? object.decode(String.self, forKey: .description)
      if let moment = try? object.nestedContainer(keyedBy: Key.self, forKey: .photoTakenTime) {
        takenTime = moment.text(.timestamp)
      }
      isFavourite = object.text(.favorited) == "true"
      isTrashed = object.text(.trashed) == "true"
      isTakeout = takenTime != nil || description != nil || isFavourite || isTrashed
    }
  }

  /// Nil when the bytes are not such a document.
  package static func facts(_ json: some Collection<UInt8>) -> SidecarFacts? {
    guard let document = try? JSONDecoder().decode(Document.self, from: Data(json)),
      document.isTakeout
    else { return nil }
    let text = document.takenTime?.trimmingSpaces() ?? ""
    let time = Self.time(text)
    let notes = document.description?.trimmingSpaces()
    return SidecarFacts(
      time: time.map { .instant($0) }, hasUnreadableTime: time == nil && !text.isEmpty,
      notes: notes?.isEmpty == false ? notes : nil, isFavourite: document.isFavourite,
      isTrashed: document.isTrashed)
  }

  private static func time(_ seconds: String) -> Timestamp? {
    if let whole = Int64(seconds) { return Timestamp(seconds: whole) }
    guard let number = Double(seconds),
      let milliseconds = Int64(exactly: (number * 1000).rounded()),
      let second = Timestamp(seconds: milliseconds / 1000)
    else { return nil }
    return second.advanced(byMilliseconds: milliseconds % 1000)
  }
}

extension KeyedDecodingContainer {
  /// A text, a number or a truth value as text.
  fileprivate func text(_ key: Key) -> String? {
    if let text = try? decode(String.self, forKey: key) { return text }
    if let truth = try? decode(Bool.self, forKey: key) { return String(truth) }
    if let whole = try? decode(Int64.self, forKey: key) { return String(whole) }
    return (try? decode(Double.self, forKey: key)).map { String($0) }
  }
}
