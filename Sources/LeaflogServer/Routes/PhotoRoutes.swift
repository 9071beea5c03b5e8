internal import Documents
internal import Foundation
internal import Hummingbird
internal import Leaflog

/// Photos, and their pictures.
struct PhotoRoutes: Sendable {
  let access: LibraryAccess
  let writing: Writing

  func add(to group: RouterGroup<LeaflogRequestContext>) {
    group.get("photos/:id") { request, context in try await photo(request, context) }
    writing.add(.post, "photos/redate", to: group, redate)
    for kind in PictureFile.Kind.allCases {
      group.get("photos/:id/\(kind.rawValue)") { request, context in
        try await picture(kind, request, context)
      }
    }
  }

  private func photo(_ request: Request, _ context: LeaflogRequestContext) async throws -> Response
  {
    try QueryReader(request).finish()
    let id = try context.text("id")
    return try await Response.versioned(request, access) { library in
      let photo = try library.photos.find(id)
      return (
        try ShownDocument(PhotoDocument(photo), of: photo.entry, in: library),
        EntityTag(version: photo.entry)
      )
    }
  }

  private func redate(_ call: Call) throws -> Written {
    var body = call.body
    let ids = try body.entries(in: call.library).ids
    let shift = try body.wholeNumber("shiftSeconds").map { Redating.shift(.seconds($0)) }
    let zone = try body.parsed("timeZone", like: "Europe/Berlin") { TimeZone(identifier: $0) }
      .map { Redating.timeZone($0) }
    let source = try body.parsed("source", like: "exif") { Redating.Source(rawValue: $0) }
      .map { Redating.source($0) }
    let confirmed = try body.confirmations()
    try body.finish()
    let ways = [shift, zone, source].compactMap { $0 }
    guard let way = ways.first, ways.count == 1 else {
      throw BodyReader.refusal("Give one of “shiftSeconds”, “timeZone” and “source”.")
    }
    return Written(
      try call.writer().photos.redate(.photos(ids), way, confirmed: confirmed))
  }

  private func picture(
    _ kind: PictureFile.Kind, _ request: Request, _ context: LeaflogRequestContext
  ) async throws -> Response {
    var query = QueryReader(request)
    let known = try query.text("digest")
    try query.finish()
    let id = try context.text("id")
    let isOriginal = kind == .original
    let file = try await access.picture(
      kind, of: id, packed: isOriginal && request.accepts(mediaType: "image/jxl"))
    return try await file.response(
      to: request, context, caching: file.caching(named: known), variesByAccept: isOriginal)
  }
}
