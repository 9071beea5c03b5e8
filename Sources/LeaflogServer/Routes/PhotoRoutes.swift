internal import Fields
internal import Foundation
internal import Hummingbird
internal import Leaflog

/// Photos, and their pictures.
struct PhotoRoutes: Sendable {
  func add(to api: API) {
    api.get(
      "photos/\(Path.entry)", "photo", .readPhotos, "A photo with all details",
      headers: [.ifMatch, .ifNoneMatch],
      answers: Answer.versioned(.answer(ShownDocument<PhotoDocument>.self)), photo)
    api.write(
      .post, "photos/redate", "redatePhotos", .writePhotos, "Correct the times of photos",
      body: Body(
        [BodyField.ids, BodyField.allowFuture], oneOf: [[Self.shift], [Self.zone], [Self.source]]),
      answers: .json(.answer(EditDocument.self)), write: Self.redate)
    for kind in PictureFile.Kind.allCases {
      api.get(
        "photos/\(Path.entry)/\(kind.rawValue)", kind.rawValue, .readPhotos,
        "A photo's picture: \(kind.about)",
        query: [Query.digest], headers: RequestHeader.ofFile, answers: Answer.file("image/*")
      ) { try await picture(kind, $0) }
    }
  }

  private static let shift = Parameter<Int>("shiftSeconds", .whole(.min ... .max), isRequired: true)
  private static let zone = Parameter<TimeZone>("timeZone", .timeZone, isRequired: true)
  private static let source = Parameter<Redating.Source>("source", .choice, isRequired: true)

  private func photo(_ asked: Asked) async throws -> Response {
    let id = try asked.name(Path.entry)
    return try await Response.versioned(asked.request, asked.access) { library in
      let photo = try library.photos.find(matching: id)
      return (
        try ShownDocument(PhotoDocument(photo), of: photo.entry, in: library),
        EntityTag(version: photo.entry)
      )
    }
  }

  private static func redate(_ call: Call) throws -> Written {
    let body = call.body
    let ids = try body.entries(in: call.library).ids
    let ways = [
      try body.choice(shift).map { Redating.shift(.seconds($0)) },
      try body.choice(zone).map { Redating.timeZone($0) },
      try body.choice(source).map { Redating.source($0) },
    ].compactMap { $0 }
    guard let way = ways.first, ways.count == 1 else {
      throw BodyReader.refusal("Give one of “shiftSeconds”, “timeZone” and “source”.")
    }
    return Written(
      try call.writer().photos.redate(
        .photos(ids), way, confirmed: body.known(BodyField.allowFuture) ? [.future] : []))
  }

  private func picture(_ kind: PictureFile.Kind, _ asked: Asked) async throws -> Response {
    let known = try asked.query.value(Query.digest)
    let id = try asked.name(Path.entry)
    let isOriginal = kind == .original
    let file = try await asked.access.picture(
      kind, of: id, packed: isOriginal && asked.request.accepts(mediaType: "image/jxl"))
    return try await file.response(
      to: asked.request, asked.context, caching: file.caching(named: known),
      variesByAccept: isOriginal)
  }
}

extension PictureFile.Kind {
  fileprivate var about: String {
    switch self {
    case .thumbnail: "at most 640 px a side"
    case .preview: "2048 px, created on first request"
    case .original:
      "the file as it was imported, or the best that the library has; a packed one as JPEG XL for clients that accept "
        + "image/jxl"
    }
  }
}

extension Redating.Source: FieldValue {}
