internal import DiaryModel
internal import Foundation

/// The JSON file that Google Takeout writes for each photo.
package enum Takeout {
  private struct Document: Decodable {
    struct Moment: Decodable {
      var timestamp: String
    }
    var description: String?
    var photoTakenTime: Moment?
  }

  /// Nil when the bytes are not such a document.
  package static func facts(_ json: some Collection<UInt8>) -> SidecarFacts? {
    guard let document = try? JSONDecoder().decode(Document.self, from: Data(json)),
      document.photoTakenTime != nil || document.description != nil
    else { return nil }
    let text = document.photoTakenTime?.timestamp.trimmingSpaces() ?? ""
    let time = Int64(text).flatMap { Timestamp(seconds: $0) }
    let notes = document.description?.trimmingSpaces()
    return SidecarFacts(
      time: time.map { .instant($0) }, hasUnreadableTime: time == nil && !text.isEmpty,
      notes: notes?.isEmpty == false ? notes : nil)
  }
}
