internal import Foundation
internal import Hummingbird
internal import Leaflog
internal import Pages

/// Adding photos by a form.
struct AddPages: Sendable {
  let access: LibraryAccess

  func add(to serving: PageServing) {
    serving.show("add") { context, address in try AddPage(context, plant: address["plant"]) }
    for path in ["add", "add/shared"] {
      serving.receive(path) { [access] request, context in
        guard let boundary = try request.boundary else {
          throw Problem(.unsupportedMediaType, "Photos come as multipart/form-data.")
        }
        var form = FormReceiver(
          UploadReceiver(access: access), boundary: boundary, fields: [:],
          origin: "POST /\(path)", isOfPage: true)
        try await form.read(request.body)
        try await form.takeWaiting(Self.said)
        let outcomes = form.taken.map(\.outcome)
        return try await access.read { library in
          try AddPage(context(library), plant: nil, added: outcomes)
        }
      }
    }
  }

  /// What the fields of the page say in the words of an upload. All photos of a form are one change.
  private static func said(_ fields: [String: String]) -> [String: String] {
    var said = ["batch": UUID().uuidString]
    said["plant"] = fields["newPlant"] ?? fields["plant"]
    said["at"] = fields["date"]
    said["note"] = fields["notes"] ?? fields["text"]
    return said
  }
}
