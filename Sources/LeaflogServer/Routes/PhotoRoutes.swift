internal import Documents
internal import Hummingbird
internal import Leaflog

/// Photos, and their pictures.
struct PhotoRoutes: Sendable {
  let access: LibraryAccess

  func add(to group: RouterGroup<BasicRequestContext>) {
    group.get("photos/:id") { request, context in try await photo(request, context) }
    for kind in PictureFile.Kind.allCases {
      group.get("photos/:id/\(kind.rawValue)") { request, context in
        try await picture(kind, request, context)
      }
    }
  }

  private func photo(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
    try QueryReader(request).finish()
    let id = try context.text("id")
    return try await .json(access) { library in
      let photo = try library.photos.find(id)
      return try ShownDocument(PhotoDocument(photo), of: photo.entry, in: library)
    }
  }

  private func picture(
    _ kind: PictureFile.Kind, _ request: Request, _ context: BasicRequestContext
  ) async throws -> Response {
    try QueryReader(request).finish()
    let id = try context.text("id")
    let file = try await access.picture(kind, of: id)
    return try await FileAnswer(file, caching: FileAnswer.revalidated)
      .response(to: request, context)
  }
}
