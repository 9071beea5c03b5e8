internal import Foundation
internal import Hummingbird
internal import Leaflog
internal import Pages

/// Adding photos by a form.
enum AddPages {
  static func add(to serving: PageServing) {
    serving.show("add", .writePhotos) { context, address in
      try AddPage(context, plant: address["plant"])
    }
    serving.show("add/what", .writePhotos) { context, _ in try AddWhatPage(context) }
    for path in ["add", "add/shared"] {
      serving.receive(path, .writePhotos) { request, requestContext, context in
        let access = try requestContext.access
        guard let boundary = try request.boundary else {
          throw Problem(.unsupportedMediaType, "Photos must be sent as multipart/form-data.")
        }
        var form = FormReceiver(
          UploadReceiver(access: access, holder: requestContext.holder), boundary: boundary,
          origin: "POST /\(path)")
        try await form.read(request.body, requestContext.bodies)
        let fault = await fault { try await form.takePage(said) }
        let typed = TypedForm(values: form.fields.mapValues { [$0] })
        let outcomes = form.taken.map(\.outcome.forClients)
        let change = form.taken.compactMap(\.change).last
        return try await access.read { library -> AddPage in
          let page = try context(library)
          let refusal = fault.flatMap { Refusal($0, typed, page.reader.words) }
          if let fault, refusal == nil { throw fault }
          return try AddPage(page, plant: nil, added: outcomes, change: change, refusal: refusal)
        }
      }
    }
  }

  private static func fault(_ body: () async throws -> Void) async -> (any Error)? {
    do { try await body() } catch { return error }
    return nil
  }

  /// The page's fields, translated into those of an upload. All photos of a form make one change.
  private static func said(_ fields: [String: String]) -> [String: String] {
    var said = ["batch": UUID().uuidString]
    said["plant"] = fields["newPlant"] ?? fields["plant"]
    said["occurredAt"] = fields["date"]
    said["notes"] = fields["notes"] ?? fields["text"]
    return said
  }
}
